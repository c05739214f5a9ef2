import Entries

/// The known addresses: which to dial, when, and the outcome.
struct PeerBook {
    /// Modified by this type and its extensions only.
    var table = PeerTable()
    private var dials = OpenDials()
    private var queue = DialQueue()
    private var chance: Chance
    private(set) var penalties = Penalties()
    /// Hosts that were complained of, with the time until which that is not done again.
    private var complaints = Complaints()
    var foundRate = FoundRate()
    /// When this node was last in step with a peer whose connection has ended, in monotonic milliseconds; nil: never.
    var inStepAt: UInt64?

    init(_ targets: [PeerTarget], chance: Chance) {
        self.chance = chance
        table.insert(targets.map { Entry(target: $0) })
    }

    var all: [Entry] { table.all }
    var learned: [PeerTarget] { all.map(\.target).filter { $0.origin == .learned } }
    var dialsCount: Int { dials.count }
    func address(of dial: DialID) -> PeerAddress? { dials[dial] }
    func target(_ address: PeerAddress) -> PeerTarget? { table[address]?.target }

    /// Nodes that a person listed, or that were met at a listed address.
    var listedNodes: Set<NodeID> {
        Set(table.all.lazy.map(\.target).filter { $0.origin == .listed }.compactMap(\.node))
    }

    func isListed(_ node: NodeID) -> Bool {
        table.all.contains { $0.target.origin == .listed && $0.target.node == node }
    }

    // MARK: The lists

    /// Applies the peers file; addresses no longer listed are not dialled any more.
    ///
    /// - Returns: the sessions that were dialled there, or with another node than is listed now.
    mutating func list(_ targets: [PeerTarget]) -> [SessionID] {
        queue.removeAll()
        let addresses = Set(targets.map(\.address))
        var sessions: [SessionID] = []
        let isStruck = { (entry: Entry) in
            entry.target.origin == .listed && !addresses.contains(entry.target.address)
        }
        for entry in table.all where isStruck(entry) {
            if case .connected(let session) = entry.state { sessions.append(session) }
        }
        table.removeAll(where: isStruck)
        var new: [Entry] = []
        for target in targets {
            if let known = table[target.address] {
                guard known.target != target else { continue }
                // Another node is expected there than the one connected.
                if case .connected(let session) = known.state, let node = known.target.node, target.node != nil,
                    node != target.node
                {
                    sessions.append(session)
                }
                table[target.address]?.target = target
                if known.target.node != nil, known.target.node != target.node {
                    // The one that is expected now was never met there, and must not be told of as if it were.
                    table[target.address]?.metAt = nil
                    table[target.address]?.isReached = false
                    table[target.address]?.inStepAt = nil
                }
                table[target.address]?.lastDial = nil
                table[target.address]?.isTried = false
                table[target.address]?.forgetTeacher()
                table[target.address]?.impostor = nil
                table[target.address]?.failure = nil
                // A person has changed the line, so the reason to wait may be gone.
                if case .waiting = known.state { table[target.address]?.state = .idle }
                if case .own = known.state { table[target.address]?.state = .idle }
            } else {
                new.append(Entry(target: target))
            }
        }
        table.insert(new)
        return sessions
    }

    /// Addresses of nodes met within a day, for a peer that asks; a random choice of them, so that askers learn of
    /// different ones.
    mutating func share(except node: NodeID, now: UInt64) -> [HeardPeer] {
        var met = all.compactMap { entry -> HeardPeer? in
            guard let met = entry.metAt, met + Limits.peerFreshMilliseconds > now, let known = entry.target.node,
                known != node
            else { return nil }
            return HeardPeer(address: entry.target.address, node: known)
        }
        while met.count > Limits.peersPerMessage {
            met.swapAt(Int.random(in: met.indices, using: &chance), met.count - 1)
            met.removeLast()
        }
        return met
    }

    /// A session at random.
    mutating func choose(_ sessions: [SessionID]) -> SessionID? { sessions.randomElement(using: &chance) }

    // MARK: Dialling

    /// The addresses to dial now: all listed ones, and while few connections count (`neighbours`) some others at
    /// random. Where there is not room for all that are listed, those come first that were never dialled, then those
    /// dialled longest ago: no address waits for another one's second dial.
    ///
    /// At random, as HyParView (DSN 2007) picks neighbours from its passive view: an address that sorts first is no
    /// advantage, and nodes that learned the same addresses do not all dial the same.
    mutating func dial(
        now: UInt64,
        sessions: Int,
        neighbours: Int,
        connected: Set<NodeID>
    ) -> [(DialID, PeerTarget)] {
        var due = dialQueued(now: now, sessions: sessions, connected)
        guard hasRoom(sessions, Limits.sessionsCount) else { return due }
        let all = table.all.filter { isDue($0, now: now) && mayDial($0, now: now, connected) }
        queue.fill(all.filter { $0.target.origin == .listed }, room: room(sessions, Limits.sessionsCount))
        due += dialQueued(now: now, sessions: sessions, connected)
        var learned = all.filter { $0.target.origin != .listed }.map(\.target.address)
        while !learned.isEmpty, hasRoom(sessions, Limits.sessionsCount),
            hasRoom(neighbours, Limits.wantedSessionsCount)
        {
            let place = Int.random(in: learned.indices, using: &chance)
            learned.swapAt(place, learned.count - 1)
            if let entry = table[learned.removeLast()] { due.append(begin(entry.target)) }
        }
        return due
    }

    /// Begins the dials of queued addresses for which there is room.
    private mutating func dialQueued(
        now: UInt64,
        sessions: Int,
        _ connected: Set<NodeID>
    ) -> [(DialID, PeerTarget)] {
        var begun: [(DialID, PeerTarget)] = []
        while hasRoom(sessions, Limits.sessionsCount), let address = queue.next() {
            // It may have called, or have been removed, since it was queued.
            guard let entry = table[address], isQueued(entry, now: now, connected) else { continue }
            begun.append(begin(entry.target))
        }
        return begun
    }

    /// Whether a person listed the address, and it would be dialled now if there was room.
    func isQueued(_ entry: Entry, now: UInt64, _ connected: Set<NodeID>) -> Bool {
        entry.target.origin == .listed && isDue(entry, now: now) && mayDial(entry, now: now, connected)
    }

    /// How many more dials may be under way.
    private func room(_ connections: Int, _ most: Int) -> Int {
        min(Limits.dialsCount, most - connections) - dials.count
    }

    private func hasRoom(_ connections: Int, _ most: Int) -> Bool { room(connections, most) > 0 }

    private func isDue(_ entry: Entry, now: UInt64) -> Bool {
        switch entry.state {
        case .idle: true
        case .waiting(let until): until <= now
        case .dialling, .connected, .own: false
        }
    }

    private func mayDial(_ entry: Entry, now: UInt64, _ connected: Set<NodeID>) -> Bool {
        if let node = entry.target.node, connected.contains(node) || penalties.end(.node(node), now: now) != nil {
            return false
        }
        return penalties.end(.address(entry.target.address), now: now) == nil
    }

    /// Until when the target is not dialled, and why.
    func penalty(of entry: Entry, now: UInt64) -> TargetStatus.Penalty? {
        if let end = penalties.end(.address(entry.target.address), now: now) {
            return .init(untilMonotonicMilliseconds: end, cause: .noNode)
        }
        guard let node = entry.target.node, let end = penalties.end(.node(node), now: now) else { return nil }
        return .init(untilMonotonicMilliseconds: end, cause: .violation)
    }

    private mutating func begin(_ target: PeerTarget) -> (DialID, PeerTarget) {
        let dial = dials.begin(target.address)
        table[target.address]?.state = .dialling(dial)
        return (dial, target)
    }

    /// When a dial may be due next, if connections stay as they are.
    func nextDue(now: UInt64, sessions: Int, neighbours: Int, connected: Set<NodeID>) -> UInt64? {
        guard hasRoom(sessions, Limits.sessionsCount) else { return nil }
        return all.compactMap { entry -> UInt64? in
            // As in `dial`: a target that may not be dialled now becomes due when a dial or a session ends, not before.
            let isWanted = entry.target.origin == .listed || hasRoom(neighbours, Limits.wantedSessionsCount)
            guard isWanted, !(entry.target.node.map(connected.contains) ?? false) else { return nil }
            let byNode = entry.target.node.flatMap { penalties.end(.node($0), now: now) }
            let byAddress = penalties.end(.address(entry.target.address), now: now)
            let penalty = max(byNode ?? 0, byAddress ?? 0)
            return switch entry.state {
            case .idle: penalty > 0 ? penalty : nil
            case .waiting(let until): max(until, penalty)
            case .dialling, .connected, .own: nil
            }
        }.min()
    }

    /// The dial succeeded.
    mutating func opened(_ dial: DialID, _ session: SessionID) {
        guard let address = dials.end(dial) else { return }
        table[address]?.lastDial = dial
        table[address]?.isTried = true
        table[address]?.state = .connected(session)
        table[address]?.failure = nil
    }

    /// The dial failed; returns the address and the milliseconds until the next dial. `links`: connections with other
    /// machines.
    mutating func failed(
        _ dial: DialID,
        _ failure: DialFailure,
        links: Int,
        now: UInt64
    ) -> (PeerAddress, UInt64)? {
        guard let address = dials.end(dial) else { return nil }
        guard failure != .busy else {
            // Nothing was tried, so it says nothing of the address, and is no reason to wait longer than last time.
            if table[address]?.failure == nil { table[address]?.failure = failure }
            table[address]?.state = .waiting(until: now + Limits.busyNamesMilliseconds)
            return (address, Limits.busyNamesMilliseconds)
        }
        table[address]?.lastDial = dial
        table[address]?.isTried = true
        table[address]?.failure = failure
        noAnswer(at: address, links: links, now: now)
        // Whoever took this node's place there goes on elsewhere, or is gone: no node is there to tell.
        if failure == .refused, table[address]?.refusal == .replaced { table[address]?.refusal = nil }
        let delay = wait(address, now: now)
        forgetUnanswered(address)
        return (address, delay)
    }

    mutating func punish(_ subject: Penalties.Subject, now: UInt64) -> UInt64 {
        penalties.punish(subject, now: now)
    }

    /// A host that nobody listed did something wrong; true if that is to be reported.
    mutating func complain(of host: HostNetwork, _ kind: Complaints.Kind, now: UInt64) -> Bool {
        complaints.isDue(kind, of: host, now: now)
    }

    /// A person waits: all waits between dials end, and the penalties of listed peers. Of a long list those dialled
    /// longest ago come first all the same: else its beginning would be dialled each time somebody asks, and no more.
    mutating func hurry() {
        queue.removeAll()
        for address in table.addresses {
            table[address]?.isTried = false
            if case .waiting = table[address]?.state { table[address]?.state = .idle }
        }
        for target in all.lazy.map(\.target) where target.origin == .listed {
            penalties.lift(.address(target.address))
            if let node = target.node { penalties.lift(.node(node)) }
        }
    }

    /// Ends a node's penalty if it is met for the first time at an address that a person listed without a node: that
    /// person asks for whoever answers there.
    mutating func pardon(_ node: NodeID, metAt address: PeerAddress) {
        guard let target = table[address]?.target, target.origin == .listed, target.node == nil else { return }
        penalties.lift(.node(node))
    }

    /// The address waits for its next dial, longer from time to time; returns the milliseconds.
    mutating func wait(_ address: PeerAddress, now: UInt64) -> UInt64 {
        let delay = Backoff.jittered(
            failures: table[address]?.failures ?? 0,
            base: Limits.dialRetryMilliseconds,
            maximum: Limits.dialRetryMaximumMilliseconds,
            chance: &chance
        )
        table[address]?.state = .waiting(until: now + delay)
        table[address]?.failures += 1
        return delay
    }
}
