import Entries

/// The wanted bodies of entries that came in the erased form (`protocol/sync.md` §8): each is asked of every peer in
/// turn, in rounds with a backoff of up to a day. Beyond the bounds, bodies wait in the store until the next start.
struct BodyRequests {
    private struct Want {
        /// The first eight bytes of the writer's identity.
        let owner: UInt64?
        /// The node that sent the entry without its body counts as asked in the first round.
        var rounds: RequestRounds
        var state = State.free
    }

    private enum State: Hashable {
        case free
        case asked(SessionID)
        /// A body came, and the store is checking it.
        case arrived
    }

    private var wants: [BodyPlace: Want] = [:]
    private var byOwner: [UInt64: Int] = [:]
    /// The number of wanted bodies of each log.
    private var byLog: [LogID: Int] = [:]
    /// All places in the order in which they were found.
    private var order: [BodyPlace] = []
    /// Places that became free to request, in that order; each session goes through them with its own cursor, `read`.
    private var free: [BodyPlace] = []
    private var read: [SessionID: Int] = [:]
    /// The places that each session owes an answer for, whether still wanted or not.
    private var owed: [SessionID: Set<BodyPlace>] = [:]
    /// Since when each session owes answers that were not passed on to another.
    private var waiting: [SessionID: Waiting] = [:]
    private(set) var nextDue: UInt64 = .max
    /// Places with a failed request since the rounds were last updated; `ready`: the nodes that were ready then.
    private var failed: [BodyPlace] = []
    private var ready: [NodeID] = []
    /// Whether a place became free since `forgetNews`: sessions at the end of `free` have something to read.
    private(set) var hasNews = false

    /// Takes the bodies that the store wants; `owner` gives the identity of each.
    init(_ places: [BodyPlace], owner: (BodyPlace) -> UInt64?) {
        for place in places { add(place, of: owner(place), from: nil) }
    }

    var count: Int { wants.count }
    /// Entries of the two queues, with those of bodies that are not wanted any more; only tests ask.
    var placesCount: Int { order.count + free.count }
    /// The most nodes remembered for one body.
    var askedNodesCount: Int { wants.values.lazy.map(\.rounds.asked.count).max() ?? 0 }
    func isBusy(_ session: SessionID) -> Bool { owed[session] != nil }

    /// Called before all sessions are gone through.
    mutating func forgetNews() {
        hasNews = false
    }

    /// Adds a body that an entry from `node` came without; the node counts as asked in the first round.
    ///
    /// No identity can fill the list: beyond its bound, or that of all, bodies wait in the store.
    mutating func add(_ place: BodyPlace, of owner: UInt64?, from node: NodeID?) {
        let count = byOwner[owner ?? 0, default: 0]
        guard wants[place] == nil, wants.count < Limits.wantedBodiesCount,
            count < Limits.wantedBodiesPerIdentityCount
        else { return }
        byOwner[owner ?? 0] = count + 1
        byLog[place.log, default: 0] += 1
        wants[place] = Want(owner: owner, rounds: RequestRounds(asked: AskedNodes(node)))
        order.append(place)
        failed.append(place)
        offer(place)
    }

    /// The bodies to request from a session now, oldest first; they count as asked. Those not shared with the node are
    /// skipped and not recorded, since a peer could cause such records at no cost.
    mutating func ask(
        _ session: SessionID,
        _ node: NodeID,
        waiting: Waiting,
        _ isShared: (BodyPlace) -> Bool = { _ in true }
    ) -> [BodyPlace] {
        guard !wants.isEmpty, !isBusy(session) else { return [] }
        var next = read[session] ?? 0
        var places: [BodyPlace] = []
        while next < free.count, places.count < Limits.bodiesInFlightPerPeer {
            let place = free[next]
            next += 1
            guard let want = wants[place], want.state == .free, !want.rounds.asked.contains(node), isShared(place)
            else { continue }
            wants[place]?.rounds.asked.note(node, ready: ready)
            wants[place]?.state = .asked(session)
            places.append(place)
        }
        read[session] = next
        guard !places.isEmpty else { return [] }
        owed[session] = Set(places)
        self.waiting[session] = waiting
        return places
    }

    /// Frees for other sessions what a session has owed for too long; its answer is still accepted.
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

    /// Records an answer; false if the session owed none for the place.
    mutating func answered(_ place: BodyPlace, by session: SessionID) -> Bool {
        guard owed[session]?.remove(place) != nil else { return false }
        if owed[session]?.isEmpty == true {
            owed[session] = nil
            waiting[session] = nil
        }
        return true
    }

    /// The session has no such body: the next one's turn, unless another is asked already.
    mutating func lacked(_ place: BodyPlace, by session: SessionID) {
        guard wants[place]?.state == .asked(session) else { return }
        failed(place)
    }

    /// A body came, and the store checks it.
    mutating func arrived(_ place: BodyPlace) {
        wants[place]?.state = .arrived
    }

    /// The request failed, or another body came: the next session's turn.
    mutating func failed(_ place: BodyPlace) {
        guard wants[place] != nil else { return }
        wants[place]?.state = .free
        // The next round may have become due while a new node was asked.
        if let due = wants[place]?.rounds.due { nextDue = min(nextDue, due) }
        failed.append(place)
        offer(place)
    }

    /// The body is stored, or not wanted any more.
    mutating func remove(_ place: BodyPlace) {
        guard let want = wants.removeValue(forKey: place) else { return }
        let count = byOwner[want.owner ?? 0, default: 0]
        byOwner[want.owner ?? 0] = count > 1 ? count - 1 : nil
        let ofLog = byLog[place.log, default: 0]
        byLog[place.log] = ofLog > 1 ? ofLog - 1 : nil
        if order.count > 2 * wants.count + 64 { order.removeAll { wants[$0] == nil } }
    }

    /// Removes the bodies of logs that are not carried any more.
    mutating func remove(_ logs: Set<LogID>) {
        // Mostly there are none, and a stranger can have logs refused as often as it likes.
        guard logs.contains(where: { byLog[$0] != nil }) else { return }
        for place in order where logs.contains(place.log) { remove(place) }
    }

    /// The session ended: what it was asked for is free for others.
    mutating func release(_ session: SessionID) {
        read[session] = nil
        waiting[session] = nil
        free(owed.removeValue(forKey: session) ?? [], of: session)
    }

    /// Ends the round of each body that every ready node sharing it was asked for, and begins those that are due.
    mutating func endRounds(
        ready: [NodeID],
        now: UInt64,
        isShared: (BodyPlace, NodeID) -> Bool = { _, _ in true }
    ) {
        guard !wants.isEmpty else {
            // Nothing is due any more: a time in the past would wake the node again and again.
            nextDue = .max
            failed = []
            return
        }
        let places = RequestRounds.mayBeOver(ready: ready, before: self.ready) ? order : failed
        self.ready = ready
        for place in places { endRound(place, now: now, isShared) }
        failed = []
        if now >= nextDue { beginRounds(now: now) }
    }

    private mutating func endRound(_ place: BodyPlace, now: UInt64, _ isShared: (BodyPlace, NodeID) -> Bool) {
        guard let want = wants[place], want.state == .free,
            want.rounds.isOver(ready: ready, isShared: { isShared(place, $0) }),
            let due = wants[place]?.rounds.end(now: now, base: Limits.bodyRetryMilliseconds)
        else { return }
        nextDue = min(nextDue, due)
    }

    private mutating func beginRounds(now: UInt64) {
        nextDue = .max
        var again: [BodyPlace] = []
        for place in order {
            guard let want = wants[place], want.state == .free, let due = want.rounds.due else { continue }
            if due > now {
                nextDue = min(nextDue, due)
            } else {
                wants[place]?.rounds.begin()
                again.append(place)
            }
        }
        guard !again.isEmpty else { return }
        // Oldest first again, behind the places that nobody has been asked for yet.
        let begun = Set(again)
        free = free.filter { wants[$0]?.state == .free && !begun.contains($0) } + again
        hasNews = true
        read = [:]
    }

    /// Frees a place for every session.
    private mutating func offer(_ place: BodyPlace) {
        free.append(place)
        hasNews = true
        guard free.count > 2 * wants.count + 64 else { return }
        var seen: Set<BodyPlace> = []
        free = free.filter { wants[$0]?.state == .free && seen.insert($0).inserted }
        read = [:]
    }
}
