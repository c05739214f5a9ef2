/// The files that a backup writes before there is one, and what is left of them by backups that were killed.
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

    static func removeCopy(_ copy: String) throws(SystemError) {
        for suffix in suffixes { try FileSystem.remove(copy + suffix) }
    }

    private static let partialMark = ".partial-"
    private static let copyMark = ".copy-"
    private static let homeMark = "backup-copy-"
    private static let suffixes = ["", "-journal", "-wal", "-shm"]

    // MARK: Leftovers

    /// Removes the copies in a home that no running backup uses: whatever is erased later would live on in them.
    static func removeStaleCopies(from layout: HomeLayout) {
        let names = names(in: layout.data, homeMark, suffixes)
        guard !names.isEmpty, let directory = try? OpenFile(layout.data, for: .directory) else { return }
        switch try? directory.tryLock() {
        // A backup that began since the names were read has another number.
        case true?: for name in names { removeOwn("\(layout.data)/\(name)", olderThan: nil) }
        case false?: break
        // NFS does not lock a directory against sharers.
        case nil: for name in names { removeOwn("\(layout.data)/\(name)", olderThan: daySeconds) }
        }
    }

    /// Removes what backups to the same file left: partial ones that nobody has locked, with their copies.
    static func removeStale(besideTarget target: String) {
        let end = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let (folder, name) = (String(target[..<end]), String(target[end...]))
        let place = folder.isEmpty ? "." : folder
        for partial in names(in: place, name + partialMark, [""]) {
            let number = partial.utf8.suffix(TemporaryName.digits)
            guard isOwn(folder + partial, olderThan: youngSeconds),
                let file = try? OpenFile(folder + partial, for: .overwrite)
            else { continue }
            let isFree = try? file.tryLock()
            // Nil: no locks here, so that only its age tells.
            guard isFree != false, removeOwn(folder + partial, olderThan: isFree == nil ? daySeconds : youngSeconds)
            else {
                continue
            }
            let copy = target + copyMark + String(decoding: number, as: UTF8.self)
            for suffix in suffixes { removeOwn(copy + suffix, olderThan: nil) }
        }
        for copy in names(in: place, name + copyMark, suffixes) { removeOwn(folder + copy, olderThan: daySeconds) }
    }

    /// Age from which a partial backup is locked by whoever writes it: it is locked just after it is made.
    private static let youngSeconds: Int64 = 5
    /// Age from which a file whose use cannot be told is none: longer than any backup takes; a guess.
    private static let daySeconds: Int64 = 86_400

    private static func isOwn(_ file: String, olderThan seconds: Int64?) -> Bool {
        guard let facts = FileSystem.facts(ofItself: file), facts.isRegular, facts.owner == FileSystem.user else {
            return false
        }
        guard let seconds else { return true }
        return facts.modified < Int64(SystemClock.wallMilliseconds / 1_000) - seconds
    }

    @discardableResult
    private static func removeOwn(_ file: String, olderThan seconds: Int64?) -> Bool {
        guard isOwn(file, olderThan: seconds) else { return false }
        do throws(SystemError) { try FileSystem.remove(file) } catch { return false }
        return true
    }

    /// The names that a backup gives: a person's own file may begin alike.
    private static func names(in folder: String, _ beginning: String, _ suffixes: [String]) -> [String] {
        let names = (try? FileSystem.names(in: folder)) ?? []
        return names.filter { file in
            guard file.utf8.starts(with: beginning.utf8) else { return false }
            let rest = file.utf8.dropFirst(beginning.utf8.count)
            let suffix = String(decoding: rest.dropFirst(TemporaryName.digits), as: UTF8.self)
            return TemporaryName.isNumber(rest.prefix(TemporaryName.digits)) && suffixes.contains(suffix)
        }
    }
}
