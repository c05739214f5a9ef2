import Entries

/// Settlements and fork evidence that came from peers and are not stored yet.
///
/// One for each log and session, since a later one says more; checked some at a time, the sessions in turn. What is true
/// waits where its identity has spent its quota for such words: a staircase of evidence delays further evidence about its own
/// writer, and no settlement. Before it is checked nobody knows whose it is, so nothing waits for that.
struct VerdictQueue {
    /// Which quota words are paid from: only the root key makes settlements, and any device makes evidence against itself.
    enum Kind: Hashable, CaseIterable {
        case settlement
        case evidence
    }

    struct Arrival {
        let session: SessionID
        let node: NodeID
        let verdict: UnverifiedVerdict
        /// What the peer says of the log with it.
        let mark: LogMark
        /// The first eight bytes of the identity, as the certificate says.
        let owner: UInt64
        /// What it was announced under; of several the first.
        var epoch: Milestones.Epoch?

        var key: Key { Key(session: session, log: verdict.log) }
        var kind: Kind { verdict.settlement == nil ? .evidence : .settlement }
        fileprivate var bytes: Int {
            256 + (verdict.settlement?.count ?? 0) + (verdict.evidence?.count ?? 0)
        }
    }

    struct Key: Hashable {
        let session: SessionID
        let log: LogID
    }

    /// One that is true, and waits for its identity's quota.
    struct Delayed {
        var arrival: Arrival
        let outcome: VerdictOutcome
    }

    enum Outcome {
        case added
        /// The one that waited is not needed any more, and the new one has what it was announced under.
        case replaced
        /// The same, and it is announced now.
        case announced
        /// Too much of this session's waits.
        case refused
    }

    private struct Delays {
        var due: UInt64
        var keys = Queue<Key>()
    }

    /// Who waits for which quota.
    private struct Payer: Hashable, Comparable {
        let owner: UInt64
        let kind: Kind

        static func < (one: Payer, other: Payer) -> Bool {
            if one.kind != other.kind { return one.kind == .settlement }
            return one.owner < other.owner
        }
    }

    private var arrivals: [Key: Arrival] = [:]
    private var order = Turns<Key>()
    private var waiting = Shares(capacity: Limits.waitingVerdictBytes, least: Limits.waitingVerdictBytesPerSession)
    private(set) var checking: (request: RequestID, arrivals: [Arrival])?
    private var delayed: [Key: Delayed] = [:]
    private var delays: [Payer: Delays] = [:]
    private var late = Shares(capacity: Limits.waitingVerdictBytes, least: Limits.waitingVerdictBytesPerSession)
    /// Logs with something that is not checked, or on its way into the store.
    private var busy: [LogID: Int] = [:]
    /// What was said of busy logs meanwhile.
    private var unheard: [LogID: [SessionID: LogMark]] = [:]
    /// When the next one may be stored that has to wait; nil: none has to.
    private(set) var nextDue: UInt64?

    /// Places in queues, of those who have gone among them.
    var placesCount: Int { order.count + delays.values.reduce(0) { $0 + $1.keys.count } }
    var waitingBytes: Int { waiting.total }
    var delayedBytes: Int { late.total }
    var isIdle: Bool { arrivals.isEmpty && checking == nil && delayed.isEmpty }

    /// What is said of the log is not yet known to be true: until then nothing of it is asked for.
    func isBusy(_ log: LogID) -> Bool { !busy.isEmpty && busy[log] != nil }

    // MARK: Checking

    mutating func add(_ arrival: Arrival) -> Outcome {
        let key = arrival.key
        guard let old = arrivals[key] else {
            guard waiting.hasRoom(for: arrival.bytes, key.session) else { return .refused }
            arrivals[key] = arrival
            order.add(key, of: key.session.raw, rank: 0)
            waiting.take(arrival.bytes, key.session)
            hold(key.log)
            return .added
        }
        guard arrival.bytes <= old.bytes || waiting.hasRoom(for: arrival.bytes - old.bytes, key.session) else {
            return .refused
        }
        var newer = arrival
        newer.epoch = old.epoch ?? arrival.epoch
        waiting.give(back: old.bytes, key.session)
        waiting.take(newer.bytes, key.session)
        arrivals[key] = newer
        return old.epoch == nil && newer.epoch != nil ? .announced : .replaced
    }

    /// The next ones to check, if none are being checked.
    mutating func next(_ request: RequestID) -> [UnverifiedVerdict]? {
        guard checking == nil else { return nil }
        var lot: [Arrival] = []
        while lot.count < Limits.verdictsPerBatch, let key = order.popFirst() {
            guard let arrival = arrivals.removeValue(forKey: key) else { continue }
            waiting.give(back: arrival.bytes, key.session)
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

    // MARK: Waiting for a quota

    /// Lets one that is true wait; false if too much of the session's does.
    ///
    /// - Returns: the one that waited for the same log, and is not needed any more; its epoch is the new one's too.
    mutating func delay(_ arrival: Arrival, _ outcome: VerdictOutcome, until due: UInt64) -> (Bool, replaced: Arrival?)
    {
        let key = arrival.key
        guard late.hasRoom(for: arrival.bytes, key.session) else { return (false, nil) }
        let old = delayed[key]?.arrival
        let payer = Payer(owner: arrival.owner, kind: arrival.kind)
        delayed[key] = Delayed(arrival: arrival, outcome: outcome)
        late.take(arrival.bytes, key.session)
        if let old { late.give(back: old.bytes, key.session) }
        if old?.kind != arrival.kind || old?.owner != arrival.owner {
            delays[payer, default: Delays(due: due)].keys.append(key)
            nextDue = min(nextDue ?? .max, due)
            tidy(payer)
        }
        return (true, old)
    }

    /// Words of the two kinds about one log replace each other without end, and each leaves a place in its queue: they are
    /// dropped when they are most of it.
    private mutating func tidy(_ payer: Payer) {
        guard let keys = delays[payer]?.keys, keys.count > 2 * delayed.count + 64 else { return }
        var seen: Set<Key> = []
        var left = Queue<Key>()
        keys.forEach { key in
            guard let arrival = delayed[key]?.arrival, arrival.kind == payer.kind, arrival.owner == payer.owner,
                seen.insert(key).inserted
            else { return }
            left.append(key)
        }
        delays[payer]?.keys = left
    }

    /// The next whose time has come, settlements first; `delay` tells until when words of that kind about an identity have
    /// to wait, and is asked before each.
    mutating func released(now: UInt64, delay: (UInt64, Kind) -> UInt64?) -> Delayed? {
        guard let nextDue, nextDue <= now else { return nil }
        for payer in delays.keys.sorted() {
            while let due = delays[payer]?.due, due <= now, let key = delays[payer]?.keys.first {
                if let later = delay(payer.owner, payer.kind) {
                    delays[payer]?.due = later
                    break
                }
                _ = delays[payer]?.keys.popFirst()
                // Of what was replaced by words of the other kind, the place in this queue is left over.
                guard delayed[key]?.arrival.kind == payer.kind, let ripe = delayed.removeValue(forKey: key)
                else { continue }
                late.give(back: ripe.arrival.bytes, key.session)
                return ripe
            }
            if delays[payer]?.keys.isEmpty == true { delays[payer] = nil }
        }
        self.nextDue = delays.values.map(\.due).min()
        return nil
    }

    // MARK: Logs that are looked at

    /// Something about the log is to be checked, or on its way into the store; what comparing it showed, say, which would
    /// be compared over the same history again.
    mutating func hold(_ log: LogID) {
        busy[log, default: 0] += 1
    }

    /// It is stored, came to nothing, or waits.
    ///
    /// - Returns: what was said of the log meanwhile, by session, once nothing else holds it.
    mutating func settle(_ log: LogID) -> [(SessionID, LogMark)] {
        guard let count = busy[log] else { return [] }
        busy[log] = count > 1 ? count - 1 : nil
        guard count <= 1, let marks = unheard.removeValue(forKey: log) else { return [] }
        return marks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// What a session says of a log that is busy is looked at when it is not any more.
    mutating func postpone(_ mark: LogMark, of session: SessionID) {
        unheard[mark.item.log, default: [:]][session] = mark
    }

    /// Drops what a session said and nobody has looked at, and what waits.
    ///
    /// - Returns: the logs that were looked at for it.
    mutating func drop(_ session: SessionID) -> [LogID] {
        for key in delayed.keys.filter({ $0.session == session }) {
            late.give(back: delayed.removeValue(forKey: key)?.arrival.bytes ?? 0, session)
        }
        for log in Array(unheard.keys) {
            unheard[log]?[session] = nil
            if unheard[log]?.isEmpty == true { unheard[log] = nil }
        }
        let keys = arrivals.keys.filter { $0.session == session }.sorted { $0.log < $1.log }
        for key in keys { waiting.give(back: arrivals.removeValue(forKey: key)?.bytes ?? 0, session) }
        // While nothing is checked nobody takes out the places of those who have gone.
        if order.count > 2 * arrivals.count + 64 { order.removeAll { arrivals[$0] == nil } }
        return keys.map(\.log)
    }
}
