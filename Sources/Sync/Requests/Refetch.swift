/// How a log is asked for after stored entries of it were dropped (`protocol/sync.md` §5, §9).
enum Refetch: Hashable {
    /// Without a window until then: the first difference from another history may lie in the gap, or the successor has
    /// the whole log. After that nobody has it whole, and for a time the successor is asked first.
    case whole(Successor, before: UInt64)
    /// Like any other log, but until then of the successor alone: others may have the history that gave way.
    case newestOf(Successor, before: UInt64)
    /// Like any other log.
    case newest

    /// The peer for whose history entries were dropped, and the size that it has of the log.
    struct Successor: Hashable {
        let session: SessionID
        let size: UInt64
    }
}

extension Refetch {
    static func wholeLog(of session: SessionID, size: UInt64, now: UInt64) -> Refetch {
        .whole(Successor(session: session, size: size), before: now + Limits.wholeLogMilliseconds)
    }

    static func newest(of session: SessionID, size: UInt64, now: UInt64) -> Refetch {
        .newestOf(Successor(session: session, size: size), before: now + Limits.successorMilliseconds)
    }
}
