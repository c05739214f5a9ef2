import Entries

/// The gaps of logs whose newest entries were fetched first (`protocol/sync.md` §5): each is asked of every peer in
/// turn, in rounds with a backoff of up to a day.
///
/// A gap is asked of one peer at a time. A peer that lacks it, is silent, sends something else or goes away loses its
/// turn to the next. Whatever comes lets all be asked anew at once but those whose turn ended after a part, or too
/// late: a liar that gives an entry now and then would be asked again before anybody else. It begins the backoff anew
/// only once half of what was missing is here.
struct GapRequests {
    private struct Gap {
        var bounds: Range<UInt64>
        var asked: Asked?
        /// Entries missing when the backoff last began anew.
        var whole: UInt64
        /// A round's nodes are those asked since something came.
        var rounds = RequestRounds()
        /// Those whose turn in this round ended after they had given a part, or because they were too slow.
        var spent = AskedNodes()
        /// Until when the writer's quota is spent: nobody is asked.
        var delayedUntil: UInt64?

        init(_ bounds: Range<UInt64>) {
            self.bounds = bounds
            whole = UInt64(bounds.count)
        }

        /// Something of it came. A peer that lacked that may have the rest.
        mutating func shrink(to rest: Range<UInt64>) {
            bounds = rest
            if UInt64(rest.count) <= whole / 2 {
                whole = UInt64(rest.count)
                rounds.restart()
            }
            rounds.asked = spent
        }

        /// The answer is over, or others are asked: who gave a part of it, or was too slow, has no other turn in this
        /// round.
        mutating func release(ready: [NodeID], isLate: Bool = false) {
            guard let asked else { return }
            self.asked = nil
            guard asked.hasGiven || isLate, !spent.contains(asked.node) else { return }
            spent.note(asked.node, ready: ready)
            if !rounds.asked.contains(asked.node) { rounds.asked.note(asked.node, ready: ready) }
        }
    }

    private struct Asked {
        let session: SessionID
        let node: NodeID
        /// The sequence that the next chunk of the answer begins with.
        var next: UInt64
        var waiting: Waiting
        /// Whether a part of the answer has come.
        var hasGiven = false
    }

    private var gaps: [LogID: Gap] = [:]
    /// All gaps in the order in which they were found, closed ones among them.
    private var order: [LogID] = []
    /// Logs that became free to request, in that order; each session goes through them with its own cursor, `read`.
    private var free: [LogID] = []
    private var read: [SessionID: Int] = [:]
    /// The logs that each session owes an answer for, in the order in which it was asked.
    private var owed: [SessionID: [LogID]] = [:]
    /// Logs that sessions still owe, but that were passed on to others.
    private var passedOn: [SessionID: Set<LogID>] = [:]
    private(set) var nextDue: UInt64 = .max
    /// Logs whose round may be over, since a request failed or something came, since the rounds were last updated.
    /// `ready`: the nodes that were ready then.
    private var failed: [LogID] = []
    private var ready: [NodeID] = []
    /// Whether a log became free since `forgetNews`: sessions at the end of `free` have something to read.
    private(set) var hasNews = false

    init(_ places: [GapPlace]) {
        for place in places { set(place.log, place.bounds) }
    }

    var count: Int { gaps.count }
    /// The most nodes remembered for one gap.
    var askedNodesCount: Int { gaps.values.lazy.map { max($0.rounds.asked.count, $0.spent.count) }.max() ?? 0 }
    func contains(_ log: LogID) -> Bool { gaps[log] != nil }
    /// Whether this entry lies in the log's gap.
    func holds(_ sequence: UInt64, of log: LogID) -> Bool { gaps[log]?.bounds.contains(sequence) ?? false }
    func isBusy(_ session: SessionID) -> Bool { owed[session] != nil }

    /// The gap of a log, if so many rounds were in vain that nobody is likely to fill it.
    func forlorn(_ log: LogID) -> Range<UInt64>? {
        guard let gap = gaps[log], gap.rounds.count >= Limits.gapForlornRounds else { return nil }
        return gap.bounds
    }

    /// Called before all sessions are gone through.
    mutating func forgetNews() {
        hasNews = false
    }

    /// Sets the log's gap, as the store has it now; nil: none.
    mutating func set(_ log: LogID, _ bounds: Range<UInt64>?) {
        guard let bounds else { return remove(log) }
        guard let known = gaps[log] else {
            guard gaps.count < Limits.gapsCount else { return }
            gaps[log] = Gap(bounds)
            order.append(log)
            return offer(log)
        }
        guard known.bounds != bounds else { return }
        if known.bounds.upperBound == bounds.upperBound, known.bounds.lowerBound < bounds.lowerBound {
            gaps[log]?.shrink(to: bounds)
            failed.append(log)
        } else {
            gaps[log] = Gap(bounds)
            gaps[log]?.asked = known.asked
        }
        if known.asked == nil { offer(log) }
    }

    mutating func remove(_ log: LogID) {
        guard let gap = gaps.removeValue(forKey: log) else { return }
        for session in passedOn.keys.sorted() { endPassedOn(log, session) }
        if let asked = gap.asked { pay(log, asked.session) }
        if order.count > 2 * gaps.count + 64 { order.removeAll { gaps[$0] == nil } }
    }

    /// The gaps to request from a session now; they count as asked.
    ///
    /// `isShared` is false for a log outside the node's common scope, and `isSettled` for one with something on its
    /// way: that is looked at again soon. `delay` gives the time until which a log is not requested.
    mutating func ask(
        _ session: SessionID,
        _ node: NodeID,
        waiting: Waiting,
        isShared: (LogID) -> Bool,
        delay: (LogID) -> UInt64?,
        isSettled: (LogID) -> Bool
    ) -> [GapPlace] {
        guard owed[session] == nil else { return [] }
        var next = read[session] ?? 0
        let end = free.count
        var places: [GapPlace] = []
        while next < end, places.count < Limits.gapsInFlightPerPeer {
            let log = free[next]
            next += 1
            guard let gap = gaps[log], gap.asked == nil, gap.delayedUntil == nil,
                !gap.rounds.asked.contains(node), isShared(log)
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
            gaps[log]?.asked = Asked(session: session, node: node, next: gap.bounds.lowerBound, waiting: waiting)
            gaps[log]?.rounds.asked.note(node, ready: ready)
            places.append(GapPlace(log: log, bounds: gap.bounds))
        }
        read[session] = next
        if !places.isEmpty { owed[session] = places.map(\.log) }
        tidy()
        return places
    }

    /// Whether a chunk is the next part of an answer; the one that ends the gap ends the answer.
    mutating func isAnswer(_ chunk: UnverifiedChunk, from session: SessionID, waiting: Waiting) -> Bool {
        if chunk.proof == .known, chunk.start + chunk.count == chunk.size { endPassedOn(chunk.log, session) }
        guard !gaps.isEmpty, let gap = gaps[chunk.log], let asked = gap.asked, asked.session == session,
            chunk.proof == .known, chunk.size == gap.bounds.upperBound, chunk.start == asked.next
        else { return false }
        let end = chunk.start + chunk.count
        if end == chunk.size {
            finish(chunk.log)
        } else {
            gaps[chunk.log]?.asked?.next = end
            gaps[chunk.log]?.asked?.waiting = asked.waiting.extended(by: chunk.wireBytes, now: waiting)
            gaps[chunk.log]?.asked?.hasGiven = true
        }
        return true
    }

    /// Nothing more is taken of the session's answer for now, which is not its fault: it may be asked again.
    mutating func breakOff(_ log: LogID, _ session: SessionID) {
        guard let asked = gaps[log]?.asked, asked.session == session else { return }
        gaps[log]?.asked = nil
        gaps[log]?.rounds.asked.forget(asked.node)
        pay(log, session)
        offer(log)
    }

    /// The session lacks the gap's entries, or sent others; false if it was not asked.
    mutating func lacks(_ log: LogID, _ session: SessionID) -> Bool {
        if endPassedOn(log, session) { return true }
        guard gaps[log]?.asked?.session == session else { return false }
        finish(log)
        return true
    }

    /// Frees for other sessions the gaps that a session has owed for too long. It still owes them: until it has
    /// answered or lacked them, or ends, it is asked for no other.
    mutating func passOn(of session: SessionID, if isOverdue: (Waiting) -> Bool) {
        for log in owed[session] ?? [] {
            guard let asked = gaps[log]?.asked, asked.session == session, isOverdue(asked.waiting) else { continue }
            gaps[log]?.release(ready: ready, isLate: true)
            passedOn[session, default: []].insert(log)
            failed.append(log)
            offer(log)
        }
    }

    /// Whether the session still owes an answer that was passed on to others.
    func isPassedOn(_ log: LogID, of session: SessionID) -> Bool {
        !passedOn.isEmpty && passedOn[session]?.contains(log) == true
    }

    /// Ends what the session owes for a gap that was passed on; false if it was not.
    @discardableResult
    private mutating func endPassedOn(_ log: LogID, _ session: SessionID) -> Bool {
        guard !passedOn.isEmpty, passedOn[session]?.remove(log) != nil else { return false }
        if passedOn[session]?.isEmpty == true { passedOn[session] = nil }
        pay(log, session)
        return true
    }

    /// The session ended.
    mutating func release(_ session: SessionID) {
        read[session] = nil
        passedOn[session] = nil
        for log in owed.removeValue(forKey: session) ?? [] where gaps[log]?.asked?.session == session {
            // A line that is lost again and again is no sign of a liar.
            gaps[log]?.asked?.hasGiven = false
            finish(log)
        }
    }

    /// Ends the round of each gap that every ready node sharing the log was asked for, and begins those that are due.
    mutating func endRounds(ready: [NodeID], now: UInt64, isShared: (LogID, NodeID) -> Bool = { _, _ in true }) {
        guard !gaps.isEmpty else { return nextDue = .max }
        let logs = RequestRounds.mayBeOver(ready: ready, before: self.ready) ? order : failed
        self.ready = ready
        for log in logs { endRound(log, now: now, isShared) }
        failed = []
        guard now >= nextDue else { return }
        nextDue = .max
        for log in order {
            if let end = gaps[log]?.delayedUntil { endDelay(log, end, now: now) }
            guard let due = gaps[log]?.rounds.due else { continue }
            if due > now {
                nextDue = min(nextDue, due)
            } else {
                gaps[log]?.rounds.begin()
                gaps[log]?.spent = AskedNodes()
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
        guard let gap = gaps[log], gap.asked == nil,
            gap.rounds.isOver(ready: ready, isShared: { isShared(log, $0) }),
            let due = gaps[log]?.rounds.end(now: now, base: Limits.gapRetryMilliseconds)
        else { return }
        nextDue = min(nextDue, due)
    }

    private mutating func finish(_ log: LogID) {
        guard let asked = gaps[log]?.asked else { return }
        gaps[log]?.release(ready: ready)
        pay(log, asked.session)
        failed.append(log)
        offer(log)
    }

    private mutating func pay(_ log: LogID, _ session: SessionID) {
        owed[session]?.removeAll { $0 == log }
        if owed[session]?.isEmpty == true { owed[session] = nil }
    }

    /// Frees a gap for every session.
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
