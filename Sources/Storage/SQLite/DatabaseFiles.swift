#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Checks what lies at a database's path before SQLite, which opens files by their names, opens it: of a pipe it would
/// wait for the other end for ever.
enum DatabaseFiles {
    /// Requires that the database and the files that SQLite keeps beside it are regular files, as far as they exist.
    ///
    /// - Throws: `noFile`, with the path of the first that is none.
    static func check(_ path: String) throws(StorageError) {
        for name in [path] + ["-wal", "-shm", "-journal"].map({ beside(path) + $0 }) {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
            throw .noFile(name)
        }
    }

    /// The path beside which SQLite keeps its files: where the database is a link, its target's.
    static func beside(_ path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }
}
