internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Checkpoints the write-ahead log (WAL) while the writer goes on writing: neither waits for the other ("Concurrency",
/// sqlite.org/wal.html). The writer checkpoints the pages that it adds meanwhile, and then the WAL restarts.
///
/// Uses a connection of its own, which is opened on first use and never writes a transaction.
final class Checkpointer: Sendable {
    private let path: String?
    private let connection = Mutex<DatabaseQueue?>(nil)

    /// A database in memory has no WAL.
    init(_ place: EntryStore.Place) {
        switch place {
        case .file(let path): self.path = path
        case .memory: path = nil
        }
    }

    /// Checkpoints the pages that no reader blocks; a failure is ignored, since the writer tries again.
    func checkpoint(_ wal: WriteAheadLog) {
        connection.withLock { connection in
            // Opening the connection reads, and a reader would block the truncation after an erasure.
            wal.alone {
                guard let queue = connection ?? open() else { return }
                connection = queue
                queue.writeWithoutTransaction { _ = sqlite3_wal_checkpoint($0.sqliteConnection, nil) }
            }
        }
    }

    func close() {
        connection.withLock {
            try? $0?.close()
            $0 = nil
        }
    }

    private func open() -> DatabaseQueue? {
        guard let path else { return nil }
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        // A file that was removed is not created again.
        let name = ReadOnlyDisk.name(of: path, "mode=rw")
        guard let queue = try? DatabaseQueue(path: name, configuration: configuration) else { return nil }
        // A connection opens the WAL with its first read.
        let hasRead = try? queue.read { try Schema.pragma($0, "user_version") }
        return hasRead == nil ? nil : queue
    }
}
