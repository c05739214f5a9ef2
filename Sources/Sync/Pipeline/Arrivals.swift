import Entries

/// Chunks that are not verified yet: those of each session in order of arrival, and the sessions in turn
/// (`protocol/node.md` §4).
///
/// Small pushes go first, so that a live entry waits for nobody's history; the rest has every ninth batch, so that it
/// makes progress whatever is pushed.
struct Arrivals {
    typealias Arrival = Pipeline.Arrival

    enum Lane: Hashable {
        /// Small pushes within their session's `LiveRate`.
        case live
        /// The rest: answers, large pushes, and those beyond that rate or behind bulk chunks of their log.
        case bulk
    }

    /// The chunks of one lane.
    private struct Line {
        private var queues: [SessionID: Queue<Arrival>] = [:]
        /// The sessions with chunks in this lane, the next first.
        private var turns = Queue<SessionID>()

        var isEmpty: Bool { turns.isEmpty }
        var sessions: some Sequence<SessionID> { queues.keys }
        var first: Arrival? { turns.first.flatMap { queues[$0]?.first } }

        mutating func append(_ arrival: Arrival) {
            if queues[arrival.session] == nil { turns.append(arrival.session) }
            queues[arrival.session, default: Queue()].append(arrival)
        }

        mutating func popFirst() -> Arrival? {
            guard let session = turns.popFirst(), let arrival = queues[session]?.popFirst() else { return nil }
            if queues[session]?.isEmpty == false {
                turns.append(session)
            } else {
                queues[session] = nil
            }
            return arrival
        }

        mutating func removeAll(of session: SessionID) -> [Arrival] {
            guard var queue = queues.removeValue(forKey: session) else { return [] }
            for other in turns.popFirst(turns.count) where other != session { turns.append(other) }
            return queue.popFirst(queue.count)
        }

        func forEach(_ body: (Arrival) -> Void) {
            for queue in queues.values { queue.forEach(body) }
        }
    }

    private struct Place: Hashable {
        let session: SessionID
        let log: LogID
    }

    private var live = Line()
    private var bulk = Line()
    /// Chunks of a log that a session has in the bulk lane: its later pushes of the log stay behind them.
    private var behind: [Place: Int] = [:]
    /// Live batches since the last bulk batch, while there were bulk chunks.
    private var liveTurns = 0

    var isEmpty: Bool { live.isEmpty && bulk.isEmpty }
    var isBulkWaiting: Bool { !bulk.isEmpty }

    /// The lane for a chunk: a live one may have to stay behind others of its log.
    func lane(of arrival: Arrival, as wished: Lane) -> Lane {
        wished == .live && !isBehind(arrival.chunk.log, of: arrival.session) ? .live : .bulk
    }

    mutating func add(_ arrival: Arrival, to lane: Lane) {
        switch lane {
        case .live: live.append(arrival)
        case .bulk:
            behind[Place(session: arrival.session, log: arrival.chunk.log), default: 0] += 1
            bulk.append(arrival)
        }
    }

    /// Whether chunks of the log from this session wait in the bulk lane.
    func isBehind(_ log: LogID, of session: SessionID) -> Bool {
        behind[Place(session: session, log: log)] != nil
    }

    /// The lane of the next batch; nil: none. The bulk lane is skipped while it rests.
    mutating func nextLane(isBulkResting: Bool) -> Lane? {
        guard !bulk.isEmpty, !isBulkResting else {
            liveTurns = 0
            return live.isEmpty ? nil : .live
        }
        guard !live.isEmpty, liveTurns < Limits.liveTurnsCount else {
            liveTurns = 0
            return .bulk
        }
        liveTurns += 1
        return .live
    }

    func first(_ lane: Lane) -> Arrival? {
        switch lane {
        case .live: live.first
        case .bulk: bulk.first
        }
    }

    mutating func popFirst(_ lane: Lane) -> Arrival? {
        switch lane {
        case .live: return live.popFirst()
        case .bulk:
            let arrival = bulk.popFirst()
            if let arrival { leave(arrival) }
            return arrival
        }
    }

    /// Removes a session's chunks, live ones first.
    mutating func removeAll(of session: SessionID) -> [Arrival] {
        let late = bulk.removeAll(of: session)
        for arrival in late { leave(arrival) }
        return live.removeAll(of: session) + late
    }

    /// Whether chunks of any other session wait.
    func isAnything(besides session: SessionID) -> Bool {
        live.sessions.contains { $0 != session } || bulk.sessions.contains { $0 != session }
    }

    /// In no particular order.
    func forEach(_ body: (Arrival) -> Void) {
        live.forEach(body)
        bulk.forEach(body)
    }

    private mutating func leave(_ arrival: Arrival) {
        let place = Place(session: arrival.session, log: arrival.chunk.log)
        let count = behind[place, default: 1] - 1
        behind[place] = count > 0 ? count : nil
    }
}

extension Pipeline.Arrival {
    /// The chunk's work for the store, its log apart (`StorePace`).
    var work: UInt64 { chunk.count + UInt64(chunk.entries.count) / StorePace.bytesPerWork }
}
