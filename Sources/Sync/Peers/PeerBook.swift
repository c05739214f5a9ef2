import Entries

/// The known addresses: which to dial, when, and the outcome.
struct PeerBook {
    /// Modified by this type and its extensions only.
    var table = PeerTable()
    private var dials: [DialID: PeerAddress] = [:]
    private var nextDial: UInt64 = 1
    private var chance: Chance
    private(set) var penalties = Penalties()
    /// Hosts that sent something other than a handshake, with the time until which that is not reported again.
    private var complaints = Penalties()
    var foundPace = FoundPace()

    init(_ targets: [PeerTarget], chance: Chance) {
        self.chance = chance
        for target in targets { table.insert(Entry(target: target)) }
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
        let addresses = Set(targets.map(\.address))
        var sessions: [SessionID] = []
        for address in table.addresses where table[address]?.target.origin == .listed && !addresses.contains(address) {
            if case .connected(let session) = table[address]?.state { sessions.append(session) }
            table.remove(address)
        }
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
                table[target.address]?.forgetTeacher()
                table[target.address]?.impostor = nil
                table[target.address]?.failure = nil
                // A person has changed the line, so the reason to wait may be gone.
                if case .waiting = known.state { table[target.address]?.state = .idle }
                if case .own = known.state { table[target.address]?.state = .idle }
            } else {
                table.insert(Entry(target: target))
            }
        }
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
    /// random.
    ///
    /// At random, as HyParView (DSN 2007) picks neighbours from its passive view: an address that sorts first is no
    /// advantage, and nodes that learned the same addresses do not all dial the same.
    mutating func dial(
        now: UInt64,
        sessions: Int,
        neighbours: Int,
        connected: Set<NodeID>
    ) -> [(DialID, PeerTarget)] {
        var due: [(DialID, PeerTarget)] = []
        guard hasRoom(sessions, Limits.sessionsCount) else { return [] }
        var learned: [PeerAddress] = []
        for address in table.addresses {
            guard let entry = table[address], isDue(entry, now: now), mayDial(entry, now: now, connected)
            else { continue }
            if entry.target.origin != .listed {
                learned.append(address)
            } else if hasRoom(sessions, Limits.sessionsCount) {
                due.append(begin(entry.target))
            }
        }
        while !learned.isEmpty, hasRoom(sessions, Limits.sessionsCount),
            hasRoom(neighbours, Limits.wantedSessionsCount)
        {
            let place = Int.random(in: learned.indices, using: &chance)
            learned.swapAt(place, learned.count - 1)
            if let entry = table[learned.removeLast()] { due.append(begin(entry.target)) }
        }
        return due
    }

    private func hasRoom(_ connections: Int, _ most: Int) -> Bool {
        dials.count < Limits.dialsCount && connections + dials.count < most
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
        let dial = DialID(raw: nextDial)
        nextDial += 1
        dials[dial] = target.address
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
        guard let address = dials.removeValue(forKey: dial) else { return }
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
        guard let address = dials.removeValue(forKey: dial) else { return nil }
        guard failure != .busy else {
            // Nothing was tried, so it says nothing of the address, and is no reason to wait longer than last time.
            if table[address]?.failure == nil { table[address]?.failure = failure }
            table[address]?.state = .waiting(until: now + Limits.busyNamesMilliseconds)
            return (address, Limits.busyNamesMilliseconds)
        }
        table[address]?.failure = failure
        noAnswer(at: address, links: links, now: now)
        // Whoever took this node's place there goes on elsewhere, or is gone: no node is there to tell.
        if failure == .refused, table[address]?.refusal == .replaced { table[address]?.refusal = nil }
        let delay = wait(address, now: now)
        forgetUnanswered(address)
        return (address, delay)
    }

    /// Counts a dial that no node answered.
    ///
    /// Without a connection that says little: this machine may be without a network, or in one that lets nobody out
    /// before a person has logged in. What was found on the local network counts in any case: it comes back by itself,
    /// and is to make room for others of its host. So does this machine itself, to which there is always a way.
    private mutating func noAnswer(at address: PeerAddress, links: Int, now: UInt64) {
        table[address]?.unanswered += 1
        guard links > 0 || table[address]?.foundAt != nil || NodeMachine.isLoopback(address.host) else { return }
        guard let count = table[address]?.misses.count, count <= Limits.learnedPeerAttempts else { return }
        table[address]?.misses.append(now)
    }

    /// The last connection with another machine has ended, on which something came last at `heardAt`: dials since then
    /// may have failed for want of a network.
    mutating func lostNetwork(heardAt: UInt64) {
        for address in table.addresses where !NodeMachine.isLoopback(address.host) {
            guard let entry = table[address], entry.foundAt == nil, !entry.misses.isEmpty else { continue }
            table[address]?.misses.removeAll { $0 > heardAt }
        }
    }

    /// Removes a learned address after too many dials without an answer.
    private mutating func forgetUnanswered(_ address: PeerAddress) {
        if let entry = table[address], entry.target.origin == .learned, entry.misses.count > Limits.learnedPeerAttempts
        {
            table.remove(address)
        }
    }

    /// The peer of an outgoing session has shown its id; true if that pins a listed address.
    mutating func met(_ node: NodeID, at address: PeerAddress, now: UInt64) -> Bool {
        guard let entry = table[address] else { return false }
        table[address]?.impostor = nil
        table[address]?.metAt = now
        table[address]?.isReached = true
        table[address]?.unanswered = 0
        table[address]?.misses = []
        guard entry.target.node == nil else { return false }
        table[address]?.target = PeerTarget(address: address, node: node, origin: entry.target.origin)
        return entry.target.origin == .listed
    }

    /// Another node answers there than the expected one. A learned address is wrong or outdated and is removed, so that
    /// both nodes can be met at their addresses.
    mutating func met(impostor: NodeID, at address: PeerAddress) {
        switch table[address]?.target.origin {
        case .learned: table.remove(address)
        case .listed, nil: table[address]?.impostor = impostor
        }
    }

    /// An outgoing session was replaced, though this node has no newer one. If that happens again and again, the
    /// address waits as after a refusal, and the result is true.
    mutating func replaced(
        _ address: PeerAddress,
        _ session: SessionID,
        openedAt: UInt64,
        now: UInt64
    ) -> Bool {
        guard let entry = table[address], entry.state == .connected(session) else { return false }
        guard let delay = table[address]?.rivalry.lost(now: now, stood: now - openedAt) else {
            lost(address, session, openedAt: openedAt, refusal: nil, links: 1, now: now)
            return false
        }
        table[address]?.state = .waiting(until: now + delay)
        table[address]?.refusal = .replaced
        return true
    }

    /// An outgoing session ended; if it stood long enough with a node at the other end, the backoff begins anew.
    mutating func lost(
        _ address: PeerAddress,
        _ session: SessionID,
        openedAt: UInt64,
        refusal: Goodbye?,
        links: Int,
        now: UInt64
    ) {
        guard let entry = table[address], entry.state == .connected(session) else { return }
        if refusal != nil || entry.refusal == .replaced { table[address]?.refusal = refusal }
        if let refusal, refusal.isLasting {
            let delay = Backoff.milliseconds(
                failures: entry.refusals,
                base: Limits.refusalMilliseconds,
                maximum: Limits.refusalMaximumMilliseconds
            )
            table[address]?.state = .waiting(until: now + delay)
            table[address]?.refusals += 1
            return
        }
        let isAnswered = entry.metAt.map { $0 >= openedAt } ?? false
        if isAnswered, now - openedAt >= Limits.steadySessionMilliseconds { table[address]?.failures = 0 }
        _ = wait(address, now: now)
        // Something accepts connections there, but is no node.
        if !isAnswered { noAnswer(at: address, links: links, now: now) }
        forgetUnanswered(address)
    }

    /// An outgoing session became ready: its refusals are forgotten.
    mutating func welcomed(_ address: PeerAddress, _ hello: Hello) {
        table[address]?.rivalry.greeted(hello)
        table[address]?.refusal = nil
        table[address]?.refusals = 0
    }

    /// This node's scope changed: nodes that refused it for that may be dialled again.
    mutating func reconsider() {
        for address in table.addresses where table[address]?.refusal == .scopeNotServed {
            table[address]?.refusals = 0
            if case .waiting = table[address]?.state { table[address]?.state = .idle }
        }
    }

    /// A node may be dialled again after a short wait, whichever side dialled last.
    mutating func release(_ node: NodeID, now: UInt64) {
        for address in table.addresses where table[address]?.target.node == node && table[address]?.state == .idle {
            _ = wait(address, now: now)
        }
    }

    /// This node itself answers there; true if a person listed the address, and has to be told. A learned address may
    /// become another machine's, and is dialled again later.
    mutating func isOwn(_ address: PeerAddress, now: UInt64) -> Bool {
        switch table[address]?.target.origin {
        case .listed:
            table[address]?.state = .own
            return true
        case .learned:
            table[address]?.state = .waiting(until: now + Limits.ownAddressMilliseconds)
            return false
        case nil: return false
        }
    }

    mutating func punish(_ subject: Penalties.Subject, now: UInt64) -> UInt64 {
        penalties.punish(subject, now: now)
    }

    /// A host sent something other than a handshake; true if that is to be reported. The same host is reported as
    /// rarely as a ban would be, since whoever can connect can repeat it.
    mutating func complain(of host: HostNetwork, now: UInt64) -> Bool {
        guard complaints.end(.host(host), now: now) == nil else { return false }
        _ = complaints.punish(.host(host), now: now)
        return true
    }

    /// A person waits: all waits between dials end, but no penalty.
    mutating func hurry() {
        for address in table.addresses {
            if case .waiting = table[address]?.state { table[address]?.state = .idle }
        }
    }

    // MARK: Private

    private func isDue(_ entry: Entry, now: UInt64) -> Bool {
        switch entry.state {
        case .idle: true
        case .waiting(let until): until <= now
        case .dialling, .connected, .own: false
        }
    }

    private mutating func wait(_ address: PeerAddress, now: UInt64) -> UInt64 {
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
