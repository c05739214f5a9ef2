import Entries

/// Dispatch of received messages, and peer exchange.
extension NodeMachine {
    /// Decodes and handles a message.
    ///
    /// - Returns: the part of `room` that it took.
    mutating func take(_ frame: Frame, from id: SessionID, atMost room: Int) -> Int {
        do throws(SyncViolation) {
            // Unknown types, and those of a later version than the link's, are ignored; known types before Hello are
            // violations.
            guard isSpoken(frame.type, with: id), let message = try Message(frame) else { return 1 }
            try begin(message, costing: frame.creditBytes, from: id)
            return take(message, costing: frame.creditBytes, from: id, atMost: room)
        } catch {
            violated(id, error)
            return 1
        }
    }

    /// Notes a message before its first part is handled.
    private mutating func begin(_ message: Message, costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        switch message {
        case .changes: links[id]?.asking.beginNews()
        // The credit is charged for the whole message, whenever its parts are read.
        case .chunks: guard links[id]?.grantedCredit.take(cost) ?? true else { throw .overCredit }
        case .hello, .ownLog, .want, .prefixWanted, .prefix, .bodiesWanted, .bodies, .keepAlive, .compare, .comparison,
            .peersWanted, .peers, .credit, .goodbye, .reconcile, .itemsWanted, .items, .nodesWanted, .nodes, .branch:
            break
        }
    }

    /// Handles a message, or what was left of one: as much as `room` allows. The rest goes back to the unread messages
    /// with its share of the cost.
    ///
    /// - Returns: the part of `room` that it took.
    mutating func take(_ message: Message, costing cost: UInt64, from id: SessionID, atMost room: Int) -> Int {
        var message = message
        var cost = cost
        do throws(SyncViolation) {
            if let parts = message.parted(after: room) {
                message = parts.first
                let rest = cost - min(cost, message.chunkBytes)
                cost -= rest
                sessions[id]?.unread.putBack(parts.rest, costing: rest)
            }
            try take(message, costing: cost, from: id)
        } catch {
            violated(id, error)
        }
        return message.weight
    }

    /// Whether a message type is read: not one of a later version than the link's.
    private func isSpoken(_ type: UInt8, with id: SessionID) -> Bool {
        guard let type = MessageType(rawValue: type) else { return true }
        guard let link = links[id] else { return isHeard(type, ofGuest: id) }
        return type.version <= link.version
    }

    private mutating func take(_ message: Message, costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        guard let phase = sessions[id]?.phase else { return }
        switch (phase, message) {
        case (.handshake, _): return
        case (_, .goodbye(let goodbye)):
            if isRefusedAgain(id, goodbye) { sessions[id]?.refusal = goodbye } else { refused(id, goodbye, by: .peer) }
            close(id, nil, reason: .goodbye(goodbye))
        case (.greeting(let node), .hello(let hello)): greeted(id, node, hello)
        case (.greeting, _): throw .helloMissing
        case (.ready, .hello), (.visiting, .hello): throw .secondHello
        case (.visiting(let node, let visit), .peersWanted): answerGuest(id, node, visit)
        case (.visiting, _): return
        case (.ready, _): try takeReady(message, costing: cost, from: id)
        }
    }

    /// Whether a peer that was dialled is full again, as when a connection with it ended last: that is told once, until
    /// it welcomes this node.
    private func isRefusedAgain(_ id: SessionID, _ goodbye: Goodbye) -> Bool {
        guard goodbye == .tooManyPeers, let session = sessions[id], session.isOutgoing, let address = session.address
        else { return false }
        return peers.table[address]?.refusal == goodbye
    }

    private mutating func takeReady(_ message: Message, costing cost: UInt64, from id: SessionID) throws(SyncViolation)
    {
        if !message.isIdle { links[id]?.calm.disturb(now: time) }
        switch message {
        case .ownLog(let answer): try heardOwnLog(answer, from: id)
        case .changes(let changes): try heardChanges(changes, from: id)
        case .want(let wants): try heardWant(wants, from: id)
        case .chunks(let chunks): try heardChunks(chunks, costing: cost, from: id)
        case .prefixWanted(let question): try heardPrefixWanted(question, from: id)
        case .prefix(let answer): try heardPrefix(answer, from: id)
        case .nodesWanted(let question): try heardNodesWanted(question, from: id)
        case .nodes(let answer): try heardNodes(answer, from: id)
        case .bodiesWanted(let places): try heardBodiesWanted(places, from: id)
        case .bodies(let answers): try heardBodies(answers, costing: cost, from: id)
        case .keepAlive(let word): try heardKeepAlive(word, from: id)
        case .compare(let page): try heardCompare(page, from: id)
        case .comparison(let answer): try heardComparison(answer, from: id)
        case .peersWanted: heardPeersWanted(from: id)
        case .peers(let peers): try heardPeers(peers, from: id)
        case .credit(let bytes): links[id]?.serving.allow(bytes)
        case .reconcile(let message): try heardReconcile(message, from: id)
        case .itemsWanted(let question): try heardItemsWanted(question, from: id)
        case .items(let items): try heardItems(items, from: id)
        case .branch(let branching): heardBranch(branching, from: id)
        case .hello, .goodbye: return
        }
    }

    private mutating func heardPeersWanted(from id: SessionID) {
        guard configuration.exchange == .on, let link = links[id] else { return }
        if let last = link.peersAnsweredAt, last + Limits.peersWantedMilliseconds > time { return }
        links[id]?.peersAnsweredAt = time
        send(.peers(tellable(to: id, link.node)), to: id)
    }

    /// The addresses that a peer is told.
    mutating func tellable(to id: SessionID, _ node: NodeID) -> [HeardPeer] {
        peers.share(except: node, now: time).filter { isTellable($0, to: id) }
    }

    /// Asks a peer for addresses.
    mutating func wantPeers(of id: SessionID) {
        send(.peersWanted, to: id)
        links[id]?.peersAskedAt = time
        links[id]?.awaitsPeers = true
    }

    /// Asks a random link for addresses if none was asked for long, like HyParView's shuffle.
    ///
    /// Questions on new links do not put that off: whoever comes and goes would be the only one that is ever asked. A
    /// new link waits as long itself, since it may not answer twice in a minute, and none is asked again before it has
    /// answered.
    mutating func renewPeers() {
        guard configuration.exchange == .on, time >= peersRenewalAt else { return }
        let moments = order.compactMap { id in renewal(of: id).map { (id, moment: $0) } }
        let due = moments.filter { $0.moment <= time }.map(\.0)
        peersRenewalAt = time + Limits.peersRenewalMilliseconds
        if let id = peers.choose(due) {
            wantPeers(of: id)
        } else if let first = moments.map(\.moment).min() {
            peersRenewalAt = min(peersRenewalAt, first)
        }
    }

    /// When a link may be asked for addresses again; nil: it has not answered yet.
    private func renewal(of id: SessionID) -> UInt64? {
        guard links.contains(id), links[id]?.awaitsPeers == false else { return nil }
        return (links[id]?.peersAskedAt ?? 0) + Limits.peersRenewalMilliseconds
    }

    private mutating func heardPeers(_ heard: [HeardPeer], from id: SessionID) throws(SyncViolation) {
        guard let link = links[id], link.awaitsPeers else { throw .unaskedAnswer }
        links[id]?.awaitsPeers = false
        guard configuration.exchange == .on else { return }
        let usable = heard.filter { isTellable($0, to: id) && HostSpelling.isUsual($0.address.host) }
        var school: HostNetwork?
        if let session = sessions[id], !session.isOutgoing, let host = session.address?.host, !Self.isLoopback(host) {
            school = HostNetwork.site(of: host)
        }
        if peers.learn(usable, from: link.node, at: school, own: configuration.node, now: time) {
            dialSchedule.invalidate()
            effects.append(.learnPeers(peers.learned))
        }
    }

    /// Whether an address may pass over a session: loopback addresses mean something only within one machine.
    private func isTellable(_ peer: HeardPeer, to id: SessionID) -> Bool {
        !Self.isLoopback(peer.address.host) || Self.isLoopback(sessions[id]?.address?.host ?? "")
    }

    package static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || (host.hasPrefix("127.") && HostSpelling.isIPv4(host))
    }
}
