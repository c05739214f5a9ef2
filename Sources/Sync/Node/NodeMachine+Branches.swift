import Entries

/// Over which links new entries are pushed, and over which they are named (`protocol/sync.md` §6).
///
/// It is Plumtree by the messages that are there: Changes offers, Want grafts what is missing, and Branch says of the link what
/// PRUNE and GRAFT do. Hops are not told, so that no way is taken for being shorter. The frontier knows what is here, and what
/// a tree loses the announcements and the comparison bring.
extension NodeMachine {
    /// A link begins as a branch, where both sides know of branches; nil: they are not in use.
    func branching(with hello: Hello, in version: UInt32) -> Branching? {
        let isSpoken =
            version >= MessageType.branch.version && configuration.features.contains(Hello.branches)
            && hello.features.contains(Hello.branches)
        return isSpoken ? .pushed : nil
    }

    /// The peer says what the link is from now on; where branches are not in use it means nothing.
    mutating func heard(_ branching: Branching, from id: SessionID) {
        if links[id]?.branching != nil { links[id]?.branching = branching }
    }

    /// A push came of what is here or on its way: where there are links enough this one is a branch no more.
    mutating func prune(_ id: SessionID) {
        guard links.count > configuration.eagerLinks, links[id]?.branching == .pushed else { return }
        branch(id, .named)
    }

    /// A link has gone, and what is left is few: all of it is branches again.
    mutating func thicken() {
        guard links.count == configuration.eagerLinks else { return }
        for id in order where links[id]?.branching == .named { branch(id, .pushed) }
    }

    private mutating func branch(_ id: SessionID, _ branching: Branching) {
        links[id]?.branching = branching
        send(.branch(branching), to: id)
    }

    // MARK: What is told on a link that is no branch

    /// Names are gathered for a while, so that an entry which comes over branches meanwhile is not named to who has it, and
    /// several are one message.
    mutating func isGathering(for id: SessionID) -> Bool {
        guard links[id]?.branching == .named, links[id]?.announcer.isLive == true,
            links[id]?.announcer.hasReached(frontier.number) == false
        else {
            // What is written is noted, and a link at which nothing changed may rest.
            if links[id]?.namesAt != nil { links[id]?.namesAt = nil }
            return false
        }
        guard let due = links[id]?.namesAt else {
            links[id]?.namesAt = time + GossipLimits.offerMilliseconds
            return true
        }
        guard due <= time else { return true }
        links[id]?.namesAt = nil
        return false
    }

    // MARK: What is heard on it

    /// A log was named as news on a link that is no branch: it has some time to come by a push. False: it has not.
    mutating func awaitsPush(_ log: LogID, named id: SessionID) -> Bool {
        links[id]?.branching == .named && awaited.add(log, named: id, at: time)
    }

    /// Grafts the links that named what has not come.
    mutating func endAwaiting() {
        while let name = awaited.popDue(at: time) { graft(name) }
    }

    private mutating func graft(_ name: AwaitedPushes.Name) {
        let (log, id) = (name.log, name.session)
        guard requests.isOffered(log, by: id, beyond: held(log)), !pipeline.isArriving(log) else { return }
        if let asked = requests.want(log)?.asked {
            // Who is asked and says nothing keeps nobody from what others have, named early or not.
            guard isSilent(asked), requests.passOn(log, at: time) else { return awaited.add(again: name, at: time) }
        }
        if links[id]?.branching == .named { branch(id, .pushed) }
        wish(log, of: id, .again)
    }

    /// Nothing at all has come for a while of who is asked for a log: where bytes come, its answer may be on its way over a
    /// slow line, and without credit nobody can answer. (What else they may be, §5 sees to.)
    private func isSilent(_ asked: Requests.Asked) -> Bool {
        asked.waiting.since + GossipLimits.silenceMilliseconds <= time
            && sessions[asked.session]?.bytesReceived == asked.waiting.received
            && links[asked.session]?.allowance.remaining ?? 0 > UInt64(Limits.maximumMessageBytes)
    }
}
