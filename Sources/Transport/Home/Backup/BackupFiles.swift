/// The files that a backup writes before there is one.
struct BackupFiles {
    /// The backup until it is whole.
    let partial: String
    /// Where a database may be copied to, the best place first.
    let copies: [String]

    /// Gives this backup names of its own.
    ///
    /// SQLite opens a copy by its name, so the home comes first: nobody else can place files there. Its disk may be
    /// full, and then the target's may have room.
    init(target: String, home: String?) {
        let number = TemporaryName.number()
        partial = target + Self.partialMark + number
        var copies = [target + Self.copyMark + number]
        if let home { copies.insert("\(home)/\(Self.homeMark)\(number)", at: 0) }
        self.copies = copies
    }

    /// All names, of SQLite's files beside the copies too.
    var all: [String] { [partial] + copies.flatMap { copy in Self.suffixes.map { copy + $0 } } }

    func remove() {
        for file in all { try? FileSystem.remove(file) }
    }

    /// Removes a copy, and before it SQLite's files beside it: without it nobody could tell whose they are.
    static func removeCopy(_ copy: String) throws(SystemError) {
        for suffix in suffixes { try FileSystem.remove(copy + suffix) }
    }

    static let partialMark = ".partial-"
    static let copyMark = ".copy-"
    static let homeMark = "backup-copy-"
    /// Ends of the names of SQLite's files, a copy's own last.
    static let suffixes = ["-journal", "-wal", "-shm", ""]
}
