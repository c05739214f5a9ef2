internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Moves pages of the write-ahead log into the file while the writer goes on writing: neither waits for the other ("Concurrency",
/// sqlite.org/wal.html). What the writer adds meanwhile, it moves itself, and then the log begins anew.
///
/// On a connection of its own, which is opened when it is first of use and never writes a transaction.
final class LogMover: Sendable {
    private let path: String?
    private let connection = Mutex<DatabaseQueue?>(nil)

    /// In memory there is no log.
    init(_ place: EntryStore.Place) {
        switch place {
        case .file(let path): self.path = path
        case .memory: path = nil
        }
    }

    /// Moves what is there and no reader is in the way of; a failure is nobody's, the writer tries again.
    func move(_ log: WriteAheadLog) {
        connection.withLock { connection in
            // To open it is to read, and a reader is in the way of an erasure.
            log.alone {
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
        // A file that somebody has taken away is not made anew.
        let name = ReadOnlyDisk.name(of: path, "mode=rw")
        guard let queue = try? DatabaseQueue(path: name, configuration: configuration) else { return nil }
        // A connection knows of the log once it has read.
        let hasRead = try? queue.read { try Schema.pragma($0, "user_version") }
        return hasRead == nil ? nil : queue
    }
}
