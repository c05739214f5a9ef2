#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What is being made in a home that is not complete yet: the content of its file `unfinished`.
enum UnfinishedMark: String {
    /// A new home.
    case creation = ""
    /// A home from a backup, none of whose files existed before.
    case restore = "restore\n"
}

extension HomeLayout {
    /// The mark of a home that was never finished; nil if there is none.
    ///
    /// What it marks is thrown away, so that a file of that name counts only as this program writes it: a person may
    /// have one, in a directory that is no home.
    var unfinishedMark: UnfinishedMark? {
        guard let facts = FileSystem.facts(ofItself: unfinished), facts.isRegular, facts.owner == FileSystem.user,
            facts.permissions & 0o077 == 0,
            let bytes = try? FileSystem.read(unfinished, limit: UnfinishedMark.restore.rawValue.utf8.count + 1)
        else { return nil }
        return UnfinishedMark(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether something else lies where the mark is to be: it stays, and no home is made around it.
    var isMarkTaken: Bool { FileSystem.facts(ofItself: unfinished) != nil && unfinishedMark == nil }

    /// The error of `isMarkTaken`.
    var takenMark: SystemError { SystemError(call: "open", path: unfinished, code: EEXIST) }
}
