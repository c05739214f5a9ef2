import Entries

/// Who is let in, and what a node that has no room has for newcomers all the same (`protocol/sync.md §11`).
///
/// Whoever knows one node only, and finds it full, would never come to know another.
extension NodeMachine {
    /// What another connection from this host may be let in for; nil: it is turned away.
    func admission(for host: String?) -> Session.Admission? {
        let incoming = sessions.values.filter { !$0.isOutgoing }
        let strangers = incoming.filter { $0.node == nil }
        // The nodes of one machine are many hosts in one.
        let network = host.flatMap { Self.isLoopback($0) ? nil : HostNetwork($0) }
        func neighbours(among sessions: [Session]) -> Int {
            guard let network else { return 0 }
            return sessions.count { $0.address.map { HostNetwork($0.host) } == network }
        }
        guard strangers.count < Limits.strangersCount, neighbours(among: strangers) < Limits.strangersPerHostCount
        else { return nil }
        guard isFull else { return .peer }
        guard configuration.exchange == .on else { return nil }
        let guests = incoming.filter { $0.admission == .guest }
        guard guests.count < Limits.guestsCount, neighbours(among: guests) < Limits.guestsPerHostCount
        else { return nil }
        return .guest
    }

    /// Where as many as may be have not said who they are, the one that has been at it longest gives way, of the host that has
    /// most of them: whoever only keeps connections open keeps nobody else out. Not for a host that has its share: it is turned
    /// away all the same.
    mutating func makeRoomForStranger(from host: String?) {
        let strangers = order.compactMap { sessions[$0] }.filter { !$0.isOutgoing && $0.node == nil }
        guard strangers.count >= Limits.strangersCount else { return }
        let networks = strangers.map { $0.address.map { HostNetwork($0.host) } }
        if let host, !Self.isLoopback(host) {
            let own = HostNetwork(host)
            guard networks.count(where: { $0 == own }) < Limits.strangersPerHostCount else { return }
        }
        let counts = networks.reduce(into: [HostNetwork?: Int]()) { $0[$1, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        let slow = zip(strangers, networks).first { stranger, network in
            counts[network] == most && stranger.openedAt + Limits.strangerMilliseconds <= time
        }
        if let slow { close(slow.0.id, nil) }
    }

    /// Whoever calls becomes no peer.
    var isFull: Bool {
        let peers = sessions.values.filter { $0.admission == .peer }
        return peers.count >= Limits.sessionsCount
            || peers.count { !$0.isOutgoing } >= Limits.incomingSessionsCount
    }

    /// Connections that are or may become links.
    var peerSessionsCount: Int { sessions.values.count { $0.admission == .peer } }

    /// Connections that count where learned addresses are dialled while there are few: all that this node dialled, and
    /// some of the links that others did. Those it has not chosen, and anybody may dial it as often as it has room.
    var neighboursCount: Int {
        let dialled = sessions.values.count { $0.isOutgoing }
        let others = sessions.values.count { $0.isReady && !$0.isOutgoing }
        return dialled + min(others, Limits.incomingNeighboursCount)
    }

    /// There is room by now: a connection has gone, maybe an older one of this node itself.
    mutating func admitGuest(_ id: SessionID) {
        if sessions[id]?.admission == .guest, !isFull { sessions[id]?.admission = .peer }
    }

    /// Of a host that has dialled two connections more than the guest's, and a quarter of all there may be, the youngest gives
    /// way, none of a node that a person listed: a key costs nothing, and with many of them few hosts would keep everybody else
    /// out. Behind one address may be a campus, which keeps that quarter; and a line at home, with many networks, counts once.
    mutating func makeRoom(forGuest id: SessionID) {
        guard sessions[id]?.admission == .guest, isFull else { return }
        let peers = sessions.values.filter { $0.admission == .peer }
        // More than there may be: one the less makes no room.
        guard peers.count <= Limits.sessionsCount,
            peers.count(where: { !$0.isOutgoing }) <= Limits.incomingSessionsCount
        else { return }
        let incoming = order.compactMap { sessions[$0] }.filter { other in
            !other.isOutgoing && other.admission == .peer && !(other.node.map(self.peers.isListed) ?? true)
        }
        // The nodes of one machine are many hosts in one: none of them is one too many.
        let sites = incoming.map {
            $0.address.flatMap { Self.isLoopback($0.host) ? nil : HostNetwork.site(of: $0.host) }
        }
        let counts = sites.reduce(into: [HostNetwork: Int]()) { counts, site in
            if let site { counts[site, default: 0] += 1 }
        }
        let own = sessions[id]?.address.map { counts[HostNetwork.site(of: $0.host), default: 0] } ?? 0
        guard let most = counts.values.max(), most > max(own + 1, Limits.incomingSessionsCount / 4) else { return }
        let youngest = zip(incoming, sites).reversed().first { _, site in site.map { counts[$0] == most } ?? false }
        if let youngest { close(youngest.0.id, .tooManyPeers, reason: .gaveWay) }
    }

    mutating func receiveGuest(_ id: SessionID, _ node: NodeID) {
        sessions[id]?.phase = .visiting(node, Session.Visit(until: time + Limits.guestMilliseconds))
    }

    /// Whether a message of this type is read; of a guest nothing else is.
    func isHeard(_ type: MessageType, ofGuest id: SessionID) -> Bool {
        guard case .visiting = sessions[id]?.phase else { return true }
        return type == .peersWanted || type == .goodbye || type == .hello
    }

    /// Tells a guest of other nodes, once; it is let go a little later.
    mutating func answerGuest(_ id: SessionID, _ node: NodeID, _ visit: Session.Visit) {
        guard !visit.isAnswered else { return }
        send(.peers(tellable(to: id, node)), to: id)
        let until = time + Limits.guestLingerMilliseconds
        sessions[id]?.phase = .visiting(node, Session.Visit(until: until, isAnswered: true))
    }

    /// The time of a guest is over.
    func isGuestOverdue(_ id: SessionID) -> Bool {
        guard case .visiting(_, let visit) = sessions[id]?.phase else { return false }
        return time >= visit.until
    }
}
