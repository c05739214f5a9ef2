import Entries

/// Words received from peers and not stored yet.
///
/// The latest of each log and session, since later ones say more; checked in batches, the sessions in turn. Once found
/// true, words wait while their identity's quota for their kind is spent: so a series of ever smaller evidence delays
/// further evidence about its own writer, but no settlement. Until they are checked their identity is not known, so none
/// wait for a quota before that.
struct WordQueue {
    /// The quota that words are charged to: only the root key makes settlements, but any device makes evidence against
    /// itself.
    enum Kind: Hashable, CaseIterable {
        case settlement
        case evidence
    }

    struct Arrival {
        let session: SessionID
        let node: NodeID
        let words: Words
        /// The peer's statement that the words came with.
        let mark: LogMark
        /// The first eight bytes of the identity, from the certificate.
        let owner: UInt64
        /// The announcement that they belong to; of several, the first.
        var epoch: Milestones.Epoch?

        var log: LogID { mark.item.log }
        var key: Key { Key(session: session, log: log) }
        var kind: Kind { words.settlement == nil ? .evidence : .settlement }
        fileprivate var bytes: Int {
            256 + (words.settlement?.count ?? 0) + (words.evidence?.count ?? 0)
        }
    }

    struct Key: Hashable {
        let session: SessionID
        let log: LogID
    }

    /// Words that were found true, and wait for their identity's quota.
    struct Delayed {
        var arrival: Arrival
        let outcome: WordOutcome
    }

    enum Outcome {
        case added
        /// They replace the waiting ones, and keep the epoch of those.
        case replaced
        /// They replace waiting ones that had no epoch, and bring one.
        case announced
        /// Too much of this session's waits.
        case refused
    }

    private struct Delays {
        var due: UInt64
        var keys = Queue<Key>()
    }

    /// The quota that words wait for.
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
    private var waiting = Shares(capacity: Limits.waitingWordBytes, least: Limits.waitingWordBytesPerSession)
    /// The batch that is being checked; nil: none is.
    private var checking: [Arrival]?
    private var delayed: [Key: Delayed] = [:]
    private var delays: [Payer: Delays] = [:]
    private var late = Shares(capacity: Limits.waitingWordBytes, least: Limits.waitingWordBytesPerSession)
    /// How many holds each log has: one for each time that words on it, or a finding, are unchecked or on their way
    /// into the store.
    private var busy: [LogID: Int] = [:]
    /// Statements on busy logs, to be looked at afterwards.
    private var unheard: [LogID: [SessionID: LogMark]] = [:]
    /// The logs in `unheard` of each session.
    private var unheardLogs: [SessionID: Set<LogID>] = [:]
    /// The logs with words of each session in `arrivals` or `delayed`.
    private var named = SessionLogs()
    /// When the next delayed words may be stored; nil: none are delayed.
    private(set) var nextDue: UInt64?

    /// Entries of all queues, with those whose words are gone; only tests ask.
    var placesCount: Int { order.count + delays.values.reduce(0) { $0 + $1.keys.count } }
    var waitingBytes: Int { waiting.total }
    var delayedBytes: Int { late.total }
    /// Logs with words that wait for a quota, once for each session.
    var delayedCount: Int { delayed.count }
    var isIdle: Bool { arrivals.isEmpty && checking == nil && delayed.isEmpty }

    /// Whether words on the log are unchecked or being stored: until then nothing of the log is requested.
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
            name(key)
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

    /// The next batch to check, if none is being checked.
    mutating func next() -> [UnverifiedWords]? {
        guard checking == nil else { return nil }
        var lot: [Arrival] = []
        while lot.count < Limits.wordsPerBatch, let key = order.popFirst() {
            guard let arrival = arrivals.removeValue(forKey: key) else { continue }
            waiting.give(back: arrival.bytes, key.session)
            lot.append(arrival)
        }
        guard !lot.isEmpty else { return nil }
        checking = lot
        return lot.map { UnverifiedWords(log: $0.log, words: $0.words) }
    }

    /// Ends the check of a batch, and returns it.
    mutating func endChecking() -> [Arrival] {
        defer { checking = nil }
        return checking ?? []
    }

    // MARK: Waiting for a quota

    /// Delays words that were found true; they are not kept if too much of the session's waits.
    ///
    /// - Returns: whether they are kept, and the words on the same log that they replace.
    mutating func delay(_ arrival: Arrival, _ outcome: WordOutcome, until due: UInt64) -> (
        isKept: Bool, replaced: Arrival?
    ) {
        let key = arrival.key
        guard late.hasRoom(for: arrival.bytes, key.session) else { return (false, nil) }
        let old = delayed[key]?.arrival
        let payer = Payer(owner: arrival.owner, kind: arrival.kind)
        delayed[key] = Delayed(arrival: arrival, outcome: outcome)
        late.take(arrival.bytes, key.session)
        if let old { late.give(back: old.bytes, key.session) } else { name(key) }
        if old?.kind != arrival.kind || old?.owner != arrival.owner {
            delays[payer, default: Delays(due: due)].keys.append(key)
            nextDue = min(nextDue ?? .max, due)
            tidy(payer)
        }
        return (true, old)
    }

    /// Removes stale entries once they are most of a queue: words of the two kinds on one log replace each other any
    /// number of times, and leave an entry each time.
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

    /// The next words that are due, settlements first. `delay` is asked before each: it gives the time until which
    /// words of that kind on an identity wait, or nil.
    mutating func released(now: UInt64, delay: (UInt64, Kind) -> UInt64?) -> Delayed? {
        guard let nextDue, nextDue <= now else { return nil }
        for payer in delays.keys.sorted() {
            while let due = delays[payer]?.due, due <= now, let key = delays[payer]?.keys.first {
                if let later = delay(payer.owner, payer.kind) {
                    delays[payer]?.due = later
                    break
                }
                _ = delays[payer]?.keys.popFirst()
                // Words that were replaced by words of the other kind leave an entry in this queue.
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

    // MARK: Busy logs

    /// Marks a log busy: words on it are to be checked or on their way into the store. A finding of a comparison
    /// counts too, or the same history would be compared again.
    mutating func hold(_ log: LogID) {
        busy[log, default: 0] += 1
    }

    /// Words were stored, dropped or delayed.
    ///
    /// - Returns: statements on the log made meanwhile, by session, once nothing else holds it.
    mutating func settle(_ log: LogID) -> [(SessionID, LogMark)] {
        guard let count = busy[log] else { return [] }
        busy[log] = count > 1 ? count - 1 : nil
        guard count <= 1, let marks = unheard.removeValue(forKey: log) else { return [] }
        for session in marks.keys {
            unheardLogs[session]?.remove(log)
            if unheardLogs[session]?.isEmpty == true { unheardLogs[session] = nil }
        }
        return marks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Keeps a session's statement on a busy log until it is not busy any more.
    mutating func postpone(_ mark: LogMark, of session: SessionID) {
        unheard[mark.item.log, default: [:]][session] = mark
        unheardLogs[session, default: []].insert(mark.item.log)
    }

    /// Notes that words of the session on the log are kept.
    private mutating func name(_ key: Key) {
        named.note(key.log, of: key.session) { [arrivals, delayed] log in
            let noted = Key(session: key.session, log: log)
            return arrivals[noted] != nil || delayed[noted] != nil
        }
    }

    /// Drops a session's unchecked and delayed words, and its postponed statements.
    ///
    /// - Returns: the logs that were busy with the unchecked ones.
    mutating func drop(_ session: SessionID) -> [LogID] {
        for log in unheardLogs.removeValue(forKey: session) ?? [] {
            unheard[log]?[session] = nil
            if unheard[log]?.isEmpty == true { unheard[log] = nil }
        }
        var unchecked: [LogID] = []
        for log in named.removeAll(of: session).sorted() {
            let key = Key(session: session, log: log)
            if let words = delayed.removeValue(forKey: key) { late.give(back: words.arrival.bytes, session) }
            guard let words = arrivals.removeValue(forKey: key) else { continue }
            waiting.give(back: words.bytes, session)
            unchecked.append(log)
        }
        // While nothing is checked, nothing else removes the entries of ended sessions.
        if order.count > 2 * arrivals.count + 64 { order.removeAll { arrivals[$0] == nil } }
        return unchecked
    }
}
