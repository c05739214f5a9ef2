import Entries

/// Logs that one peer may be asked for, in the order in which they are (`protocol/sync.md §5`).
struct Asking {
    /// Why a log is to be asked for.
    enum Cause {
        /// The peer lists what it has, the newest first.
        case listed
        /// The peer tells what is new: the later it is told, the newer.
        case news
        /// It was asked for before, of this peer or of another.
        case again
    }

    /// Whether the writer of a log is known: what nothing is held of may be anybody's.
    enum Writer: CaseIterable {
        case known
        case unknown
    }

    private var known = Turns<LogID>()
    private var unknown = Turns<LogID>()
    /// Logs of identities of which as much is asked for as of any: they wait for each other, and nobody for them.
    private var parked: [UInt64: Queue<LogID>] = [:]
    /// All of these, and what waits for a quota: whatever a log is wished for again meanwhile, it waits once. A peer that could
    /// make it wait as often as it pushes would fill the memory.
    private var waiting: Set<LogID> = []
    /// Messages of news so far.
    private var told: Int64 = 0

    var isEmpty: Bool { known.isEmpty && unknown.isEmpty && parked.isEmpty }

    /// Logs that wait for their turn, or were set aside; what waits for a quota is not among them.
    var count: Int { known.count + unknown.count + parked.values.reduce(0) { $0 + $1.count } }

    /// A message of news begins.
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

    /// Sets a log aside until `release`.
    mutating func park(_ log: LogID, of owner: UInt64) {
        guard waiting.insert(log).inserted else { return }
        parked[owner, default: Queue()].append(log)
    }

    /// Lets an identity's next logs wait for their turn again, as many as `room` says.
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

    /// A log waits for its identity's quota; false if it does already.
    mutating func delay(_ log: LogID) -> Bool { waiting.insert(log).inserted }

    /// What waited for a quota may wait for its turn again.
    mutating func endDelay(_ log: LogID) {
        waiting.remove(log)
    }
}
