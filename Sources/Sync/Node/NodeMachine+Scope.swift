import Entries
import Sodium

/// Scopes: the identities whose logs this node carries, and those in common with a peer (`protocol/sync.md` §3).
extension NodeMachine {
    // MARK: The own scope

    /// Changes the scope, at once or a little after the last change, so that ten follows in a row do not end every
    /// connection ten times.
    mutating func carry(_ scope: Scope) {
        ownScope.want(scope)
        changeScope()
    }

    /// Takes on the scope that is wanted, if another change is allowed by now.
    mutating func changeScope() {
        guard let next = ownScope.beginChange(now: time) else { return }
        // Only Hello tells the scope, so every peer that has heard one needs another, with a cursor that fits.
        for id in order where sessions[id]?.node != nil { close(id, .replaced) }
        frontier.close(ownScope.part)
        ownScope.change(to: next, part: frontier.open(next))
        peers.reconsider()
        dialSchedule.invalidate()
    }

    /// Whether nothing of a log is taken, since its identity is outside the scope.
    func isOutside(_ log: LogID) -> Bool {
        guard let part = ownScope.part else { return false }
        if let known = frontier.log(log) { return !frontier.holds(known, in: part) }
        return ownScope.outside.contains(log, now: time)
    }

    /// Whether a certificate or settlement, unverified, names an identity outside the scope.
    func isOutside(_ bytes: [UInt8]?) -> Bool {
        guard ownScope.part != nil, let bytes else { return false }
        return Certificate.claimedIdentity(in: bytes).map { !ownScope.scope.contains($0) } ?? false
    }

    /// Drops a log outside the scope, of which a chunk came: nobody is to blame, and the log is not asked for for a
    /// while.
    mutating func leaveOutside(_ log: LogID) {
        ownScope.outside.insert(log, now: time)
        if requests.want(log)?.patience != nil { pipeline.change { $0.batch.forgottenWants.append(log) } }
        for offer in requests.drop(log) { fulfil(offer) }
    }

    // MARK: The common scope

    /// Whether a log is in the common scope with a peer, or is the peer's own, of which it must be able to learn what
    /// ever left its home.
    func isShared(_ log: LogID, with id: SessionID) -> Bool {
        guard let link = links[id], let part = link.part, link.hello.ownLog != log, let known = frontier.log(log)
        else { return true }
        return frontier.holds(known, in: part)
    }

    /// Whether a peer carries the identity that writes here: if not, its holding nothing of the own log says nothing.
    func carriesOwn(_ link: Link) -> Bool {
        guard case .identities(let identities) = link.hello.scope else { return true }
        if let identity = configuration.identity { return identities.contains(identity) }
        guard let log = own.flatMap({ frontier.log($0.log) }) else { return true }
        return frontier.holds(log, in: link.part)
    }

    /// Whether own entries that this peer would get wait to be published.
    func isHeldBack(from id: SessionID) -> Bool {
        guard let own, own.isHeldBack else { return false }
        return frontier.log(own.log).map { frontier.holds($0, in: links[id]?.part) } ?? true
    }
}
