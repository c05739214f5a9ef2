import Entries

/// How a log is asked for after stored entries of it were dropped (`protocol/sync.md` §5, §9).
enum Release: Hashable {
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

/// Logs of which stored entries were dropped since the start, and how each is asked for.
struct Releases {
    private var releases: [LogID: Release] = [:]

    subscript(log: LogID) -> Release? { releases[log] }

    mutating func begin(_ release: Release, of log: LogID) {
        releases[log] = release
    }

    /// The log is not carried any more.
    mutating func end(of log: LogID) {
        releases[log] = nil
    }

    /// The store kept the window of a log: it is not wanted whole any more.
    mutating func endWhole(of log: LogID) {
        if case .whole = releases[log] { releases[log] = nil }
    }

    /// The session has nothing of the log: if others had to wait for it, they may be asked.
    mutating func lacked(_ log: LogID, by session: SessionID) {
        if case .newestOf(let successor, _) = releases[log], successor.session == session { releases[log] = .newest }
    }

    /// Whether a log is to be asked for without a window.
    func isWantedWhole(_ log: LogID, now: UInt64) -> Bool {
        if case .whole(_, let end) = releases[log] { now < end } else { false }
    }

    /// The peer that is to be asked for a log before all others; nil: there is none.
    func successor(_ log: LogID, now: UInt64) -> Release.Successor? {
        guard !releases.isEmpty else { return nil }
        switch releases[log] {
        case .whole(let successor, let end):
            return (end..<end + Limits.successorMilliseconds).contains(now) ? successor : nil
        case .newestOf(let successor, let end): return now < end ? successor : nil
        case .newest, nil: return nil
        }
    }
}
