#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How many files this process may still open, as far as a database needs it: SQLite does not say why it opens none.
enum FilesLeft {
    /// Files of one connection: the database, its write-ahead log, the index of that, and a directory to be synced.
    private static let connectionFiles = 4

    /// Whether a connection's files cannot all be open (EMFILE, ENFILE).
    static var areTooFew: Bool {
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<connectionFiles {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE }
            opened.append(descriptor)
        }
        return false
    }
}
