import Entries

/// Bodies of entries that came in their erased form: asked of every peer in turn, then later and later, at most daily
/// at the last (D11). What is too much waits in the store until the next start.
struct BodyRequests {
    private struct Want {
        /// The first bytes of the writer's identity.
        let owner: UInt64?
        /// Who sent the entry without it counts as asked.
        var asked = AskedNodes()
        var state = State.free
        var rounds = 0
        /// When everybody may be asked again; until then whoever has not been asked.
        var due: UInt64?
    }

    private enum State: Hashable {
        case free
        case asked(SessionID)
        /// A body is here, and the store is looking at it.
        case arrived
    }

    private var wants: [BodyPlace: Want] = [:]
    private var byOwner: [UInt64: Int] = [:]
    /// In the order in which they were found.
    private var order: [BodyPlace] = []
    /// Whatever became free, in that order: the order in which it is asked for. Each session reads on from where it was.
    private var free: [BodyPlace] = []
    private var read: [SessionID: Int] = [:]
    /// What each session owes an answer for, wanted still or not.
    private var owed: [SessionID: Set<BodyPlace>] = [:]
    /// Since when, of what nobody else is asked for instead.
    private var waiting: [SessionID: Waiting] = [:]
    private(set) var nextDue: UInt64 = .max
    /// What somebody was asked for in vain since the rounds were looked at, and who was ready then.
    private var failed: [BodyPlace] = []
    private var ready: [NodeID] = []
    /// Something became free: whoever has read to the end has something to read.
    private(set) var hasNews = false

    /// Takes what the store wants, and the identity behind each.
    init(_ places: [BodyPlace], owner: (BodyPlace) -> UInt64?) {
        for place in places { add(place, of: owner(place), from: nil) }
    }

    var count: Int { wants.count }
    /// Of the want of which most nodes are remembered to have been asked.
    var askedNodesCount: Int { wants.values.lazy.map(\.asked.count).max() ?? 0 }
    func isBusy(_ session: SessionID) -> Bool { owed[session] != nil }

    /// Every session is about to be looked at.
    mutating func forgetNews() {
        hasNews = false
    }

    /// An entry came without its body from this node, which is the last to be asked for it.
    ///
    /// Nobody's entries fill the list: what is too much of one identity, or of all, waits in the store.
    mutating func add(_ place: BodyPlace, of owner: UInt64?, from node: NodeID?) {
        let count = byOwner[owner ?? 0, default: 0]
        guard wants[place] == nil, wants.count < Limits.wantedBodiesCount,
            count < Limits.wantedBodiesPerIdentityCount
        else { return }
        byOwner[owner ?? 0] = count + 1
        wants[place] = Want(owner: owner, asked: AskedNodes(node))
        order.append(place)
        free.append(place)
        hasNews = true
        failed.append(place)
    }

    /// What a session is to be asked for now, oldest first; it counts as asked. Nothing is noted of what is not spoken of with
    /// it: that costs it nothing to bring about.
    mutating func ask(
        _ session: SessionID,
        _ node: NodeID,
        waiting: Waiting = .start,
        _ isShared: (BodyPlace) -> Bool = { _ in true }
    ) -> [BodyPlace] {
        guard !wants.isEmpty, !isBusy(session) else { return [] }
        var next = read[session] ?? 0
        var places: [BodyPlace] = []
        while next < free.count, places.count < Limits.bodiesInFlightPerPeer {
            let place = free[next]
            next += 1
            guard let want = wants[place], want.state == .free, !want.asked.contains(node), isShared(place)
            else { continue }
            wants[place]?.asked.note(node, ready: ready)
            wants[place]?.state = .asked(session)
            places.append(place)
        }
        read[session] = next
        guard !places.isEmpty else { return [] }
        owed[session] = Set(places)
        self.waiting[session] = waiting
        return places
    }

    /// Lets others be asked for what a session has owed for too long, which may answer all the same.
    mutating func passOn(of session: SessionID, if isOverdue: (Waiting) -> Bool) {
        guard let since = waiting[session], isOverdue(since) else { return }
        waiting[session] = nil
        free(owed[session] ?? [], of: session)
    }

    private mutating func free(_ places: Set<BodyPlace>, of session: SessionID) {
        for place in places.sorted(by: { ($0.log, $0.sequence) < ($1.log, $1.sequence) })
        where wants[place]?.state == .asked(session) {
            failed(place)
        }
    }

    /// True if the session owes an answer for it; this one counts as given.
    mutating func answered(_ place: BodyPlace, by session: SessionID) -> Bool {
        guard owed[session]?.remove(place) != nil else { return false }
        if owed[session]?.isEmpty == true {
            owed[session] = nil
            waiting[session] = nil
        }
        return true
    }

    /// The answer was that it is not there: the next one's turn, if nobody else is asked by now.
    mutating func lacked(_ place: BodyPlace, by session: SessionID) {
        guard wants[place]?.state == .asked(session) else { return }
        failed(place)
    }

    /// The store looks at what came.
    mutating func arrived(_ place: BodyPlace) {
        wants[place]?.state = .arrived
    }

    /// Something else came: the next one's turn.
    mutating func failed(_ place: BodyPlace) {
        guard wants[place] != nil else { return }
        wants[place]?.state = .free
        // The time of its next round may have come while somebody new was asked.
        if let due = wants[place]?.due { nextDue = min(nextDue, due) }
        failed.append(place)
        offer(place)
    }

    /// It is here, or not wanted any more.
    mutating func remove(_ place: BodyPlace) {
        guard let want = wants.removeValue(forKey: place) else { return }
        let count = byOwner[want.owner ?? 0, default: 0]
        byOwner[want.owner ?? 0] = count > 1 ? count - 1 : nil
        if order.count > 2 * wants.count + 64 { order.removeAll { wants[$0] == nil } }
    }

    /// Logs are not carried any more, nor are their bodies wanted.
    mutating func remove(_ logs: Set<LogID>) {
        for place in order where logs.contains(place.log) { remove(place) }
    }

    /// The session is over: what it was asked for is free for others.
    mutating func release(_ session: SessionID) {
        read[session] = nil
        waiting[session] = nil
        free(owed.removeValue(forKey: session) ?? [], of: session)
    }

    /// Ends the round of whatever every ready node was asked for with which it is spoken of, and begins the next where its time
    /// has come.
    mutating func endRounds(
        ready: [NodeID],
        now: UInt64,
        isShared: (BodyPlace, NodeID) -> Bool = { _, _ in true }
    ) {
        guard !wants.isEmpty else {
            // Nothing is due any more: a moment that is past would wake the node again and again.
            nextDue = .max
            failed = []
            return
        }
        // Whoever is new has not been asked: no round ends for that, but where nobody was there before.
        let isAnybodyGone =
            ready != self.ready && (self.ready.isEmpty || !self.ready.allSatisfy(ready.contains))
        self.ready = ready
        for place in isAnybodyGone ? order : failed { endRound(place, now: now, isShared) }
        failed = []
        if now >= nextDue { beginRounds(now: now) }
    }

    private mutating func endRound(_ place: BodyPlace, now: UInt64, _ isShared: (BodyPlace, NodeID) -> Bool) {
        guard let want = wants[place], want.state == .free, want.due == nil, !ready.isEmpty,
            ready.allSatisfy({ want.asked.contains($0) || !isShared(place, $0) })
        else { return }
        let delay = Backoff.milliseconds(
            failures: want.rounds,
            base: Limits.bodyRetryMilliseconds,
            maximum: Limits.retryMaximumMilliseconds
        )
        // Many at once: each look goes through all of them.
        let lot = UInt64(Limits.bodyRetryMilliseconds / 8)
        let due = (now + delay + lot - 1) / lot * lot
        wants[place]?.rounds += 1
        wants[place]?.due = due
        nextDue = min(nextDue, due)
    }

    private mutating func beginRounds(now: UInt64) {
        nextDue = .max
        var again: [BodyPlace] = []
        for place in order {
            guard let want = wants[place], want.state == .free, let due = want.due else { continue }
            if due > now {
                nextDue = min(nextDue, due)
            } else {
                wants[place] = Want(owner: want.owner, rounds: want.rounds)
                again.append(place)
            }
        }
        guard !again.isEmpty else { return }
        // Oldest first again, behind what nobody has been asked for yet.
        let begun = Set(again)
        free = free.filter { wants[$0]?.state == .free && !begun.contains($0) } + again
        hasNews = true
        read = [:]
    }

    /// Lets every session come by it once more.
    private mutating func offer(_ place: BodyPlace) {
        free.append(place)
        hasNews = true
        guard free.count > 2 * wants.count + 64 else { return }
        var seen: Set<BodyPlace> = []
        free = free.filter { wants[$0]?.state == .free && seen.insert($0).inserted }
        read = [:]
    }
}
