import Entries

/// What others tell of addresses, and how much of that there may be.
extension PeerBook {
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
        for peer in peers where peer.node != own && table[peer.address] == nil {
            // Others know the node by other addresses; one is enough, as long as it answers there.
            let known = all.filter { $0.target.node == peer.node }
            guard known.allSatisfy(\.isVain) else { continue }
            let isRoom = taught(by: teacher, at: school).count < Limits.learnedPeersPerPeerCount
            // Who has told enough takes nobody else's place.
            guard known.isEmpty || isRoom else { continue }
            guard taughtCount(at: peer.address.host) < Limits.learnedPeersPerHostCount else { continue }
            guard !known.isEmpty || makeRoom(forTeacher: teacher, at: school) else { break }
            for entry in known { table.remove(entry.target.address) }
            let target = PeerTarget(address: peer.address, node: peer.node, origin: .learned)
            table.insert(Entry(target: target, teacher: teacher, school: school))
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
        table.remove(oldest.target.address)
        return true
    }

    /// A peer that dialled this node says where it can be reached.
    mutating func heard(_ node: NodeID, from address: PeerAddress, now: UInt64) -> Bool {
        if table[address] != nil {
            if table[address]?.target.node == node { table[address]?.metAt = now }
            return false
        }
        // It has moved, and knows best where to. What a person listed stays, and where it was reached, unless it answers there
        // no more or its host is the same: it may call from where nobody can call it.
        let known = all.filter { $0.target.node == node }
        let isMoved = known.allSatisfy { entry in
            entry.target.origin == .learned && entry.mayGiveWay
                && (!entry.isReached || entry.unanswered > 0 || entry.target.address.host == address.host)
        }
        let isHere = known.contains { $0.target.address.host == address.host }
        guard isMoved, isHere || makeRoom(at: address.host), !known.isEmpty || makeRoom() else { return false }
        for entry in known { table.remove(entry.target.address) }
        let target = PeerTarget(address: address, node: node, origin: .learned)
        table.insert(Entry(target: target, metAt: now, teacher: node))
        return true
    }

    /// Somebody on the local network says that a node is here; true if that is news.
    ///
    /// Nothing vouches for it: whoever knows the network's name can say so of any address, and each is dialled. So there are few
    /// of them, and few new ones in a while; of one host none gives way before it is forgotten, as other learned addresses
    /// are, because it never answers; of many hosts the one that was found first does.
    mutating func find(_ address: PeerAddress, now: UInt64) -> Bool {
        guard table[address] == nil else { return false }
        let found = all.filter { $0.foundAt != nil }
        let ofHost = found.filter { $0.target.address.host == address.host }
        guard ofHost.count < Limits.learnedPeersPerHostCount, foundPace.mayCome(at: now) else { return false }
        if found.count >= Limits.foundPeersCount {
            guard removeOldest(of: found) else { return false }
        }
        guard makeRoom() else { return false }
        foundPace.came(at: now)
        table.insert(Entry(target: PeerTarget(address: address, node: nil, origin: .learned), foundAt: now))
        return true
    }

    private mutating func removeOldest(of found: [Entry]) -> Bool {
        guard let oldest = found.filter(\.isUnreached).min(by: { ($0.foundAt ?? 0) < ($1.foundAt ?? 0) }) else {
            return false
        }
        table.remove(oldest.target.address)
        return true
    }

    /// Entries at a host that somebody else than the node itself told of. The nodes of one machine are many hosts in one.
    private func taughtCount(at host: String) -> Int {
        guard !NodeMachine.isLoopback(host) else { return 0 }
        let network = HostNetwork(host)
        return table.all.count {
            $0.teacher != nil && $0.teacher != $0.target.node && HostNetwork($0.target.address.host) == network
        }
    }

    /// Where the list is full, the oldest that was only told of and never reached gives way to who is there; false if there is
    /// none.
    private mutating func makeRoom() -> Bool {
        guard learned.count >= Limits.learnedPeersCount else { return true }
        let idle = table.all.filter { entry in
            entry.target.origin == .learned && entry.isUnreached && entry.teacher != entry.target.node
        }
        guard let oldest = idle.min(by: { $0.number < $1.number }) else { return false }
        table.remove(oldest.target.address)
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
        table.remove(oldest.target.address)
        return true
    }
}
