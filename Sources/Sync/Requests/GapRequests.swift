import Entries

/// What was left out of logs whose newest entries came first: asked of every peer in turn, then later and later, at most
/// daily at the last (D20).
///
/// Of a log one peer is asked at a time. Who lacks it, is silent, sends something else or goes away loses its turn to the
/// next; whatever of it comes lets everybody be asked anew.
struct GapRequests {
    private struct Gap {
        var bounds: Range<UInt64>
        var asked: Asked?
        /// Of whom, in this round.
        var tried = AskedNodes()
        var rounds = 0
        /// When everybody may be asked again; until then whoever has not been asked.
        var due: UInt64?
        /// Until when its writer's quota is spent: nobody is asked.
        var delayedUntil: UInt64?
    }

    private struct Asked {
        let session: SessionID
        /// The entry that the next chunk of the answer begins with.
        var next: UInt64
        var waiting: Waiting
    }

    private var gaps: [LogID: Gap] = [:]
    /// In the order in which they were found, the closed ones among them.
    private var order: [LogID] = []
    /// Whatever became free, in that order: the order in which it is asked for. Each session reads on from where it was.
    private var free: [LogID] = []
    private var read: [SessionID: Int] = [:]
    private var owed: [SessionID: Int] = [:]
    /// What sessions owe, and others are asked for by now.
    private var passedOn: [SessionID: Set<LogID>] = [:]
    private(set) var nextDue: UInt64 = .max
    /// What somebody was asked for in vain since the rounds were looked at, and who was ready then.
    private var failed: [LogID] = []
    private var ready: [NodeID] = []
    /// Something became free: whoever has read to the end has something to read.
    private(set) var hasNews = false

    init(_ places: [GapPlace]) {
        for place in places { set(place.log, place.bounds) }
    }

    var count: Int { gaps.count }
    /// Of the gap of which most nodes are remembered to have been asked.
    var askedNodesCount: Int { gaps.values.lazy.map(\.tried.count).max() ?? 0 }
    func contains(_ log: LogID) -> Bool { gaps[log] != nil }
    /// Whether this entry is among what was left out.
    func holds(_ sequence: UInt64, of log: LogID) -> Bool { gaps[log]?.bounds.contains(sequence) ?? false }
    func isBusy(_ session: SessionID) -> Bool { owed[session] != nil }

    /// The gap of a log of which everybody has been asked in vain so often that nobody is likely to fill it.
    func forlorn(_ log: LogID) -> Range<UInt64>? {
        guard let gap = gaps[log], gap.rounds >= Limits.gapForlornRounds else { return nil }
        return gap.bounds
    }

    /// Every session is about to be looked at.
    mutating func forgetNews() {
        hasNews = false
    }

    /// The store says what is left out of a log now; nil: nothing.
    mutating func set(_ log: LogID, _ bounds: Range<UInt64>?) {
        guard let bounds else { return remove(log) }
        guard let known = gaps[log] else {
            guard gaps.count < Limits.gapsCount else { return }
            gaps[log] = Gap(bounds: bounds)
            order.append(log)
            return offer(log)
        }
        guard known.bounds != bounds else { return }
        // Whoever lacked what came now may have what follows.
        gaps[log] = Gap(bounds: bounds, asked: known.asked)
        if known.asked == nil { offer(log) }
    }

    mutating func remove(_ log: LogID) {
        guard let gap = gaps.removeValue(forKey: log) else { return }
        for session in passedOn.keys.sorted() { endPassedOn(log, session) }
        if let asked = gap.asked { pay(asked.session) }
        if order.count > 2 * gaps.count + 64 { order.removeAll { gaps[$0] == nil } }
    }

    /// What a session is to be asked for now; it counts as asked.
    ///
    /// `isShared` is false of a log that is not spoken of with the node, which has nothing of it then; `isSettled` of one of
    /// which something is on its way: it is looked at again at once. `delay` says until when nobody is asked for a log.
    mutating func ask(
        _ session: SessionID,
        _ node: NodeID,
        waiting: Waiting = .start,
        isShared: (LogID) -> Bool = { _ in true },
        delay: (LogID) -> UInt64? = { _ in nil },
        isSettled: (LogID) -> Bool
    ) -> [GapPlace] {
        guard owed[session] == nil else { return [] }
        var next = read[session] ?? 0
        let end = free.count
        var places: [GapPlace] = []
        while next < end, places.count < Limits.gapsInFlightPerPeer {
            let log = free[next]
            next += 1
            guard let gap = gaps[log], gap.asked == nil, gap.delayedUntil == nil, !gap.tried.contains(node),
                isShared(log)
            else { continue }
            if let due = delay(log) {
                gaps[log]?.delayedUntil = due
                nextDue = min(nextDue, due)
                continue
            }
            guard isSettled(log) else {
                free.append(log)
                hasNews = true
                continue
            }
            gaps[log]?.asked = Asked(session: session, next: gap.bounds.lowerBound, waiting: waiting)
            gaps[log]?.tried.note(node, ready: ready)
            places.append(GapPlace(log: log, bounds: gap.bounds))
        }
        read[session] = next
        if !places.isEmpty { owed[session] = places.count }
        tidy()
        return places
    }

    /// A chunk has come; true if it is the next part of an answer. Where it ends the gap, the answer is over.
    mutating func isAnswer(_ chunk: UnverifiedChunk, from session: SessionID, waiting: Waiting = .start) -> Bool {
        if chunk.proof == .known, chunk.start + chunk.count == chunk.size { endPassedOn(chunk.log, session) }
        guard !gaps.isEmpty, let gap = gaps[chunk.log], let asked = gap.asked, asked.session == session,
            chunk.proof == .known, chunk.size == gap.bounds.upperBound, chunk.start == asked.next
        else { return false }
        let end = chunk.start + chunk.count
        if end == chunk.size {
            finish(chunk.log)
        } else {
            gaps[chunk.log]?.asked?.next = end
            gaps[chunk.log]?.asked?.waiting = waiting
        }
        return true
    }

    /// The session has not got it, or not what it should be; false if it was not asked.
    mutating func lacks(_ log: LogID, _ session: SessionID) -> Bool {
        if endPassedOn(log, session) { return true }
        guard gaps[log]?.asked?.session == session else { return false }
        finish(log)
        return true
    }

    /// Lets others be asked for what a session has owed for too long. It goes on owing it: until it says that it has not got
    /// it, or goes, it is asked for so much less.
    mutating func passOn(of session: SessionID, if isOverdue: (Waiting) -> Bool) {
        guard owed[session] != nil else { return }
        for log in order {
            guard let asked = gaps[log]?.asked, asked.session == session, isOverdue(asked.waiting) else { continue }
            gaps[log]?.asked = nil
            passedOn[session, default: []].insert(log)
            failed.append(log)
            offer(log)
        }
    }

    /// A session owes an answer still for which others are asked by now.
    func isPassedOn(_ log: LogID, of session: SessionID) -> Bool {
        !passedOn.isEmpty && passedOn[session]?.contains(log) == true
    }

    /// A session has answered, or has not got it, for which others are asked by now; false if there is no such thing.
    @discardableResult
    private mutating func endPassedOn(_ log: LogID, _ session: SessionID) -> Bool {
        guard !passedOn.isEmpty, passedOn[session]?.remove(log) != nil else { return false }
        if passedOn[session]?.isEmpty == true { passedOn[session] = nil }
        pay(session)
        return true
    }

    /// The session is over.
    mutating func release(_ session: SessionID) {
        read[session] = nil
        passedOn[session] = nil
        defer { owed[session] = nil }
        guard owed[session] != nil else { return }
        for log in order where gaps[log]?.asked?.session == session { finish(log) }
    }

    /// Ends the round of whatever every ready node was asked for with which it is spoken of, and begins the next where its time
    /// has come.
    mutating func endRounds(ready: [NodeID], now: UInt64, isShared: (LogID, NodeID) -> Bool = { _, _ in true }) {
        guard !gaps.isEmpty else { return nextDue = .max }
        // Whoever is new has not been asked: no round ends for that, but where nobody was there before.
        let isAnybodyGone =
            ready != self.ready && (self.ready.isEmpty || !self.ready.allSatisfy(ready.contains))
        self.ready = ready
        for log in isAnybodyGone ? order : failed { endRound(log, now: now, isShared) }
        failed = []
        guard now >= nextDue else { return }
        nextDue = .max
        for log in order {
            if let end = gaps[log]?.delayedUntil { endDelay(log, end, now: now) }
            guard let due = gaps[log]?.due else { continue }
            if due > now {
                nextDue = min(nextDue, due)
            } else {
                gaps[log]?.due = nil
                gaps[log]?.tried = AskedNodes()
                offer(log)
            }
        }
    }

    private mutating func endDelay(_ log: LogID, _ end: UInt64, now: UInt64) {
        guard end <= now else { return nextDue = min(nextDue, end) }
        gaps[log]?.delayedUntil = nil
        offer(log)
    }

    private mutating func endRound(_ log: LogID, now: UInt64, _ isShared: (LogID, NodeID) -> Bool) {
        guard let gap = gaps[log], gap.asked == nil, gap.due == nil, !ready.isEmpty,
            ready.allSatisfy({ gap.tried.contains($0) || !isShared(log, $0) })
        else { return }
        let delay = Backoff.milliseconds(
            failures: gap.rounds,
            base: Limits.gapRetryMilliseconds,
            maximum: Limits.retryMaximumMilliseconds
        )
        // Many at once: each look goes through all of them.
        let lot = UInt64(Limits.gapRetryMilliseconds / 8)
        let due = (now + delay + lot - 1) / lot * lot
        gaps[log]?.rounds += 1
        gaps[log]?.due = due
        nextDue = min(nextDue, due)
    }

    private mutating func finish(_ log: LogID) {
        guard let asked = gaps[log]?.asked else { return }
        gaps[log]?.asked = nil
        pay(asked.session)
        failed.append(log)
        offer(log)
    }

    private mutating func pay(_ session: SessionID) {
        owed[session] = owed[session].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Lets every session come by it once more.
    private mutating func offer(_ log: LogID) {
        free.append(log)
        hasNews = true
        tidy()
    }

    private mutating func tidy() {
        guard free.count > 2 * gaps.count + 64 else { return }
        var seen: Set<LogID> = []
        free = free.filter { gaps[$0] != nil && seen.insert($0).inserted }
        read = [:]
    }
}
