import Entries

/// The logs to request from one peer, in the order of the requests (`protocol/node.md` §4).
struct Asking {
    /// The reason to request a log, which decides its rank.
    enum Cause {
        /// The peer named it in its first list, the newest first.
        case listed
        /// The peer announced a change: the later announcement goes first.
        case news
        /// It was requested before, of this peer or another.
        case again
    }

    /// Whether a log's identity is known; a log of which nothing is held may be anybody's.
    enum Writer: CaseIterable {
        case known
        case unknown
    }

    private var known = Turns<LogID>()
    private var unknown = Turns<LogID>()
    /// Logs of identities with as many open requests as one may have: they wait for each other, and delay no other
    /// identity.
    private var parked: [UInt64: Queue<LogID>] = [:]
    /// All logs queued here, parked or waiting for a quota: each waits once, however often it is requested again.
    /// Otherwise a peer could fill the memory with repeated pushes.
    private var waiting: Set<LogID> = []
    /// Announcement messages so far.
    private var told: Int64 = 0

    var isEmpty: Bool { known.isEmpty && unknown.isEmpty && parked.isEmpty }

    /// Logs that are queued or parked, without those that wait for a quota.
    var count: Int { known.count + unknown.count + parked.values.reduce(0) { $0 + $1.count } }

    /// Begins the next announcement message.
    mutating func beginNews() {
        told += 1
    }

    mutating func add(_ log: LogID, of owner: UInt64?, _ cause: Cause) {
        guard waiting.insert(log).inserted else { return }
        let rank: Int64 =
            switch cause {
            case .news: -told
            case .again: 0
            case .listed: 1
            }
        if owner == nil {
            unknown.add(log, of: nil, rank: rank)
        } else {
            known.add(log, of: owner, rank: rank)
        }
    }

    func first(_ writer: Writer) -> LogID? {
        switch writer {
        case .known: known.first
        case .unknown: unknown.first
        }
    }

    mutating func popFirst(_ writer: Writer) -> LogID? {
        let log =
            switch writer {
            case .known: known.popFirst()
            case .unknown: unknown.popFirst()
            }
        if let log { waiting.remove(log) }
        return log
    }

    /// Parks a log until `release`.
    mutating func park(_ log: LogID, of owner: UInt64) {
        guard waiting.insert(log).inserted else { return }
        parked[owner, default: Queue()].append(log)
    }

    /// Queues parked logs again, of each identity as many as `room` allows.
    mutating func release(_ room: (UInt64) -> Int) {
        guard !parked.isEmpty else { return }
        for owner in parked.keys.sorted() {
            let count = room(owner)
            guard count > 0, let logs = parked[owner]?.popFirst(count) else { continue }
            for log in logs {
                waiting.remove(log)
                add(log, of: owner, .again)
            }
            if parked[owner]?.isEmpty == true { parked[owner] = nil }
        }
    }

    /// Lets a log wait for its identity's quota; false if it waits already.
    mutating func delay(_ log: LogID) -> Bool { waiting.insert(log).inserted }

    /// The quota allows the log again: it may be queued.
    mutating func endDelay(_ log: LogID) {
        waiting.remove(log)
    }
}
