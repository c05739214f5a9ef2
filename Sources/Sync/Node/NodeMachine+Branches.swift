import Entries

/// Choice of the links over which new entries are pushed (branches); on the others they are announced
/// (`protocol/node.md` §5).
///
/// It is Plumtree with the messages of this protocol: Changes is IHAVE, Want fetches what is missing, and Branch is
/// PRUNE and GRAFT. Messages carry no hop count, so that no path is preferred for being shorter. The frontier tells
/// duplicates, and announcements and the comparison repair what a tree loses.
extension NodeMachine {
    /// State of a new link: a branch, where both sides name the feature; nil: branches are not in use.
    func branching(with hello: Hello, in version: UInt32) -> Branching? {
        let isSpoken =
            version >= MessageType.branch.version && configuration.features.contains(Hello.branches)
            && hello.features.contains(Hello.branches)
        return isSpoken ? .pushed : nil
    }

    /// Takes over the link's state from the peer's Branch; ignored where branches are not in use.
    mutating func heardBranch(_ branching: Branching, from id: SessionID) {
        if links[id]?.branching != nil { links[id]?.branching = branching }
    }

    /// Prunes a link over which a duplicate was pushed, if there are more links than all stay branches.
    mutating func prune(_ id: SessionID) {
        guard links.count > configuration.eagerLinks, links[id]?.branching == .pushed else { return }
        branch(id, .named)
    }

    /// Makes all links branches again once a link has gone and few are left.
    mutating func thicken() {
        guard links.count == configuration.eagerLinks else { return }
        for id in order where links[id]?.branching == .named { branch(id, .pushed) }
    }

    private mutating func branch(_ id: SessionID, _ branching: Branching) {
        links[id]?.branching = branching
        send(.branch(branching), to: id)
    }

    // MARK: What is announced on a lazy link

    /// Whether announcements to a lazy link still wait to be gathered: several go in one message, and entries that the
    /// peer gets over branches meanwhile are left out.
    mutating func isGathering(for id: SessionID) -> Bool {
        guard links[id]?.branching == .named, links[id]?.announcer.isLive == true,
            links[id]?.announcer.hasReached(frontier.number) == false
        else {
            // Written only if it changes: each write marks the link as changed, and so ends its rest.
            if links[id]?.namesAt != nil { links[id]?.namesAt = nil }
            return false
        }
        guard let due = links[id]?.namesAt else {
            links[id]?.namesAt = time + Limits.offerMilliseconds
            return true
        }
        guard due <= time else { return true }
        links[id]?.namesAt = nil
        return false
    }

    // MARK: What is heard on a lazy link

    /// Gives a log announced on a lazy link some time to come by a push; false: it is to be asked for at once.
    mutating func awaitsPush(_ log: LogID, named id: SessionID) -> Bool {
        links[id]?.branching == .named && awaited.add(log, named: id, at: time)
    }

    /// Grafts the links that announced logs whose push has not come in time.
    mutating func endAwaiting() {
        while let name = awaited.popDue(at: time) { graft(name) }
    }

    private mutating func graft(_ name: AwaitedPushes.Name) {
        let (log, id) = (name.log, name.session)
        guard requests.isOffered(log, by: id, beyond: held(log)), !pipeline.isArriving(log) else { return }
        if let asked = requests.want(log)?.asked {
            // A peer that is asked and brings nothing does not keep this node from what others have.
            guard isLate(asked), requests.passOn(log, at: time) else { return awaited.add(again: name, at: time) }
        }
        if links[id]?.branching == .named { branch(id, .pushed) }
        wish(log, of: id, .again)
    }

    /// Whether a peer that is asked for a log, and has credit to answer, has sent no byte of anything for a while, or
    /// nothing of the log for longer: over a slow line its answer may be on its way, but bytes of something else must
    /// not keep a live entry away for as long as the deadlines of `protocol/sync.md` §5 (Waiting) allow.
    private func isLate(_ asked: Requests.Asked) -> Bool {
        let isSilent = sessions[asked.session]?.bytesReceived == asked.waiting.receivedByProgress
        let patience = isSilent ? Limits.silenceMilliseconds : Limits.chatterMilliseconds
        return asked.waiting.progressAt + patience <= time
            && links[asked.session]?.grantedCredit.remaining ?? 0 > UInt64(Limits.maximumMessageBytes)
    }
}
