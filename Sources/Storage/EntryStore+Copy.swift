internal import GRDB

extension StoreReader {
    /// Writes a consistent snapshot into an empty file, also while another process writes; it holds neither erased
    /// payloads nor free pages.
    package func copy(to path: String) throws(StorageError) {
        try storing { try DatabaseCopy.write(source, to: path) }
    }
}

extension ReaderFile {
    /// Writes a consistent copy into an empty file.
    package func copy(to path: String) throws(StorageError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Double(StorageLimits.busyTimeoutMilliseconds) / 1_000)
        let source = self.path
        try storing { try Self.reading(source, configuration) { try DatabaseCopy.write($0, to: path) } }
    }
}

private enum DatabaseCopy {
    /// Runs outside a transaction: `VACUUM INTO` opens its own.
    static func write(_ source: any DatabaseReader, to path: String) throws {
        guard let queue = source as? any DatabaseWriter else {
            throw StorageError.other("a connection that only reads cannot be copied")
        }
        try queue.writeWithoutTransaction { try Prepared($0, "VACUUM INTO ?").run(path) }
    }
}
