import Entries

/// What chunks that are not verified yet bring, if they are true, by log.
struct ArrivingLogs {
    /// Of one log.
    private struct Arriving {
        var chunks = 0
        /// Of these, such as strangers pushed, and as wait behind history.
        var idle = 0
        /// The furthest that one of them ends, or ended.
        var end: UInt64 = 0
        /// The same of those that did not wait behind history.
        var liveEnd: UInt64 = 0
    }

    private var logs: [LogID: Arriving] = [:]
    /// Chunks of what was left out of logs: they do not move their end.
    private var gaps: [LogID: Int] = [:]

    func has(_ log: LogID) -> Bool { logs[log] != nil }
    /// Something that keeps the log from being asked of others: what a stranger pushed behind its own history may wait for as
    /// long as that goes on, and may be nothing.
    func isBusy(_ log: LogID) -> Bool { logs[log].map { $0.chunks > $0.idle } ?? false }
    func hasGap(_ log: LogID) -> Bool { gaps[log] != nil }
    /// Something brings the log so far.
    func reaches(_ log: LogID, _ end: UInt64) -> Bool { logs[log].map { $0.end >= end } ?? false }
    /// The same of what does not wait behind history.
    func reachesLive(_ log: LogID, _ end: UInt64) -> Bool { logs[log].map { $0.liveEnd >= end } ?? false }

    mutating func add(_ arrival: Pipeline.Arrival) { count(arrival, 1) }

    /// One that came is verified, or dropped.
    mutating func remove(_ arrival: Pipeline.Arrival) { count(arrival, -1) }

    /// One that was added does not wait behind history.
    mutating func noteLive(_ arrival: Pipeline.Arrival) {
        logs[arrival.chunk.log]?.liveEnd.raise(to: arrival.end)
    }

    /// One that was added waits behind history, and nobody here listed its sender.
    mutating func noteIdle(_ arrival: Pipeline.Arrival) { logs[arrival.chunk.log]?.idle += 1 }

    /// One of these waits no more: it is looked at now, or dropped.
    mutating func wake(_ arrival: Pipeline.Arrival) { logs[arrival.chunk.log]?.idle -= 1 }

    private mutating func count(_ arrival: Pipeline.Arrival, _ change: Int) {
        let log = arrival.chunk.log
        if arrival.kind == .gap {
            let count = gaps[log, default: 0] + change
            gaps[log] = count > 0 ? count : nil
        } else {
            var state = logs[log] ?? Arriving()
            state.chunks += change
            state.end.raise(to: arrival.end)
            logs[log] = state.chunks > 0 ? state : nil
        }
    }
}

extension Pipeline.Arrival {
    fileprivate var end: UInt64 { chunk.start + chunk.count }
}

extension UInt64 {
    fileprivate mutating func raise(to other: UInt64) { self = Swift.max(self, other) }
}
