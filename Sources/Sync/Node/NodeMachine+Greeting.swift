import Entries
import Sodium

/// Greetings: a channel is established, both sides say Hello, and the session becomes a link (`protocol/sync.md` §3).
extension NodeMachine {
    /// The handshake has shown who the peer is: says Hello, unless the connection is one too many.
    mutating func established(_ id: SessionID, _ remote: NodeID) {
        guard let session = sessions[id] else { return }
        sessions[id]?.phase = .greeting(remote)
        dialSchedule.invalidate()
        guard remote != configuration.node else {
            if session.isOutgoing, let address = session.address, peers.isOwn(address, now: time) {
                effects.append(.report(.connectedToSelf(address)))
            }
            close(id, .connectedToSelf)
            return
        }
        if session.isOutgoing, let address = session.address { peers.pardon(remote, metAt: address) }
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
        sessions[id]?.saidLogs = UInt64(frontier.tree(of: ownScope.part).count)
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
            scope: ownScope.scope,
            agent: configuration.shortAgent,
            listenPort: configuration.listenPort,
            credit: configuration.credit,
            logs: UInt64(frontier.tree(of: ownScope.part).count),
            features: configuration.features
        )
    }

    /// The peer has said Hello: makes the session a link, or a guest where there is no room.
    mutating func greeted(_ id: SessionID, _ node: NodeID, _ hello: Hello) {
        guard let session = sessions[id] else { return }
        let version = min(hello.version, configuration.version)
        guard version >= max(hello.oldestVersion, Hello.oldestVersion) else {
            if isTold(.version, of: session) {
                let listing: NodeReport.Listing = isListed(session) ? .listed : .unlisted
                effects.append(
                    .report(
                        .noCommonVersion(node, session.address, oldest: hello.oldestVersion, listing: listing)
                    )
                )
            }
            sessions[id]?.refusal = .noCommonVersion
            close(id, .noCommonVersion)
            return
        }
        let isEverything = ownScope.scope == .everything && hello.scope == .everything
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
        updateReady()
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
        let common = ownScope.scope.intersection(hello.scope)
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
}
