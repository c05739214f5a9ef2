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
    private mutating func addWant(
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

    /// Handles `lacking`: the peer that was asked has nothing of the log from there on.
    mutating func lacked(_ log: LogID, by id: SessionID) {
        guard !lacksProof(log, id), !lacksSubstitute(log, id) else { return }
        let isLate = requests.finishLate(log, id)
        // As it was when this attempt began.
        let patience = requests.want(log)?.patience
        guard requests.lacks(log, id, at: time) || isLate else { return }
        links[id]?.progressAt = time
        noteLack(log, of: id)
        droppedLogs.lacked(log, by: id)
        guard let want = requests.want(log) else { return }
        let target = want.target
        let isOwn = log == own?.log
        // An offer that ends at or below the start of the request may still be true.
        let hasLess = want.offers.contains { $0.session == id && $0.size <= held(log) }
        let withdrawn = hasLess ? nil : requests.withdraw(log, by: id, at: time)
        let isNobodys = want.asked == nil && (requests.bestOffer(log) ?? 0) < target
        // Once nobody could supply the log, any peer that offers more and lacks it may have a gap of its own.
        if let withdrawn, isNobodys || patience != nil { askForNewest(log, of: id, offering: withdrawn.size) }
        // An offer of more of the own log is not believed without a proof.
        if isNobodys, target > complete(log), !isOwn {
            if isStrange(log, patience) {
                giveUp(log, patience)
            } else {
                // The first turn was in vain: no peer has the rest of the pending entries.
                let isBegunAnew = patience?.attempts ?? 0 > 1 && hasOnlyBegun(log)
                if isBegunAnew { startOver(log) }
                let attempt = isBegunAnew ? 2 : nil
                wait(LogSize(log: log, size: target), for: patience, withdrawn, by: id, behind: attempt)
            }
        } else if withdrawn?.epoch != nil, isOwn || !isStrange(log, patience) {
            // Another peer may bring it, or none: no want notes it for this peer, so its cursor must not pass it.
            // Neither does one note what a restored home lacks of its own log, which is a log like any other once the
            // home writes another one.
            links[id]?.milestones.breakOff()
        }
        queue(log)
        if let withdrawn {
            requests.fail(log, id)
            links[id]?.lackedLogs += 1
            fulfil(withdrawn)
        }
    }

    /// The peer was asked for a log in vain. Not where others are not to be asked before it, nor once it has gone, which
    /// its chunks may outlast.
    mutating func noteLack(_ log: LogID, of id: SessionID) {
        guard links.contains(id), !order.contains(where: { isReserved(log, before: $0) }) else { return }
        requests.noteLack(log, of: id)
    }

    /// Whether nothing is known of a log but offers: it may be anybody's, also of an account that ended. A log that was
    /// dropped here was known, and so was one with a durable want: cursors have passed it, also those of an earlier
    /// process.
    private func isStrange(_ log: LogID, _ patience: Requests.Patience?) -> Bool {
        held(log) == 0 && standings[log] == nil && droppedLogs[log] == nil && patience?.noted ?? 0 == 0
    }

    /// Gives up a want, and its durable record.
    private mutating func giveUp(_ log: LogID, _ patience: Requests.Patience?) {
        requests.giveUp(log)
        if patience != nil { pipeline.change { $0.batch.forgottenWants.append(log) } }
    }

    /// Makes a log that no offerer had a patient want, durably, or gives it up after the last attempt.
    private mutating func wait(
        _ item: LogSize,
        for patience: Requests.Patience?,
        _ withdrawn: Requests.Offer?,
        by id: SessionID,
        behind attempt: Int?
    ) {
        guard patience?.attempts ?? 0 < max(Limits.patientWantAttempts, Limits.patientWantRounds * links.count) else {
            // No want notes it any more: in the peer's next session, it offers the log again.
            if withdrawn?.epoch != nil { links[id]?.milestones.breakOff() }
            giveUp(item.log, patience)
            return
        }
        guard requests.wait(item, from: time, by: links[id]?.node, behind: attempt) else {
            if withdrawn?.epoch != nil { links[id]?.milestones.breakOff() }
            return
        }
        if requests.note(item) { pipeline.change { $0.want(item) } }
    }

    /// Closes an offer: its entries are in the next transaction, or noted there as a want.
    mutating func fulfil(_ offer: Requests.Offer) {
        links[offer.session]?.offersOpen -= 1
        if let epoch = offer.epoch { links[offer.session]?.milestones.settle(epoch) }
    }

    /// Asks ready peers in turn for the patient wants that are due.
    mutating func retryPatientWants() {
        guard time >= requests.nextDue else { return }
        let ready = order.filter { links.contains($0) }
        guard !ready.isEmpty else { return }
        var lots: [SessionID: [RangeWant]] = [:]
        for log in requests.due(at: time) {
            guard let want = requests.want(log), let patience = want.patience else { continue }
            // What is stored of it is about to change, so that an answer now would be in vain.
            guard !wordQueue.isBusy(log), !pipeline.isArriving(log) else {
                requests.lookAgain(at: time + UInt64(Limits.wantRetryMilliseconds))
                continue
            }
            let sharing = ready.filter {
                isShared(log, with: $0) && !requests.isPassedOn(log, of: $0) && !isApart(log, of: $0)
                    && !isReserved(log, before: $0) && links[$0]?.substitutes[log] == nil
            }
            guard !sharing.isEmpty else {
                requests.holdUp(until: time + UInt64(Limits.wantHeldUpMilliseconds))
                continue
            }
            // The settled history is asked only of peers that named it, and nothing follows a cut or the settled end,
            // however much was offered before that was known.
            if let standing = standings[log]?.standing,
                standing.side != nil || min(want.target, standings.ceiling(log)) <= complete(log)
            {
                requests.giveUp(log)
                continue
            }
            guard !isOutside(log) else {
                leaveOutside(log)
                continue
            }
            let owner = owner(log)
            if let due = owner.flatMap({ quotas.delay($0, now: time) }) {
                requests.lookAgain(at: due)
                continue
            }
            // A peer with a full share of requests is skipped: it may answer just one thing in twenty seconds.
            let turns = (0..<sharing.count).lazy.map { sharing[(patience.attempts + $0) % sharing.count] }
            guard let session = turns.first(where: { hasShare($0, of: owner) }) else {
                requests.lookAgain(at: time + UInt64(Limits.wantRetryMilliseconds))
                continue
            }
            addWant(log, from: held(log), of: owner, to: session, &lots[session, default: []])
        }
        for session in ready {
            if let wants = lots[session] { send(.want(wants), to: session) }
        }
    }

    /// Whether a peer may be asked for one more log, in all and of this identity.
    private func hasShare(_ id: SessionID, of owner: UInt64?) -> Bool {
        requests.askedCount(id) < Limits.wantsInFlightPerPeer
            && (owner.map { requests.askedCount(id, of: $0) } ?? 0) < Limits.wantsInFlightPerIdentity
    }

    /// Whether chunks of a log from this peer are dropped now, since its history differs or is being compared.
    func isApart(_ log: LogID, of id: SessionID) -> Bool {
        // Read in place: a copy of the link costs more than all of this.
        guard links[id]?.disputes[log] == nil, links[id]?.apart.contains(log) == false,
            links[id]?.postponed.contains(log) == false
        else { return true }
        return isUndecided(log, with: id)
    }

    // MARK: Bodies

    /// Asks a peer for bodies that are wanted here, one message at a time.
    mutating func askBodies(_ id: SessionID) {
        guard bodies.count > 0, !bodies.isBusy(id), !pipeline.forming.isFull, hasRoom(id), let node = links[id]?.node
        else { return }
        let places: [BodyPlace]
        if let part = links[id]?.part {
            places = bodies.ask(id, node, waiting: waiting(for: id)) { [frontier] place in
                frontier.log(place.log).map { frontier.holds($0, in: part) } ?? true
            }
        } else {
            places = bodies.ask(id, node, waiting: waiting(for: id))
        }
        guard !places.isEmpty else { return }
        if requests.askedCount(id) == 0 { links[id]?.progressAt = time }
        send(.bodiesWanted(places), to: id)
    }

    /// Takes the bodies of an answer; the store compares each with its entry.
    mutating func heardBodies(_ answers: [BodyAnswer], costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        guard let node = links[id]?.node else { return }
        guard links[id]?.grantedCredit.take(cost) ?? false else { throw .overCredit }
        links[id]?.progressAt = time
        var rest = cost
        for answer in answers {
            guard bodies.answered(answer.place, by: id) else { throw .unaskedAnswer }
            guard let payload = answer.payload else {
                bodies.lacked(answer.place, by: id)
                continue
            }
            bodies.arrived(answer.place)
            links[id]?.arriving += 1
            let arrival = TakeBatch.BodyArrival(place: answer.place, payload: payload, source: node)
            pipeline.change { $0.put(arrival, from: id, cost: rest) }
            rest = 0
        }
        links[id]?.grantedCredit.release(rest)
    }
}
