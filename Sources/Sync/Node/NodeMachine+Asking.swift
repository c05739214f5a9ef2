import Entries

/// Wanting: logs that this node lacks and the peers that it asks for them (`protocol/sync.md` §5).
extension NodeMachine {
    mutating func heardChanges(_ changes: Changes, from id: SessionID) throws(SyncViolation) {
        try heardWords(changes.held, by: id, as: .announced)
        for item in changes.logs { offer(item, by: id, as: .announced) }
        if let number = changes.number { try closeMilestone(number, id) }
    }

    /// Everything up to this change number of the peer has been announced; its numbers never go back.
    mutating func closeMilestone(_ number: UInt64, _ id: SessionID) throws(SyncViolation) {
        guard links[id]?.milestones.close(at: number) ?? true else { throw .numberWentBack }
    }

    /// How a peer came to offer a log.
    enum OfferKind: Hashable {
        /// By an announcement, in the order of change numbers: the peer's cursor waits for the log.
        case announced
        /// By a comparison or an answer: no cursor waits for it.
        case compared
    }

    /// Notes an offer: the peer says that it holds so much of a log.
    mutating func offer(_ item: LogSize, by id: SessionID, as kind: OfferKind) {
        if let log = frontier.log(item.log) { links[id]?.known.raise(log, to: item.size) }
        let item = standings.isEmpty ? item : clipped(item, of: id)
        // Pending entries do not count: the rest up to their head may never come.
        guard !isOutside(item.log), !setAside.contains(item.log), !forgotten.contains(item.log, now: time),
            item.size > complete(item.log), links.contains(id)
        else { return }
        // Read in place: a copy of the link held while a log is added to it would copy all its queues.
        let isApart = links[id]?.apart.contains(item.log) == true
        // In version 1 a fork is never resolved, so nothing would ever let the cursor go on.
        if isApart, links[id]?.speaksOfForks != true { return }
        guard !leftOut.contains(item.log), !isApart else {
            if kind == .announced { links[id]?.milestones.breakOff() }
            return
        }
        let epoch = kind == .announced ? links[id]?.milestones.current : nil
        switch requests.offer(item, by: id, epoch: epoch) {
        case .new:
            if epoch != nil { links[id]?.milestones.add() }
            links[id]?.offersOpen += 1
            // Before its first number a peer announces its first list, which is no news.
            let isNews = kind == .announced && links[id]?.milestones.announced ?? 0 > 0
            if !isNews || !awaitsPush(item.log, named: id) { wish(item.log, of: id, isNews ? .news : .listed) }
            if pendingEnds[item.log] != nil { queue(item.log) }
        case .announced: links[id]?.milestones.add()
        case .known: break
        case .refused: links[id]?.milestones.breakOff()
        }
    }

    /// Whether nothing of a log is taken: it is set aside, not carried, outside the scope, or cannot be read here.
    func isClosed(_ log: LogID) -> Bool {
        setAside.contains(log) || forgotten.contains(log, now: time) || leftOut.contains(log) || isOutside(log)
    }

    /// Queues a log at every peer that offers it.
    mutating func queue(_ log: LogID) {
        if isStuck(log) { pipeline.change { $0.restart(log) } }
        for session in requests.candidates(log) { wish(log, of: session, .again) }
    }

    /// Queues a log to be asked of one peer.
    mutating func wish(_ log: LogID, of id: SessionID, _ cause: Asking.Cause) {
        let owner = owner(log)
        links[id]?.asking.add(log, of: owner, cause)
    }

    /// First eight bytes of the identity that writes a log; nil: not known.
    func owner(_ log: LogID) -> UInt64? {
        frontier.log(log).map { frontier.owner($0) } ?? writers[log]
    }

    /// True if a log has pending entries, and every connected peer offers a smaller head: a request begins where the
    /// store ends, so that head could never be fetched over them (`protocol/sync.md` §5, Asking).
    private func isStuck(_ log: LogID) -> Bool {
        guard let end = pendingEnds[log], pipeline.tip(log) == nil, !pipeline.isArriving(log),
            standings[log]?.standing.side == nil,
            let best = requests.bestOffer(log)
        else { return false }
        return best <= end && best > frontier.size(of: log)
    }

    /// Asks a peer for logs that it offers.
    mutating func ask(_ id: SessionID) {
        // The order depends on all that the peer announced, so everything received is read first.
        guard links[id]?.asking.isEmpty == false, !pipeline.forming.isFull, !hasUnread(id), hasRoom(id) else { return }
        links[id]?.asking.release { [requests] owner in
            let asked = requests.askedCount(id, of: owner)
            return asked <= Limits.wantsInFlightPerIdentity / 2 ? Limits.wantsInFlightPerIdentity - asked : 0
        }
        for writer in Asking.Writer.allCases { ask(id, writer) }
    }

    private mutating func ask(_ id: SessionID, _ writer: Asking.Writer) {
        let inFlight = requests.askedCount(id, writer)
        // Asked for in batches: one for each log that was answered would be a message for each.
        guard inFlight <= Limits.wantsInFlightPerPeer / 2 else { return }
        var wants: [RangeWant] = []
        while wants.count < Limits.wantsInFlightPerPeer - inFlight, let log = links[id]?.asking.popFirst(writer) {
            let held = held(log)
            guard requests.isAskable(log, of: id, held: held), !pipeline.isArriving(log, or: id), !isProving(log, id),
                links[id]?.postponed.contains(log) == false, links[id]?.disputes[log] == nil, !wordQueue.isBusy(log),
                links[id]?.substitutes[log] == nil,
                !isUndecided(log, with: id), !isReserved(log, before: id)
            else { continue }
            let owner = owner(log)
            if let owner {
                if let due = quotas.delay(owner, now: time) {
                    if links[id]?.asking.delay(log) == true { delayed.add(log, of: id, until: due) }
                    continue
                }
                guard requests.askedCount(id, of: owner) < Limits.wantsInFlightPerIdentity else {
                    links[id]?.asking.park(log, of: owner)
                    continue
                }
            }
            addWant(log, from: held, of: owner, to: id, &wants)
        }
        if !wants.isEmpty { send(.want(wants), to: id) }
    }

    /// Marks a log as asked of a peer, and adds its want to the message.
    mutating func addWant(
        _ log: LogID,
        from held: UInt64,
        of owner: UInt64?,
        to id: SessionID,
        _ wants: inout [RangeWant]
    ) {
        if requests.askedCount(id) == 0 { links[id]?.progressAt = time }
        let want = want(log, from: held, of: id)
        requests.ask(
            log,
            of: id,
            from: held,
            owner: owner,
            waiting: waiting(for: id),
            branch: want.branch,
            extent: want.extent,
            certificate: want.certificate
        )
        wants.append(want)
    }

    private func want(_ log: LogID, from held: UInt64, of id: SessionID) -> RangeWant {
        let standing = standings[log]?.standing
        let isKnown =
            frontier.log(log) != nil || pendingEnds[log] != nil || pipeline.tip(log) != nil || standing != nil
        return RangeWant(
            log: log,
            from: held,
            certificate: isKnown ? .known : .send,
            branch: standing?.side == nil ? .held : .settled,
            extent: mayLeaveOut(log, of: id) ? .newest(configuration.windowEntries) : .all
        )
    }

    /// Closes an offer: its entries are in the next transaction, or noted there as a want.
    mutating func fulfil(_ offer: Requests.Offer) {
        links[offer.session]?.offersOpen -= 1
        if let epoch = offer.epoch { links[offer.session]?.milestones.settle(epoch) }
    }

    /// Whether chunks of a log from this peer are dropped now, since its history differs or is being compared.
    func isApart(_ log: LogID, of id: SessionID) -> Bool {
        // Read in place: a copy of the link costs more than all of this.
        guard links[id]?.disputes[log] == nil, links[id]?.apart.contains(log) == false,
            links[id]?.postponed.contains(log) == false
        else { return true }
        return isUndecided(log, with: id)
    }
}
