import Entries

/// What the chunks that are not verified yet will bring of each log, if they prove valid.
struct ArrivingLogs {
    /// The chunks of one log.
    private struct Arriving {
        var chunks = 0
        /// Those of them that an unlisted peer pushed and that wait in the bulk lane.
        var idle = 0
        /// The highest end of any chunk counted here.
        var end: UInt64 = 0
        /// The highest end of any chunk in the live lane.
        var liveEnd: UInt64 = 0
    }

    private var logs: [LogID: Arriving] = [:]
    /// Chunks that fill gaps: they do not move a log's end.
    private var gaps: [LogID: Int] = [:]

    func has(_ log: LogID) -> Bool { logs[log] != nil }
    /// Whether chunks keep the log from being asked of others. Those that an unlisted peer pushed into the bulk lane do
    /// not: they may wait as long as the history before them, and may be invalid.
    func isBusy(_ log: LogID) -> Bool { logs[log].map { $0.chunks > $0.idle } ?? false }
    func hasGap(_ log: LogID) -> Bool { gaps[log] != nil }
    /// Whether chunks up to this end are on their way.
    func reaches(_ log: LogID, _ end: UInt64) -> Bool { logs[log].map { $0.end >= end } ?? false }
    /// Whether chunks up to this end are on their way in the live lane.
    func reachesLive(_ log: LogID, _ end: UInt64) -> Bool { logs[log].map { $0.liveEnd >= end } ?? false }

    mutating func add(_ arrival: Pipeline.Arrival) { count(arrival, 1) }

    /// Counts out a chunk that was verified or dropped.
    mutating func remove(_ arrival: Pipeline.Arrival) { count(arrival, -1) }

    /// Counts a chunk that was added as live.
    mutating func noteLive(_ arrival: Pipeline.Arrival) {
        logs[arrival.chunk.log]?.liveEnd.raise(to: arrival.end)
    }

    /// Counts a chunk that was added as idle: it waits in the bulk lane, pushed by an unlisted peer.
    mutating func noteIdle(_ arrival: Pipeline.Arrival) { logs[arrival.chunk.log]?.idle += 1 }

    /// An idle chunk waits no more: it is verified now, or dropped.
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
