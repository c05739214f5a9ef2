import Entries
import Sodium

/// Opening and closing of connections: handshake, Hello, Goodbye (`protocol/sync.md` §3, §11).
extension NodeMachine {
    mutating func open(_ id: SessionID, _ direction: Direction, ephemeral: AgreementKey) {
        var address: PeerAddress?
        var expected: NodeID?
        var admission = Session.Admission.peer
        switch direction {
        case .outgoing(let dial):
            address = peers.address(of: dial)
            expected = address.flatMap { peers.target($0)?.node }
            peers.opened(dial, id)
            // The address was removed meanwhile, so the node that is to answer there is not known.
            if let address, peers.target(address) == nil {
                arePeersChanged = true
                return turnAway(id)
            }
        case .incoming(let host):
            address = host.map { PeerAddress(host: $0, port: 0) }
            makeRoomForStranger(from: host)
            guard let welcome = self.admission(for: host) else { return turnAway(id) }
            admission = welcome
        }
        // A dial may succeed while the node stops.
        guard phase == .running else { return turnAway(id) }
        let key = configuration.key
        var channel: SecureChannel
        var first: [UInt8]?
        switch direction {
        case .outgoing:
            channel = .initiator(
                in: configuration.network,
                as: key,
                ephemeral: ephemeral,
                expecting: expected,
                secret: configuration.secret
            )
            first = channel.start()
        case .incoming:
            channel = .responder(
                in: configuration.network,
                as: key,
                ephemeral: ephemeral,
                secret: configuration.secret
            )
        }
        sessions[id] = Session(
            id: id,
            direction: direction,
            admission: admission,
            address: address,
            channel: channel,
            now: time
        )
        order.append(id)
        if let first { transmit(id, first) }
    }

    /// Closes a connection before any byte is sent.
    private mutating func turnAway(_ id: SessionID) {
        closing.insert(id)
        effects.append(.close(id))
    }

    mutating func take(_ bytes: [UInt8], from id: SessionID) {
        guard sessions.contains(id) else { return }
        sessions[id]?.heardAt = time
        sessions[id]?.bytesReceived += UInt64(bytes.count)
        var events: [ChannelEvent] = []
        var violation: ChannelViolation?
        do throws(ChannelViolation) {
            try sessions[id]?.channel.receive(bytes, into: &events)
        } catch {
            violation = error
        }
        for event in events {
            // A message may have ended the session: the rest is not read.
            guard sessions.contains(id) else { return }
            switch event {
            case .send(let bytes): transmit(id, bytes)
            case .established(let remote, _): established(id, remote)
            case .message(let frame): sessions[id]?.unread.append(.frame(frame))
            }
        }
        // Queued behind the messages before it, however the bytes were cut.
        if let violation { sessions[id]?.unread.append(.violation(violation)) }
    }

    /// Whether complete messages of the session are unread: more of its bytes have to wait.
    package func hasUnread(_ id: SessionID) -> Bool { sessions[id]?.unread.isEmpty == false }

    /// Reads a session's messages, for one turn or all of them.
    mutating func read(_ id: SessionID, _ reading: Reading) {
        var room =
            switch reading {
            case .whole: Int.max
            case .inTurns: Limits.turnItems
            }
        while room > 0, let item = sessions[id]?.unread.popFirst() {
            switch item {
            case .frame(let frame): room -= take(frame, from: id, atMost: room)
            case .rest(let message, let cost):
                room -= take(message, isRest: true, costing: cost, from: id, atMost: room)
            case .violation(let violation): refuse(id, violation)
            }
            // Checked after each message, since one turn may bring many questions with large answers.
            if sessions[id]?.waitingBytes ?? 0 > Limits.queueHardBytes { close(id, nil, reason: .notReading) }
        }
    }

    private mutating func refuse(_ id: SessionID, _ violation: ChannelViolation) {
        switch violation {
        case .wrongNode(let found):
            if let address = sessions[id]?.address, let target = peers.target(address), let expected = target.node {
                peers.met(impostor: found, at: address)
                switch target.origin {
                case .listed: effects.append(.report(.wrongNode(address, expected: expected, found: found)))
                case .learned:
                    // Whoever told of it was wrong, or lied: nothing that a person has to decide.
                    arePeersChanged = true
                    effects.append(.learnPeers(peers.learned))
                }
            }
            close(id, nil)
        case .handshakeRefused: violated(id, .handshake)
        case .noiseMessageLength:
            violated(id, sessions[id]?.node == nil ? .handshake : .decryption)
        case .decryptionFailed: violated(id, .decryption)
        case .messageLength: violated(id, .messageLength)
        }
    }

    private mutating func established(_ id: SessionID, _ remote: NodeID) {
        guard let session = sessions[id] else { return }
        sessions[id]?.phase = .greeting(remote)
        arePeersChanged = true
        guard remote != configuration.node else {
            if session.isOutgoing, let address = session.address, peers.isOwn(address, now: time) {
                effects.append(.report(.connectedToSelf(address)))
            }
            close(id, .connectedToSelf)
            return
        }
        guard peers.penalties.end(.node(remote), now: time) == nil else {
            close(id, .tooManyPeers)
            return
        }
        if session.isOutgoing, let address = session.address, peers.met(remote, at: address, now: time) {
            effects.append(.report(.pinned(address, remote)))
            effects.append(.pin(address, remote))
        }
        for other in order where other != id && sessions[other]?.node == remote {
            let loser = duplicate(of: other, id, remote: remote)
            let admission = sessions[other]?.admission
            close(loser.session, loser.goodbye)
            if loser.session == id { return }
            // `admitGuest` may not do: where the closed connection was outgoing, the incoming ones may still be at
            // their limit.
            if admission == .peer { sessions[id]?.admission = .peer }
        }
        admitGuest(id)
        sessions[id]?.saidLogs = UInt64(frontier.tree(of: scopePart).count)
        send(.hello(hello(to: remote)), to: id)
    }

    /// The connection to close of two with one node: the one dialled by the smaller id stays; of two dialled by one
    /// side, the newer.
    private func duplicate(of older: SessionID, _ newer: SessionID, remote: NodeID) -> (
        session: SessionID, goodbye: Goodbye
    ) {
        let olderIsOurs = sessions[older]?.isOutgoing ?? false
        let newerIsOurs = sessions[newer]?.isOutgoing ?? false
        // A peer silent for longer than its KeepAlives allow is gone, and has dialled anew.
        let silence = Limits.keepAliveMilliseconds + Limits.progressDeadlineMilliseconds
        let isDead = (sessions[older]?.heardAt ?? 0) + silence <= time
        guard olderIsOurs != newerIsOurs, !isDead else { return (older, .replaced) }
        let oursStays = configuration.node < remote
        return (olderIsOurs == oursStays ? newer : older, .duplicateConnection)
    }

    private func hello(to remote: NodeID) -> Hello {
        Hello(
            version: configuration.version,
            store: store,
            number: frontier.number,
            cursor: cursors[remote],
            ownLog: own?.log,
            scope: scope,
            agent: configuration.shortAgent,
            listenPort: configuration.listenPort,
            credit: configuration.credit,
            logs: UInt64(frontier.tree(of: scopePart).count),
            features: configuration.features
        )
    }

    mutating func greeted(_ id: SessionID, _ node: NodeID, _ hello: Hello) {
        guard let session = sessions[id] else { return }
        let version = min(hello.version, configuration.version)
        guard version >= max(hello.oldestVersion, Hello.oldestVersion) else {
            effects.append(.report(.noCommonVersion(node, oldest: hello.oldestVersion)))
            sessions[id]?.refusal = .noCommonVersion
            close(id, .noCommonVersion)
            return
        }
        let isEverything = scope == .everything && hello.scope == .everything
        guard isEverything || (hello.understandsScopes && version >= 2) else {
            refused(id, .scopeNotServed, by: .thisNode)
            close(id, .scopeNotServed)
            return
        }
        makeRoom(forGuest: id)
        admitGuest(id)
        guard sessions[id]?.admission == .peer else { return receiveGuest(id, node) }
        guard links.count < Limits.sessionsCount else {
            close(id, .tooManyPeers)
            return
        }
        if session.isOutgoing, let address = session.address { peers.welcomed(address, hello) }
        sessions[id]?.phase = .ready(node)
        let common = commonScope(with: hello)
        let cursor = known(hello.cursor, under: common)
        let isOwing = cursor == nil && isReconcilable(hello, common, own: session.saidLogs)
        let announcer = cursor.map { Announcer.behind($0.number, of: frontier.number) }
        let saved = cursors[node].flatMap {
            $0.store == hello.store && $0.scope == common.digest ? $0.number : nil
        }
        links[id] = Link(
            session: id,
            node: node,
            role: session.isOutgoing ? .dialler : .listener,
            hello: hello,
            version: version,
            windows: windows(with: hello, in: version),
            branching: branching(with: hello, in: version),
            common: common,
            announcer: announcer ?? (isOwing ? .changes(after: frontier.number) : .unlisted),
            savedNumber: saved ?? 0,
            ownLog: own == nil ? .none : .asked,
            credit: configuration.credit,
            now: time
        )
        links[id]?.isListed = peers.isListed(node)
        countReady()
        effects.append(.report(.connected(node, session.address, agent: hello.agent)))
        if let log = hello.ownLog { show(log, to: id) }
        if isOwing { owe(id) }
        exchangePeers(id, session, hello)
    }

    /// Owes the peer a reconciliation, since its cursor is not known (`protocol/sync.md` §13); the dialler begins it.
    private mutating func owe(_ id: SessionID) {
        links[id]?.owesReconciliation = true
        if links[id]?.role == .listener { send(.reconcile(.begin), to: id) }
    }

    /// Whether windows are in use; a peer that goes on in version 1 may have named them all the same.
    private func windows(with hello: Hello, in version: UInt32) -> Link.Windows {
        guard version >= 2, configuration.features.contains(Hello.windows) else { return .unspoken }
        return hello.features.contains(Hello.windows) ? .spoken : .unspoken
    }

    private mutating func commonScope(with hello: Hello) -> Link.CommonScope {
        let common = scope.intersection(hello.scope)
        return Link.CommonScope(scope: common, part: frontier.open(common), digest: common.digest)
    }

    /// The peer's cursor, if it is known: of a remembered store id, its range and this scope (`protocol/sync.md` §4);
    /// else nil.
    private func known(_ cursor: Cursor?, under common: Link.CommonScope) -> Cursor? {
        let isKnown = ranges.contains { range in
            guard let cursor, range.store == cursor.store, cursor.scope == common.digest else { return false }
            let last = range.store == store ? frontier.number : range.last
            return (range.first...max(range.first, last)).contains(cursor.number)
        }
        return isKnown ? cursor : nil
    }

    private mutating func exchangePeers(_ id: SessionID, _ session: Session, _ hello: Hello) {
        guard configuration.exchange == .on, let node = session.node else { return }
        if !session.isOutgoing, let host = session.address?.host, let port = hello.listenPort,
            peers.heard(node, from: PeerAddress(host: host, port: port), now: time)
        {
            effects.append(.learnPeers(peers.learned))
        }
        wantPeers(of: id)
    }

    // MARK: The end

    /// Reports a refusal by one of the two sides, about which a person may do something.
    mutating func refused(_ id: SessionID, _ goodbye: Goodbye, by speaker: NodeReport.Speaker) {
        guard goodbye.isRefusal, let session = sessions[id], let node = session.node else { return }
        sessions[id]?.refusal = goodbye
        effects.append(.report(.refused(node, session.address, goodbye, by: speaker)))
    }

    /// Closes the connection to a peer that broke the protocol, and bans it for a while.
    mutating func violated(_ id: SessionID, _ violation: SyncViolation) {
        guard let session = sessions[id] else { return }
        let delay = culprit(session).map { peers.punish($0, now: time) } ?? 0
        if isTold(of: session) {
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

    private mutating func isTold(of session: Session) -> Bool {
        guard session.node == nil, !session.isOutgoing, let address = session.address else { return true }
        return peers.complain(of: HostNetwork(address.host), now: time)
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
        guard let session = sessions.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        rests.end(of: id)
        waitingBytes -= session.waitingBytes
        arePeersChanged = true
        let ended = links.removeValue(forKey: id)
        if let link = ended {
            countReady()
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
        let dropped = pipeline.dropWaiting(from: id)
        // A peer that lacked its offers is recorded in patient wants, too.
        let isAmongWants = link.offersOpen > 0 || link.lackedLogs > 0 || requests.askedCount(id) > 0
        for log in (isAmongWants ? requests.withdrawAll(by: id, at: time) : []) + dropped { queue(log) }
        requests.lookAgain(at: time)
        bodies.release(id)
        gaps.release(id)
        for log in verdicts.drop(id) { release(log) }
        delayed.removeAll { $0.session == id }
        awaited.remove(id)
        if phase == .running { thicken() }
    }

    mutating func stop() {
        phase = .stopping
        for id in order { close(id, .stopping, reason: .stopping) }
    }
}
