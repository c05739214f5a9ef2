import Entries

/// Bodies of entries that came in their erased form: asked of every peer in turn, then later and later, at most daily
/// at the last (D11).
struct BodyRequests {
    private struct Want {
        /// Whom it was asked of in this round, and who sent the entry without it.
        var tried: [NodeID] = []
        var state = State.free
        var rounds = 0
        /// When everybody may be asked again; until then whoever has not been asked.
        var due: UInt64?
    }

    private enum State: Hashable {
        case free
        case asked
        /// A body is here, and the store is looking at it.
        case arrived
    }

    private var wants: [BodyPlace: Want] = [:]
    /// In the order in which they were found: the order in which they are asked for.
    private var order: [BodyPlace] = []
    /// What each session owes an answer for, wanted still or not.
    private var owed: [SessionID: Set<BodyPlace>] = [:]
    private(set) var nextDue: UInt64 = .max
    /// Moves on whenever somebody may be asked for something more.
    private var revision = 0
    /// The revision at which nothing was left to ask a session for.
    private var exhausted: [SessionID: Int] = [:]
    private var roundsEndedAt = -1

    init(_ places: [BodyPlace]) {
        for place in places.prefix(Limits.wantedBodiesCount) { insert(place, Want()) }
    }

    var count: Int { wants.count }
    func isBusy(_ session: SessionID) -> Bool { owed[session] != nil }

    /// An entry came without its body from this node, which is the last to be asked for it.
    mutating func add(_ place: BodyPlace, from node: NodeID?) {
        guard wants[place] == nil, wants.count < Limits.wantedBodiesCount else { return }
        insert(place, Want(tried: node.map { [$0] } ?? []))
    }

    /// What a session is to be asked for now, oldest first; it counts as asked.
    mutating func ask(_ session: SessionID, _ node: NodeID) -> [BodyPlace] {
        guard !wants.isEmpty, !isBusy(session), exhausted[session] != revision else { return [] }
        var places: [BodyPlace] = []
        for place in order {
            guard places.count < Limits.bodiesInFlightPerPeer else { break }
            guard let want = wants[place], want.state == .free, !want.tried.contains(node) else { continue }
            wants[place]?.state = .asked
            wants[place]?.tried.append(node)
            places.append(place)
        }
        if places.isEmpty {
            exhausted[session] = revision
        } else {
            owed[session] = Set(places)
        }
        return places
    }

    /// True if the session owes an answer for it; this one counts as given.
    mutating func answered(_ place: BodyPlace, by session: SessionID) -> Bool {
        guard owed[session]?.remove(place) != nil else { return false }
        if owed[session]?.isEmpty == true { owed[session] = nil }
        wants[place]?.state = .arrived
        revision += 1
        return true
    }

    /// The answer was that it is not there, or something else came: the next one's turn.
    mutating func failed(_ place: BodyPlace) {
        wants[place]?.state = .free
        revision += 1
    }

    /// It is here, or not wanted any more.
    mutating func remove(_ place: BodyPlace) {
        guard wants.removeValue(forKey: place) != nil else { return }
        if order.count > 2 * wants.count + 64 { order.removeAll { wants[$0] == nil } }
    }

    /// The session is over: what it was asked for is free for others.
    mutating func release(_ session: SessionID) {
        exhausted[session] = nil
        revision += 1
        for place in owed.removeValue(forKey: session) ?? [] where wants[place]?.state == .asked {
            wants[place]?.state = .free
        }
    }

    /// Ends the round of whatever every ready node was asked for, and begins the next where its time has come.
    mutating func endRounds(ready: [NodeID], now: UInt64) {
        guard !wants.isEmpty, revision != roundsEndedAt || now >= nextDue else { return }
        nextDue = .max
        for place in order {
            guard let want = wants[place], want.state == .free else { continue }
            guard let due = want.due else {
                guard !ready.isEmpty, ready.allSatisfy(want.tried.contains) else { continue }
                let delay = Backoff.milliseconds(
                    failures: want.rounds,
                    base: Limits.bodyRetryMilliseconds,
                    maximum: Limits.retryMaximumMilliseconds
                )
                wants[place]?.rounds += 1
                wants[place]?.due = now + delay
                nextDue = min(nextDue, now + delay)
                continue
            }
            if due > now {
                nextDue = min(nextDue, due)
            } else {
                wants[place] = Want(rounds: want.rounds)
                revision += 1
            }
        }
        roundsEndedAt = revision
    }

    private mutating func insert(_ place: BodyPlace, _ want: Want) {
        wants[place] = want
        order.append(place)
        revision += 1
    }
}
