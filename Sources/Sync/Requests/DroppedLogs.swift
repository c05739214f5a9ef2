import Entries

/// Logs of which stored entries were dropped since the start, and how each is asked for.
struct DroppedLogs {
    private var refetches: [LogID: Refetch] = [:]

    subscript(log: LogID) -> Refetch? { refetches[log] }

    mutating func set(_ refetch: Refetch, of log: LogID) {
        refetches[log] = refetch
    }

    /// The log is not carried any more.
    mutating func end(of log: LogID) {
        refetches[log] = nil
    }

    /// The store kept the window of a log: it is not wanted whole any more.
    mutating func endWhole(of log: LogID) {
        if case .whole = refetches[log] { refetches[log] = nil }
    }

    /// The session has nothing of the log: if others had to wait for it, they may be asked.
    mutating func lacked(_ log: LogID, by session: SessionID) {
        if case .newestOf(let successor, _) = refetches[log], successor.session == session { refetches[log] = .newest }
    }

    /// Whether a log is to be asked for without a window.
    func isWantedWhole(_ log: LogID, now: UInt64) -> Bool {
        if case .whole(_, let end) = refetches[log] { now < end } else { false }
    }

    /// The peer that is to be asked for a log before all others; nil: there is none.
    func successor(_ log: LogID, now: UInt64) -> Refetch.Successor? {
        // Mostly none was dropped, and this is asked for each log that a peer offers.
        guard !refetches.isEmpty else { return nil }
        switch refetches[log] {
        case .whole(let successor, let end):
            return (end..<end + Limits.successorMilliseconds).contains(now) ? successor : nil
        case .newestOf(let successor, let end): return now < end ? successor : nil
        case .newest, nil: return nil
        }
    }
}
