import Entries

/// What a connection shows of the address that was dialled: who answers there, how it ends, and what that means for the
/// next dial.
extension PeerBook {
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

    /// A connection with the node ended, on which it was in step at that moment, in monotonic milliseconds.
    mutating func parted(from node: NodeID, inStepAt moment: UInt64) {
        inStepAt = max(inStepAt ?? 0, moment)
        for address in table.addresses where table[address]?.target.node == node { table[address]?.inStepAt = moment }
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
}
