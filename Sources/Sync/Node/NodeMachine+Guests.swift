import Entries

/// Admission of incoming connections, and guests: connections beyond the limit that are told addresses
/// (`protocol/sync.md` §11).
///
/// Without guests a node that knows one other node only, and finds it full, would never come to know another.
extension NodeMachine {
    /// Admission of another incoming connection from this host; nil: it is turned away.
    func admission(for host: String?) -> Session.Admission? {
        let incoming = sessions.values.filter { !$0.isOutgoing }
        let strangers = incoming.filter { $0.node == nil }
        // Loopback is exempt: one machine may run many nodes.
        let host = host.flatMap { Self.isLoopback($0) ? nil : $0 }
        func neighbours(among sessions: [Session], _ network: (String) -> HostNetwork = { HostNetwork($0) }) -> Int {
            guard let own = host.map(network) else { return 0 }
            return sessions.count { $0.address.map { network($0.host) } == own }
        }
        guard strangers.count < Limits.strangersCount, neighbours(among: strangers) < Limits.strangersPerHostCount,
            neighbours(among: strangers, HostNetwork.site) < Limits.strangersPerSiteCount
        else { return nil }
        guard isFull else { return .peer }
        guard configuration.exchange == .on else { return nil }
        let guests = incoming.filter { $0.admission == .guest }
        guard guests.count < Limits.guestsCount, neighbours(among: guests) < Limits.guestsPerHostCount
        else { return nil }
        return .guest
    }

    /// Closes the oldest stranger of the host with most of them, if there are as many strangers as may be, in all or at
    /// the caller's site: keeping connections open without a handshake keeps nobody else out. Does nothing for a host
    /// that has its share: it is turned away in any case.
    mutating func makeRoomForStranger(from host: String?) {
        var crowd = order.compactMap { sessions[$0] }.filter { !$0.isOutgoing && $0.node == nil }
        let isFull = crowd.count >= Limits.strangersCount
        if let host, !Self.isLoopback(host) {
            let (own, site) = (HostNetwork(host), HostNetwork.site(of: host))
            let neighbours = crowd.filter { $0.address.map { HostNetwork.site(of: $0.host) } == site }
            guard
                neighbours.count(where: { $0.address.map { HostNetwork($0.host) } == own })
                    < Limits.strangersPerHostCount
            else { return }
            if neighbours.count >= Limits.strangersPerSiteCount {
                crowd = neighbours
            } else if !isFull {
                return
            }
        } else if !isFull {
            return
        }
        let networks = crowd.map { $0.address.map { HostNetwork($0.host) } }
        let counts = networks.reduce(into: [HostNetwork?: Int]()) { $0[$1, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        let slow = zip(crowd, networks).first { stranger, network in
            counts[network] == most && stranger.openedAt + Limits.strangerMilliseconds <= time
        }
        if let slow { close(slow.0.id, nil) }
    }

    /// Whether a node that dials now becomes no peer.
    var isFull: Bool {
        let peers = sessions.values.filter { $0.admission == .peer }
        return peers.count >= Limits.sessionsCount
            || peers.count { !$0.isOutgoing } >= Limits.incomingSessionsCount
    }

    /// Connections that are or may become links.
    var peerSessionsCount: Int { sessions.values.count { $0.admission == .peer } }

    /// Links with other machines: while there is one, this machine has a network.
    var farLinksCount: Int {
        sessions.values.count { $0.isReady && isFar($0) }
    }

    /// Whether the other end is another machine.
    func isFar(_ session: Session) -> Bool {
        session.address.map { !Self.isLoopback($0.host) } ?? false
    }

    /// Connections that count where learned addresses are dialled while there are few: all that this node dialled, and
    /// some of the links that others dialled. It has not chosen those, and anybody may dial it as often as it has room.
    var neighboursCount: Int {
        let dialled = sessions.values.count { $0.isOutgoing }
        let others = sessions.values.count { $0.isReady && !$0.isOutgoing }
        return dialled + min(others, Limits.incomingNeighboursCount)
    }

    /// Makes a guest a peer if there is room by now: a connection has gone, maybe an older one of the same node.
    mutating func admitGuest(_ id: SessionID) {
        if sessions[id]?.admission == .guest, !isFull { sessions[id]?.admission = .peer }
    }

    /// Closes the youngest incoming connections of the sites with most, for a guest whose site has fewer: one, or as
    /// many as there are above the limits and one more; none if that many cannot be had.
    ///
    /// The site that gives way has to have two connections more than the guest's, and more than a quarter of the
    /// incoming limit; connections of listed nodes do not count. Keys cost nothing, so a few hosts with many keys would
    /// otherwise keep all others out. One address may be a campus, which keeps that quarter; a home line with many IPv6
    /// networks counts as one.
    mutating func makeRoom(forGuest id: SessionID) {
        guard sessions[id]?.admission == .guest, isFull else { return }
        let peers = sessions.values.filter { $0.admission == .peer }
        let above = max(
            peers.count - Limits.sessionsCount,
            peers.count { !$0.isOutgoing } - Limits.incomingSessionsCount
        )
        let listed = self.peers.listedNodes
        var crowds: [HostNetwork: [SessionID]] = [:]
        for other in order.compactMap({ sessions[$0] }) where !other.isOutgoing && other.admission == .peer {
            // Loopback is exempt: one machine may run many nodes.
            guard let node = other.node, !listed.contains(node), let host = other.address?.host, !Self.isLoopback(host)
            else { continue }
            crowds[.site(of: host), default: []].append(other.id)
        }
        let own = sessions[id]?.address.map { crowds[.site(of: $0.host)]?.count ?? 0 } ?? 0
        let kept = max(own + 1, Limits.incomingSessionsCount / 4)
        guard crowds.values.reduce(0, { $0 + max(0, $1.count - kept) }) > above else { return }
        for _ in 0...max(0, above) {
            // Of sites with as many, the one whose last connection is the youngest.
            let largest = crowds.max { first, second in
                (first.value.count, place(of: first.value.last)) < (second.value.count, place(of: second.value.last))
            }
            guard let (site, crowd) = largest, let youngest = crowd.last else { return }
            crowds[site]?.removeLast()
            close(youngest, .tooManyPeers, reason: .gaveWay)
        }
    }

    /// The place of a session in the order in which they were opened.
    private func place(of id: SessionID?) -> Int { id.flatMap { order.firstIndex(of: $0) } ?? -1 }

    /// Makes the session a guest: it may ask for addresses once, and is closed before long.
    mutating func receiveGuest(_ id: SessionID, _ node: NodeID) {
        sessions[id]?.phase = .visiting(node, Session.Visit(until: time + Limits.guestMilliseconds))
    }

    /// Whether a message of this type is read: of a guest only three types are.
    func isHeard(_ type: MessageType, ofGuest id: SessionID) -> Bool {
        guard case .visiting = sessions[id]?.phase else { return true }
        return type == .peersWanted || type == .goodbye || type == .hello
    }

    /// Answers a guest with addresses, once; its connection is closed a little later.
    mutating func answerGuest(_ id: SessionID, _ node: NodeID, _ visit: Session.Visit) {
        guard !visit.isAnswered else { return }
        send(.peers(tellable(to: id, node)), to: id)
        let until = time + Limits.guestLingerMilliseconds
        sessions[id]?.phase = .visiting(node, Session.Visit(until: until, isAnswered: true))
    }

    /// Whether the time of a guest is over.
    func isGuestOverdue(_ id: SessionID) -> Bool {
        guard case .visiting(_, let visit) = sessions[id]?.phase else { return false }
        return time >= visit.until
    }
}
