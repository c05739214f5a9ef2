internal import Storage

/// The files of the open database, and whether they still lie where they were opened: what is written into a file that
/// was removed or replaced is seen by nobody.
///
/// Never opens one: closing any descriptor of a database drops this process's locks on it (SQLite, "How To Corrupt",
/// 2.2).
struct DatabaseFiles: Sendable {
    /// With the write-ahead log, in which all lies that is not checkpointed yet.
    private let opened: [(path: String, facts: FileFacts)]
    /// Whether a file keeps its inode here, so that another inode is another file.
    private let hasInodes: Bool

    /// Notes which files lie there; to be called right after the database was opened.
    init(of layout: HomeLayout) {
        // Where the database is a link, SQLite keeps the log beside what it leads to.
        let place = ((try? FileSystem.resolved(layout.store)) ?? nil) ?? layout.store
        opened = [layout.store, place, place + "-wal"].compactMap { path in
            FileSystem.facts(ofItself: path).map { (path: path, facts: $0) }
        }
        hasInodes = HomeFacts.read(of: layout.store).inode != nil
    }

    /// The path of a file that was removed or replaced. Nil: none was, or nobody can say, as while a network file
    /// system is out of reach or denies access.
    var lost: String? {
        opened.first { path, facts in
            guard let now = FileSystem.facts(ofItself: path) else {
                return (try? FileSystem.isAbsent(path)) ?? false
            }
            return hasInodes && !now.isSameFile(as: facts)
        }?.path
    }
}
