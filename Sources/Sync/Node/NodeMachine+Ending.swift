package import Entries

/// Ends of connections: Goodbye, violations and losses, and what happens then to what was asked of the peer
/// (`protocol/sync.md` §11).
extension NodeMachine {
    /// Reports a refusal by one of the two sides, about which a person may do something (`isTold`).
    mutating func refused(_ id: SessionID, _ goodbye: Goodbye, by speaker: NodeReport.Speaker) {
        guard goodbye.isRefusal, let session = sessions[id], let node = session.node else { return }
        sessions[id]?.refusal = goodbye
        guard isTold(.refusal, of: session) else { return }
        effects.append(.report(.refused(node, session.address, goodbye, by: speaker)))
    }

    /// Closes the connection to a peer that broke the protocol, and bans it for a while.
    mutating func violated(_ id: SessionID, _ violation: SyncViolation) {
        guard let session = sessions[id] else { return }
        let delay = culprit(session).map { peers.punish($0, now: time) } ?? 0
        if isTold(.violation, of: session) {
            effects.append(
                .report(.violation(session.node, session.address, violation, backoffMilliseconds: delay))
            )
        }
        close(id, .violation(code: violation.rawValue))
    }

    /// Subject of a ban: the node, or, before its id is known, the dialled address. Not a host that dialled here: one
    /// address may stand for a campus, and the connections of a host are limited anyway.
    private func culprit(_ session: Session) -> Penalties.Subject? {
        if let node = session.node { return .node(node) }
        return session.isOutgoing ? session.address.map { .address($0) } : nil
    }

    /// Whether what a peer did is reported: always of one that a person listed, else as rarely as its host's network
    /// may be complained of. A node id is no bound, since whoever can connect can have as many as it likes, nor is a
    /// call of this node's, since anybody may tell it addresses.
    mutating func isTold(_ kind: Complaints.Kind, of session: Session) -> Bool {
        guard !isListed(session), let address = session.address else { return true }
        return peers.complain(of: HostNetwork(address.host), kind, now: time)
    }

    /// Whether a person listed this node, or an address at which it answers.
    package func isListed(_ node: NodeID) -> Bool { peers.isListed(node) }

    /// Whether a person listed the address.
    package func isListed(_ address: PeerAddress) -> Bool { peers.target(address)?.origin == .listed }

    /// Whether a person listed the peer, by its node or by the address that was dialled.
    func isListed(_ session: Session) -> Bool {
        if let node = session.node, peers.isListed(node) { return true }
        guard session.isOutgoing, let address = session.address else { return false }
        return peers.target(address)?.origin == .listed
    }

    /// Ends a session whose connection was closed, unless this side has closed it.
    mutating func closed(_ id: SessionID) {
        if closing.remove(id) == nil { end(id, .closedByPeer) }
    }

    /// Closes a connection from this side, with a Goodbye if there is one and the channel is open.
    mutating func close(_ id: SessionID, _ goodbye: Goodbye?, reason: LossReason? = nil) {
        guard let session = sessions[id] else { return }
        if let goodbye, session.channel.isOpen {
            send(.goodbye(goodbye), to: id)
            flush(id)
        }
        effects.append(.close(id))
        closing.insert(id)
        end(id, reason)
    }

    /// Ends a session; what was asked of it is asked of others.
    mutating func end(_ id: SessionID, _ reason: LossReason?) {
        let isInStep = isQuiet(id) && isEqual(id)
        guard let session = sessions.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        rests.end(of: id)
        waitingBytes -= session.waitingBytes
        dialSchedule.invalidate()
        let ended = links.removeValue(forKey: id)
        if let link = ended {
            updateReady()
            if let moment = isInStep ? session.heardAt : link.calm.equalAt {
                peers.parted(from: link.node, inStepAt: moment)
            }
            if isFar(session), farLinksCount == 0 { peers.lostNetwork(heardAt: session.heardAt) }
            frontier.close(link.part)
            if let cursor = cursor(of: link), pipeline.forming.batch.cursors.count < Limits.peerCursorsCount {
                pipeline.change { $0.batch.cursors.append(cursor) }
            }
            if let reason { effects.append(.report(.lost(link.node, session.address, reason))) }
        }
        if session.isOutgoing, session.node == nil, let address = session.address, let reason, isNews(reason) {
            effects.append(.report(.unanswered(address)))
        }
        if isReplaced(reason, session), let address = session.address {
            if let node = session.node, peers.replaced(address, id, openedAt: session.openedAt, now: time) {
                effects.append(.report(.refused(node, address, .replaced, by: .peer)))
            }
        } else if session.isOutgoing, let address = session.address {
            peers.lost(
                address,
                id,
                openedAt: session.openedAt,
                refusal: session.refusal,
                links: farLinksCount,
                now: time
            )
        } else if let node = session.node {
            peers.release(node, now: time)
        }
        if let ended { release(ended) }
    }

    /// Whether a loss was not this side's own doing.
    private func isNews(_ reason: LossReason) -> Bool { reason != .stopping && reason != .removed }

    /// Whether the peer replaced the connection by a newer one of this node's key, although this node has none.
    private func isReplaced(_ reason: LossReason?, _ session: Session) -> Bool {
        guard reason == .goodbye(.replaced), session.isOutgoing else { return false }
        return !sessions.values.contains { $0.node == session.node }
    }

    /// Lets others be asked for what the peer of an ended link offered or was asked for. Sessions without a link did
    /// neither, and cost no search.
    private mutating func release(_ link: Link) {
        let id = link.session
        questions.removeAll(of: id)
        let dropped = pipeline.dropWaiting(from: id)
        for log in requests.withdrawAll(by: id, at: time) + dropped { queue(log) }
        bodies.release(id)
        gaps.release(id)
        for log in wordQueue.drop(id) { release(log) }
        delayed.removeAll(of: id)
        awaited.remove(id)
        if phase == .running { thicken() }
    }

    /// Parts from every peer; the process may end once the machine is idle.
    mutating func stop() {
        phase = .stopping
        for id in order { close(id, .stopping, reason: .stopping) }
    }
}
