import Entries

/// Addresses learned from other nodes, and the bounds on them.
extension PeerBook {
    /// Adds addresses that a peer told of; true if any is new.
    ///
    /// Keys and ports cost nothing: all nodes that dialled from one site (`school`) together may teach as much as one
    /// peer, and few addresses at one host or site are learned from others.
    mutating func learn(
        _ peers: [HeardPeer],
        from teacher: NodeID,
        at school: HostNetwork? = nil,
        own: NodeID,
        now: UInt64
    ) -> Bool {
        var hasChanged = false
        for peer in peers where peer.node != own && table[peer.address] == nil {
            // Others know the node by other addresses; one is enough, as long as it answers.
            let known = all.filter { $0.target.node == peer.node }
            guard known.allSatisfy(\.isVain) else { continue }
            let neighbours = others(than: peer.node, atSiteOf: peer.address.host)
            let isRoom =
                neighbours.count < Limits.learnedPeersPerSiteCount
                && taught(by: teacher, at: school).count < Limits.learnedPeersPerPeerCount
            // A teacher with a full share replaces nobody's addresses, and none gains one at a full site.
            guard known.isEmpty || isRoom else { continue }
            guard taughtCount(at: peer.address.host) < Limits.learnedPeersPerHostCount else { continue }
            guard !known.isEmpty || makeRoomForTaught(by: teacher, at: school, among: neighbours) else { continue }
            for entry in known { table.remove(entry.target.address) }
            let target = PeerTarget(address: peer.address, node: peer.node, origin: .learned)
            table.insert(Entry(target: target, teacher: teacher, school: school))
            hasChanged = true
        }
        return hasChanged
    }

    /// Makes room for a teacher: its own oldest address gives way, or in a full list one of whoever taught most. So the
    /// list is renewed, and no share grows at the cost of a smaller one. At a full site the same is done among the
    /// site's addresses alone (`neighbours`): one goes for one. False if there is no room.
    private mutating func makeRoomForTaught(
        by teacher: NodeID,
        at school: HostNetwork?,
        among neighbours: [Entry]
    ) -> Bool {
        let isSiteFull = neighbours.count >= Limits.learnedPeersPerSiteCount
        let crowd = isSiteFull ? neighbours : all
        let own = crowd.filter { isTaught($0, by: teacher, at: school) }
        let isShareFull = taught(by: teacher, at: school).count >= Limits.learnedPeersPerPeerCount
        guard !isShareFull else { return removeOldestTold(of: own) }
        guard isSiteFull || learned.count >= Limits.learnedPeersCount else { return true }
        let shares = Dictionary(grouping: crowd.filter(\.isTold)) { entry in
            entry.school.map(Share.school) ?? entry.teacher.map(Share.teacher)
        }
        let largest = shares.values.map(\.count).max() ?? 0
        guard largest > own.count + 1 else { return false }
        return removeOldestTold(of: shares.values.filter { $0.count == largest }.flatMap(\.self))
    }

    private func taught(by teacher: NodeID, at school: HostNetwork?) -> [Entry] {
        all.filter { isTaught($0, by: teacher, at: school) }
    }

    private func isTaught(_ entry: Entry, by teacher: NodeID, at school: HostNetwork?) -> Bool {
        entry.teacher == teacher || (school != nil && entry.school == school)
    }

    /// Learned addresses of other nodes at the site of a host. Not counted are those found on the local network, which
    /// have bounds of their own, and loopback, since the nodes of one machine share it.
    private func others(than node: NodeID, atSiteOf host: String) -> [Entry] {
        guard !NodeMachine.isLoopback(host) else { return [] }
        let site = HostNetwork.site(of: host)
        return all.filter { entry in
            entry.target.origin == .learned && entry.foundAt == nil && entry.target.node != node
                && entry.site == site
        }
    }

    /// The teachers whose addresses are counted together.
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

    /// Learns the address of a peer that dialled this node, from its Hello.
    mutating func heard(_ node: NodeID, from address: PeerAddress, now: UInt64) -> Bool {
        if table[address] != nil {
            if table[address]?.target.node == node { table[address]?.metAt = now }
            return false
        }
        // The peer may have moved, and knows best where to. A listed address stays. So does one where it was reached,
        // unless that does not answer any more or is at the same host: the peer may dial from where nobody can reach
        // it.
        let known = all.filter { $0.target.node == node }
        let isMoved = known.allSatisfy { entry in
            entry.target.origin == .learned && entry.mayGiveWay
                && (!entry.isReached || entry.unanswered > 0 || entry.target.address.host == address.host)
        }
        let isHere = known.contains { $0.target.address.host == address.host }
        guard isMoved, isHere || makeRoomAtHost(address.host, for: node), !known.isEmpty || makeRoomInList() else {
            return false
        }
        for entry in known { table.remove(entry.target.address) }
        let target = PeerTarget(address: address, node: node, origin: .learned)
        table.insert(Entry(target: target, metAt: now, teacher: node))
        return true
    }

    /// Adds an address found on the local network; true if it is new.
    ///
    /// Nothing vouches for it: whoever knows the network's name can send a beacon for any address, and each is dialled.
    /// So these are few, and few new ones are taken in a while. At one host none gives way until it is forgotten for
    /// never answering, as other learned addresses are; among many hosts the one found first does.
    mutating func find(_ address: PeerAddress, now: UInt64) -> Bool {
        guard table[address] == nil else { return false }
        let found = all.filter { $0.foundAt != nil }
        let ofHost = found.filter { $0.target.address.host == address.host }
        guard ofHost.count < Limits.learnedPeersPerHostCount, foundRate.mayCome(at: now) else { return false }
        if found.count >= Limits.foundPeersCount {
            guard removeOldest(of: found) else { return false }
        }
        guard makeRoomInList() else { return false }
        foundRate.came(at: now)
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

    /// Entries at a host that another node told of. Loopback is not counted, since the nodes of one machine share it.
    private func taughtCount(at host: String) -> Int {
        guard !NodeMachine.isLoopback(host) else { return 0 }
        let network = HostNetwork(host)
        return table.all.count {
            $0.teacher != nil && $0.teacher != $0.target.node && $0.network == network
        }
    }

    /// Makes room in a full list: the oldest address that was only told of and never reached gives way; false if there
    /// is none.
    private mutating func makeRoomInList() -> Bool {
        guard learned.count >= Limits.learnedPeersCount else { return true }
        let idle = table.all.filter { entry in
            entry.target.origin == .learned && entry.isUnreached && entry.teacher != entry.target.node
        }
        guard let oldest = idle.min(by: { $0.number < $1.number }) else { return false }
        table.remove(oldest.target.address)
        return true
    }

    /// Makes room at a host for a node that dialled: of the nodes there that did, and of all that are known at its
    /// site, the one heard longest ago and never reached gives way; false if there is none. Loopback is not bounded,
    /// since the nodes of one machine share it.
    private mutating func makeRoomAtHost(_ host: String, for node: NodeID) -> Bool {
        guard !NodeMachine.isLoopback(host) else { return true }
        let network = HostNetwork(host)
        let neighbours = all.filter {
            $0.teacher != nil && $0.teacher == $0.target.node && $0.network == network
        }
        if neighbours.count >= Limits.learnedPeersPerHostCount {
            guard removeLongestUnheard(of: neighbours) else { return false }
        }
        // Without it, whoever has many networks in one site would take the place of everybody else, and at a start all
        // that was learned before counts as never reached.
        let others = others(than: node, atSiteOf: host)
        return others.count < Limits.learnedPeersPerSiteCount || removeLongestUnheard(of: others)
    }

    private mutating func removeLongestUnheard(of neighbours: [Entry]) -> Bool {
        let longest = neighbours.filter(\.isUnreached).min { first, second in
            (first.metAt ?? 0, first.number) < (second.metAt ?? 0, second.number)
        }
        guard let longest else { return false }
        table.remove(longest.target.address)
        return true
    }
}
