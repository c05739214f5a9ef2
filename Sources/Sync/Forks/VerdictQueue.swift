import Entries

/// Settlements and fork evidence that came from peers and are not stored yet.
///
/// One for each log and session, since a later one says more; checked some at a time, and later where the identity has
/// spent its quota, so that a staircase of evidence delays its own writer and nobody else.
struct VerdictQueue {
    struct Arrival {
        let session: SessionID
        let node: NodeID
        let verdict: UnverifiedVerdict
        /// The first eight bytes of the identity, as the certificate says.
        let owner: UInt64
        /// What it was announced under.
        var epochs: [Milestones.Epoch]

        var key: Key { Key(session: session, log: verdict.log) }
        fileprivate var bytes: Int {
            256 + (verdict.settlement?.count ?? 0) + (verdict.evidence?.count ?? 0)
        }
    }

    struct Key: Hashable {
        let session: SessionID
        let log: LogID
    }

    enum Outcome {
        case added
        /// The one that waited is not needed any more; its epochs are the new one's too.
        case replaced
        /// Too much waits.
        case refused
    }

    private var arrivals: [Key: Arrival] = [:]
    private var order = Queue<Key>()
    private var delayed: [(due: UInt64, key: Key)] = []
    private var bytes = 0
    private(set) var checking: (request: RequestID, arrivals: [Arrival])?
    /// Logs with something that waits, is checked, or is on its way into the store.
    private var busy: [LogID: Int] = [:]

    var isIdle: Bool { arrivals.isEmpty && checking == nil }
    /// When the next one may be checked that has to wait; nil: none has to.
    var nextDue: UInt64? { delayed.map(\.due).min() }

    /// What is said of the log is not yet known to be true: until then nothing of it is asked for.
    func isBusy(_ log: LogID) -> Bool { !busy.isEmpty && busy[log] != nil }

    /// What comparing the log showed is on its way into the store: it would be compared over the same history again.
    mutating func hold(_ log: LogID) { busy[log, default: 0] += 1 }

    mutating func add(_ arrival: Arrival) -> Outcome {
        let key = arrival.key
        guard let old = arrivals[key] else {
            guard bytes + arrival.bytes <= Limits.waitingVerdictBytes else { return .refused }
            arrivals[key] = arrival
            order.append(key)
            bytes += arrival.bytes
            busy[key.log, default: 0] += 1
            return .added
        }
        var newer = arrival
        newer.epochs += old.epochs
        bytes += newer.bytes - old.bytes
        arrivals[key] = newer
        return .replaced
    }

    /// The next ones to check, if none are being checked; `delay` tells until when an identity has to wait.
    mutating func next(_ request: RequestID, now: UInt64, delay: (UInt64) -> UInt64?) -> [UnverifiedVerdict]? {
        guard checking == nil else { return nil }
        for (due, key) in delayed where due <= now { order.append(key) }
        delayed.removeAll { $0.due <= now }
        var lot: [Arrival] = []
        while lot.count < Limits.verdictsPerBatch, let key = order.popFirst() {
            guard let arrival = arrivals[key] else { continue }
            if let due = delay(arrival.owner) {
                delayed.append((due, key))
                continue
            }
            arrivals[key] = nil
            bytes -= arrival.bytes
            lot.append(arrival)
        }
        guard !lot.isEmpty else { return nil }
        checking = (request, lot)
        return lot.map(\.verdict)
    }

    mutating func endChecking(_ request: RequestID) -> [Arrival]? {
        guard let done = checking, done.request == request else { return nil }
        checking = nil
        return done.arrivals
    }

    /// It is stored, or came to nothing.
    mutating func settle(_ log: LogID) {
        guard let count = busy[log] else { return }
        busy[log] = count > 1 ? count - 1 : nil
    }

    /// Drops what a session said and nobody has looked at.
    ///
    /// - Returns: the logs that it was about.
    mutating func drop(_ session: SessionID) -> [LogID] {
        let keys = arrivals.keys.filter { $0.session == session }.sorted { $0.log < $1.log }
        for key in keys {
            bytes -= arrivals.removeValue(forKey: key)?.bytes ?? 0
            settle(key.log)
        }
        delayed.removeAll { $0.key.session == session }
        return keys.map(\.log)
    }
}
