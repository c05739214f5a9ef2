import Entries

/// Whom to dial, when, and what came of it.
struct PeerBook {
    private var entries: [PeerAddress: Entry] = [:]
    /// Ascending, so that the order of dials is nobody's chance.
    private var order: [PeerAddress] = []
    private var dials: [DialID: PeerAddress] = [:]
    private var nextDial: UInt64 = 1
    /// Entries that were ever made: the order in which they were.
    private var made: UInt64 = 0
    private var chance: Chance
    private(set) var penalties = Penalties()

    init(_ targets: [PeerTarget], chance: Chance) {
        self.chance = chance
        for target in targets { insert(Entry(target: target)) }
    }

    var all: [Entry] { order.compactMap { entries[$0] } }
    var learned: [PeerTarget] { all.map(\.target).filter { $0.origin == .learned } }
    var dialsCount: Int { dials.count }
    func address(of dial: DialID) -> PeerAddress? { dials[dial] }
    func target(_ address: PeerAddress) -> PeerTarget? { entries[address]?.target }

    /// Nodes that a person named here, or that were met at an address that a person named.
    var listedNodes: Set<NodeID> {
        Set(entries.values.lazy.map(\.target).filter { $0.origin == .listed }.compactMap(\.node))
    }

    func isListed(_ node: NodeID) -> Bool {
        entries.values.contains { $0.target.origin == .listed && $0.target.node == node }
    }

    // MARK: The lists

    /// Takes over the peers file; those no longer listed are dialled no more.
    ///
    /// - Returns: the sessions that were dialled there, or with another node than is listed now.
    mutating func list(_ targets: [PeerTarget]) -> [SessionID] {
        let addresses = Set(targets.map(\.address))
        var sessions: [SessionID] = []
        for address in order where entries[address]?.target.origin == .listed && !addresses.contains(address) {
            if case .connected(let session) = entries[address]?.state { sessions.append(session) }
            remove(address)
        }
        for target in targets {
            if let known = entries[target.address] {
                guard known.target != target else { continue }
                // Another node is to answer there than the one that did.
                if case .connected(let session) = known.state, let node = known.target.node, target.node != nil,
                    node != target.node
                {
                    sessions.append(session)
                }
                entries[target.address]?.target = target
                entries[target.address]?.impostor = nil
                entries[target.address]?.failure = nil
                // A person has changed the line: what was wrong with it may be right now.
                if case .waiting = known.state { entries[target.address]?.state = .idle }
                if case .own = known.state { entries[target.address]?.state = .idle }
            } else {
                insert(Entry(target: target))
            }
        }
        return sessions
    }

    /// Notes addresses that a peer told of; true if any is new.
    ///
    /// A key costs nothing, and a port neither: whoever dialled from one host (`school`) teaches as much as one peer, and of one
    /// host few are learned from others.
    mutating func learn(
        _ peers: [HeardPeer],
        from teacher: NodeID,
        at school: HostNetwork? = nil,
        own: NodeID,
        now: UInt64
    ) -> Bool {
        var hasChanged = false
        for peer in peers where peer.node != own && entries[peer.address] == nil {
            // Others know the node by other addresses; one is enough, as long as it answers there.
            let known = all.filter { $0.target.node == peer.node }
            guard known.allSatisfy(\.isVain) else { continue }
            let isRoom = taught(by: teacher, at: school).count < Limits.learnedPeersPerPeerCount
            // Who has told enough takes nobody else's place.
            guard known.isEmpty || isRoom else { continue }
            guard taughtCount(at: peer.address.host) < Limits.learnedPeersPerHostCount else { continue }
            guard !known.isEmpty || makeRoom(forTeacher: teacher, at: school) else { break }
            for entry in known { remove(entry.target.address) }
            let target = PeerTarget(address: peer.address, node: peer.node, origin: .learned)
            insert(Entry(target: target, teacher: teacher, school: school))
            hasChanged = true
        }
        return hasChanged
    }

    /// What a teacher told long ago gives way to what it tells now, and where the list is full what the one told who told most:
    /// so the list is renewed, and nobody's share of it grows at the cost of one that is smaller. False if there is no room.
    private mutating func makeRoom(forTeacher teacher: NodeID, at school: HostNetwork?) -> Bool {
        let taught = taught(by: teacher, at: school)
        guard taught.count < Limits.learnedPeersPerPeerCount else { return removeOldestTold(of: taught) }
        guard learned.count >= Limits.learnedPeersCount else { return true }
        let shares = Dictionary(grouping: all.filter(\.isTold)) { entry in
            entry.school.map(Share.school) ?? entry.teacher.map(Share.teacher)
        }
        let largest = shares.values.map(\.count).max() ?? 0
        guard largest > taught.count + 1 else { return false }
        return removeOldestTold(of: shares.values.filter { $0.count == largest }.flatMap(\.self))
    }

    private func taught(by teacher: NodeID, at school: HostNetwork?) -> [Entry] {
        all.filter { $0.teacher == teacher || (school != nil && $0.school == school) }
    }

    /// Who told of addresses, as far as they are counted together.
    private enum Share: Hashable {
        case teacher(NodeID)
        case school(HostNetwork)
    }

    private mutating func removeOldestTold(of told: [Entry]) -> Bool {
        let removable = told.filter { $0.isTold && $0.isUnreached }
        guard let oldest = removable.min(by: { $0.number < $1.number }) else { return false }
        remove(oldest.target.address)
        return true
    }

    /// Nodes that were met within a day, for a peer that asks: some by chance, so that askers come to know different ones.
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

    /// One of them by chance.
    mutating func choose(_ sessions: [SessionID]) -> SessionID? { sessions.randomElement(using: &chance) }

    // MARK: Dialling

    /// What is to be dialled now: all who are listed, and while there are few connections some of the others by chance.
    ///
    /// By chance, as HyParView (DSN 2007) takes neighbours from its passive view: whoever has an address that sorts well is
    /// nobody's first choice, and the nodes that learned the same addresses do not all dial the same.
    mutating func dial(now: UInt64, sessions: Int, connected: Set<NodeID>) -> [(DialID, PeerTarget)] {
        var due: [(DialID, PeerTarget)] = []
        guard hasRoom(sessions, Limits.sessionsCount) else { return [] }
        var learned: [PeerAddress] = []
        for address in order {
            guard let entry = entries[address], isDue(entry, now: now), mayDial(entry, now: now, connected)
            else { continue }
            if entry.target.origin != .listed {
                learned.append(address)
            } else if hasRoom(sessions, Limits.sessionsCount) {
                due.append(begin(entry.target))
            }
        }
        while hasRoom(sessions, Limits.wantedSessionsCount), !learned.isEmpty {
            let place = Int.random(in: learned.indices, using: &chance)
            learned.swapAt(place, learned.count - 1)
            if let entry = entries[learned.removeLast()] { due.append(begin(entry.target)) }
        }
        return due
    }

    private func hasRoom(_ sessions: Int, _ most: Int) -> Bool {
        dials.count < Limits.dialsCount && sessions + dials.count < most
    }

    private func mayDial(_ entry: Entry, now: UInt64, _ connected: Set<NodeID>) -> Bool {
        if let node = entry.target.node, connected.contains(node) || penalties.end(.node(node), now: now) != nil {
            return false
        }
        return penalties.end(.address(entry.target.address), now: now) == nil
    }

    /// How long the target is left alone, and why.
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
        entries[target.address]?.state = .dialling(dial)
        return (dial, target)
    }

    /// When something may be due next, nobody else being connected.
    func nextDue(now: UInt64, sessions: Int, connected: Set<NodeID>) -> UInt64? {
        guard dials.count < Limits.dialsCount, sessions + dials.count < Limits.sessionsCount else { return nil }
        return all.compactMap { entry -> UInt64? in
            // As `dial` counts: what may not be dialled now is due when a dial or a session ends, not before.
            let isWanted =
                entry.target.origin == .listed || sessions + dials.count < Limits.wantedSessionsCount
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

    /// The dial has become a connection.
    mutating func opened(_ dial: DialID, _ session: SessionID) {
        guard let address = dials.removeValue(forKey: dial) else { return }
        entries[address]?.state = .connected(session)
        entries[address]?.failure = nil
    }

    /// The dial came to nothing; milliseconds until the next.
    mutating func failed(_ dial: DialID, _ failure: DialFailure, now: UInt64) -> (PeerAddress, UInt64)? {
        guard let address = dials.removeValue(forKey: dial) else { return nil }
        entries[address]?.failure = failure
        let delay = wait(address, now: now)
        // What was only heard of and never answers makes room for others.
        if let entry = entries[address], entry.target.origin == .learned, entry.failures > Limits.learnedPeerAttempts {
            remove(address)
        }
        return (address, delay)
    }

    /// The peer of an outgoing session has shown who it is; true if that pins a listed address.
    mutating func met(_ node: NodeID, at address: PeerAddress, now: UInt64) -> Bool {
        guard let entry = entries[address] else { return false }
        entries[address]?.impostor = nil
        entries[address]?.metAt = now
        entries[address]?.isReached = true
        guard entry.target.node == nil else { return false }
        entries[address]?.target = PeerTarget(address: address, node: node, origin: entry.target.origin)
        return entry.target.origin == .listed
    }

    /// Another node answers there than the one that is expected.
    mutating func met(impostor: NodeID, at address: PeerAddress) {
        entries[address]?.impostor = impostor
    }

    /// A peer that dialled this node says where it can be reached.
    mutating func heard(_ node: NodeID, from address: PeerAddress, now: UInt64) -> Bool {
        if entries[address] != nil {
            if entries[address]?.target.node == node { entries[address]?.metAt = now }
            return false
        }
        // It has moved, and knows best where to. What a person listed stays, and where it was reached, unless it answers there
        // no more or its host is the same: it may call from where nobody can call it.
        let known = all.filter { $0.target.node == node }
        let isMoved = known.allSatisfy { entry in
            entry.target.origin == .learned && entry.mayGiveWay
                && (!entry.isReached || entry.failure != nil || entry.target.address.host == address.host)
        }
        let isHere = known.contains { $0.target.address.host == address.host }
        guard isMoved, isHere || makeRoom(at: address.host), !known.isEmpty || makeRoom() else { return false }
        for entry in known { remove(entry.target.address) }
        let target = PeerTarget(address: address, node: node, origin: .learned)
        insert(Entry(target: target, metAt: now, teacher: node))
        return true
    }

    /// Somebody on the local network says that a node is here; true if that is news.
    ///
    /// Nothing vouches for it: whoever knows the network's name can say so of any address. So there are few of them, the
    /// one found first gives way, and what never answers is forgotten as other learned addresses are.
    mutating func find(_ address: PeerAddress, now: UInt64) -> Bool {
        guard entries[address] == nil else { return false }
        let found = all.filter { $0.foundAt != nil }
        let ofHost = found.filter { $0.target.address.host == address.host }
        if ofHost.count >= Limits.learnedPeersPerHostCount {
            guard removeOldest(of: ofHost) else { return false }
        } else if found.count >= Limits.foundPeersCount {
            guard removeOldest(of: found) else { return false }
        }
        guard makeRoom() else { return false }
        insert(Entry(target: PeerTarget(address: address, node: nil, origin: .learned), foundAt: now))
        return true
    }

    private mutating func removeOldest(of found: [Entry]) -> Bool {
        guard let oldest = found.filter(\.isUnreached).min(by: { ($0.foundAt ?? 0) < ($1.foundAt ?? 0) }) else {
            return false
        }
        remove(oldest.target.address)
        return true
    }

    /// Entries at a host that somebody else than the node itself told of. The nodes of one machine are many hosts in one.
    private func taughtCount(at host: String) -> Int {
        guard !NodeMachine.isLoopback(host) else { return 0 }
        let network = HostNetwork(host)
        return entries.values.count {
            $0.teacher != nil && $0.teacher != $0.target.node && HostNetwork($0.target.address.host) == network
        }
    }

    /// Where the list is full, the oldest that was only told of and never reached gives way to who is there; false if there is
    /// none.
    private mutating func makeRoom() -> Bool {
        guard learned.count >= Limits.learnedPeersCount else { return true }
        let idle = entries.values.filter { entry in
            entry.target.origin == .learned && entry.isUnreached && entry.teacher != entry.target.node
        }
        guard let oldest = idle.min(by: { $0.number < $1.number }) else { return false }
        remove(oldest.target.address)
        return true
    }

    /// Of those that said they are at one host, the one that was heard of longest ago and never reached gives way; false if
    /// there is none. The nodes of one machine are many hosts in one.
    private mutating func makeRoom(at host: String) -> Bool {
        guard !NodeMachine.isLoopback(host) else { return true }
        let network = HostNetwork(host)
        let neighbours = all.filter {
            $0.teacher != nil && $0.teacher == $0.target.node && HostNetwork($0.target.address.host) == network
        }
        guard neighbours.count >= Limits.learnedPeersPerHostCount else { return true }
        guard let oldest = neighbours.filter(\.isUnreached).min(by: { $0.metAt ?? 0 < $1.metAt ?? 0 }) else {
            return false
        }
        remove(oldest.target.address)
        return true
    }

    /// An outgoing session was replaced, though this node has no newer one: it waits like a refused one once that happens again
    /// and again. True if so.
    mutating func replaced(
        _ address: PeerAddress,
        _ session: SessionID,
        openedAt: UInt64,
        now: UInt64
    ) -> Bool {
        guard let entry = entries[address], entry.state == .connected(session) else { return false }
        guard let delay = entries[address]?.rivalry.lost(now: now, stood: now - openedAt) else {
            lost(address, session, openedAt: openedAt, refusal: nil, now: now)
            return false
        }
        entries[address]?.state = .waiting(until: now + delay)
        return true
    }

    /// An outgoing session is over; if it stood long enough the backoff begins anew.
    mutating func lost(
        _ address: PeerAddress,
        _ session: SessionID,
        openedAt: UInt64,
        refusal: Goodbye?,
        now: UInt64
    ) {
        guard let entry = entries[address], entry.state == .connected(session) else { return }
        if let refusal { entries[address]?.refusal = refusal }
        if let refusal, refusal.isLasting {
            let delay = Backoff.milliseconds(
                failures: entry.refusals,
                base: Limits.refusalMilliseconds,
                maximum: Limits.refusalMaximumMilliseconds
            )
            entries[address]?.state = .waiting(until: now + delay)
            entries[address]?.refusals += 1
            return
        }
        if now - openedAt >= Limits.steadySessionMilliseconds { entries[address]?.failures = 0 }
        _ = wait(address, now: now)
    }

    /// An outgoing session has come about: nothing was refused.
    mutating func welcomed(_ address: PeerAddress, _ hello: Hello) {
        entries[address]?.rivalry.greeted(hello)
        entries[address]?.refusal = nil
        entries[address]?.refusals = 0
    }

    /// This node carries something else now: who refused it for that may be asked again.
    mutating func reconsider() {
        for address in order where entries[address]?.refusal == .scopeNotServed {
            entries[address]?.refusals = 0
            if case .waiting = entries[address]?.state { entries[address]?.state = .idle }
        }
    }

    /// A node may be dialled again a little later, whoever dialled last.
    mutating func release(_ node: NodeID, now: UInt64) {
        for address in order where entries[address]?.target.node == node && entries[address]?.state == .idle {
            _ = wait(address, now: now)
        }
    }

    mutating func isOwn(_ address: PeerAddress) {
        entries[address]?.state = .own
    }

    mutating func punish(_ subject: Penalties.Subject, now: UInt64) -> UInt64 {
        penalties.punish(subject, now: now)
    }

    /// Somebody waits: plain backoff ends.
    mutating func hurry() {
        for address in order {
            if case .waiting = entries[address]?.state { entries[address]?.state = .idle }
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
            failures: entries[address]?.failures ?? 0,
            base: Limits.dialRetryMilliseconds,
            maximum: Limits.dialRetryMaximumMilliseconds,
            chance: &chance
        )
        entries[address]?.state = .waiting(until: now + delay)
        entries[address]?.failures += 1
        return delay
    }

    private mutating func insert(_ new: Entry) {
        var entry = new
        made += 1
        entry.number = made
        let address = entry.target.address
        guard entries.updateValue(entry, forKey: address) == nil else { return }
        order.insert(address, at: order.firstIndex { $0 > address } ?? order.count)
    }

    private mutating func remove(_ address: PeerAddress) {
        entries[address] = nil
        order.removeAll { $0 == address }
    }
}
