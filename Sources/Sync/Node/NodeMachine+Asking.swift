import Entries

/// What this node lacks, and whom it asks.
extension NodeMachine {
    mutating func heard(_ changes: Changes, from id: SessionID) throws(SyncViolation) {
        try heard(changes.verdicts, by: id, as: .announced)
        for item in changes.logs { offer(item, by: id, as: .announced) }
        if let number = changes.number { try closeMilestone(number, id) }
    }

    mutating func closeMilestone(_ number: UInt64, _ id: SessionID) throws(SyncViolation) {
        guard links[id]?.milestones.close(at: number) ?? true else { throw .numberWentBack }
    }

    /// How a peer came to offer something.
    enum OfferKind: Hashable {
        /// In the order of its numbers: its cursor waits for it.
        case announced
        /// By a comparison, or an answer.
        case compared
    }

    /// A session has so much of a log, as it says.
    mutating func offer(_ item: LogSize, by id: SessionID, as kind: OfferKind) {
        if let log = frontier.log(item.log) { links[id]?.known.raise(log, to: item.size) }
        let item = standings.isEmpty ? item : clipped(item, of: id)
        // What is here or on its way beyond a complete head does not count: the rest of it may never come.
        guard !isOutside(item.log), !setAside.contains(item.log), !forgotten.contains(item.log, now: time),
            item.size > complete(item.log), links.contains(id)
        else { return }
        // Read in place: whoever holds a copy of a link while a log is added to it has all that waits there copied too.
        let isApart = links[id]?.apart.contains(item.log) == true
        // In version 1 a fork stays one: nothing would ever let the cursor go on.
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
            // Until it has told a number a peer tells its first list.
            let isNews = kind == .announced && links[id]?.milestones.announced ?? 0 > 0
            if !isNews || !awaitsPush(item.log, named: id) { wish(item.log, of: id, isNews ? .news : .listed) }
            if pendingEnds[item.log] != nil { queue(item.log) }
        case .announced: links[id]?.milestones.add()
        case .known: break
        case .refused: links[id]?.milestones.breakOff()
        }
    }

    /// Nothing of the log is taken: it is set aside, not carried, or cannot be read here.
    func isClosed(_ log: LogID) -> Bool {
        setAside.contains(log) || forgotten.contains(log, now: time) || leftOut.contains(log) || isOutside(log)
    }

    /// A log may be asked of whoever offers it.
    mutating func queue(_ log: LogID) {
        if isStuck(log) { pipeline.restart(log) }
        for session in requests.candidates(log) { wish(log, of: session, .again) }
    }

    /// A log may be asked of a peer when its turn has come.
    mutating func wish(_ log: LogID, of id: SessionID, _ cause: Asking.Cause) {
        let owner = owner(log)
        links[id]?.asking.add(log, of: owner, cause)
    }

    /// Who writes a log, as far as that is known.
    func owner(_ log: LogID) -> UInt64? {
        frontier.log(log).map { frontier.owner($0) } ?? writers[log]
    }

    /// True if more is stored of a log than its head covers, and everybody who is there offers less than that: a chunk
    /// begins where the store ends, so a smaller head could never be fetched over it (D8: nothing waits for what nobody
    /// supplies).
    private func isStuck(_ log: LogID) -> Bool {
        guard let end = pendingEnds[log], pipeline.tip(log) == nil, !pipeline.isArriving(log),
            standings[log]?.standing.side == nil,
            let best = requests.bestOffer(log)
        else { return false }
        return best <= end && best > frontier.size(of: log)
    }

    /// Asks a peer for what it offers.
    mutating func ask(_ id: SessionID) {
        // What goes first is chosen from all that was told.
        guard links[id]?.asking.isEmpty == false, !pipeline.forming.isFull, !hasUnread(id), hasRoom(id) else { return }
        links[id]?.asking.release { [requests] owner in
            let asked = requests.askedCount(id, of: owner)
            return asked <= Limits.wantsInFlightPerIdentity / 2 ? Limits.wantsInFlightPerIdentity - asked : 0
        }
        for writer in Asking.Writer.allCases { ask(id, writer) }
    }

    private mutating func ask(_ id: SessionID, _ writer: Asking.Writer) {
        let inFlight = requests.askedCount(id, writer)
        // Asked for in lots: a want for each that was answered would be a message for each.
        guard inFlight <= Limits.wantsInFlightPerPeer / 2 else { return }
        var wants: [RangeWant] = []
        while wants.count < Limits.wantsInFlightPerPeer - inFlight, let log = links[id]?.asking.popFirst(writer) {
            let held = held(log)
            guard requests.isAskable(log, of: id, held: held), !pipeline.isArriving(log, or: id), !isProving(log, id),
                links[id]?.postponed.contains(log) == false, links[id]?.disputes[log] == nil, !verdicts.isBusy(log),
                links[id]?.substitutes[log] == nil,
                !isUndecided(log, with: id), !isReserved(log, before: id)
            else { continue }
            let owner = owner(log)
            if let owner {
                if let due = quotas.delay(owner, now: time) {
                    if links[id]?.asking.delay(log) == true {
                        delayed.append(DelayedWant(due: due, session: id, log: log))
                        delayedUntil = min(delayedUntil, due)
                    }
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

    /// A log counts as asked for from now on; its want is to be sent.
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

    /// A peer that was asked has nothing of a log.
    mutating func lacked(_ log: LogID, by id: SessionID) {
        guard !lacksProof(log, id), !lacksSubstitute(log, id) else { return }
        let isLate = requests.hasAnsweredLate(log, id)
        // As it was when this turn of it came.
        let patience = requests.want(log)?.patience
        guard requests.lacks(log, id, at: time) || isLate else { return }
        links[id]?.progressAt = time
        if case .newestOf(let successor, _) = released[log], successor.session == id { released[log] = .newest }
        guard let want = requests.want(log) else { return }
        let target = want.target
        let isOwn = log == own?.log
        // What it offered that ends below where it was asked from, it may well have.
        let hasLess = want.offers.contains { $0.session == id && $0.size <= held(log) }
        let withdrawn = hasLess ? nil : requests.withdraw(log, by: id, at: time)
        let isNobodys = want.asked == nil && (requests.bestOffer(log) ?? 0) < target
        // Once nobody had it, whoever says that it has more may say so at any time.
        if let withdrawn, isNobodys || patience != nil { askForNewest(log, of: id, offering: withdrawn.size) }
        // Of the own log nobody is believed to have more who does not show it.
        if isNobodys, target > complete(log), !isOwn {
            if isStrange(log) {
                giveUp(log, patience)
            } else {
                // The first turn is over: whoever has the rest of what is stored would have been there.
                let isBegunAnew = patience?.attempts ?? 0 > 1 && hasOnlyBegun(log)
                if isBegunAnew { startOver(log) }
                let attempt = isBegunAnew ? 2 : nil
                wait(LogSize(log: log, size: target), for: patience, withdrawn, by: id, behind: attempt)
            }
        } else if withdrawn?.epoch != nil, isOwn || !isStrange(log) {
            // Somebody else may bring it, or not: for this peer nothing notes it; nor what a home that was put back lacks of its
            // own log, which is a log as any other once another one is written there.
            links[id]?.milestones.breakOff()
        }
        queue(log)
        if let withdrawn {
            requests.fail(log, id)
            links[id]?.lackedLogs += 1
            fulfil(withdrawn)
        }
    }

    /// Nothing is known of a log but that somebody offered it: it may be anybody's, also of an account that ended. What was let
    /// go of was here.
    private func isStrange(_ log: LogID) -> Bool {
        held(log) == 0 && standings[log] == nil && released[log] == nil
    }

    /// A log is asked for no more; what an earlier process noted of it goes too.
    private mutating func giveUp(_ log: LogID, _ patience: Requests.Patience?) {
        requests.giveUp(log)
        if patience != nil { pipeline.change { $0.batch.forgottenWants.append(log) } }
    }

    /// Nobody who offered a log has it: notes that durably, or forgets it in the end.
    private mutating func wait(
        _ item: LogSize,
        for patience: Requests.Patience?,
        _ withdrawn: Requests.Offer?,
        by id: SessionID,
        behind attempt: Int?
    ) {
        guard patience?.attempts ?? 0 < max(Limits.patientWantAttempts, Limits.patientWantRounds * links.count) else {
            giveUp(item.log, patience)
            return
        }
        guard requests.wait(item, from: time, by: links[id]?.node, behind: attempt) else {
            if withdrawn?.epoch != nil { links[id]?.milestones.breakOff() }
            return
        }
        if requests.note(item) { pipeline.change { $0.want(item) } }
    }

    /// An offer is no longer outstanding: its entries are in the transaction that comes, or noted there as a want.
    mutating func fulfil(_ offer: Requests.Offer) {
        links[offer.session]?.offersOpen -= 1
        if let epoch = offer.epoch { links[offer.session]?.milestones.settle(epoch) }
    }

    /// Asks anybody for what nobody who offered it could supply; each time somebody else.
    mutating func retryPatientWants() {
        guard time >= requests.nextDue else { return }
        let ready = order.filter { links.contains($0) }
        guard !ready.isEmpty else { return }
        var lots: [SessionID: [RangeWant]] = [:]
        for log in requests.due(at: time) {
            guard let want = requests.want(log), let patience = want.patience else { continue }
            // What is stored of it changes now: whoever is asked meanwhile would answer in vain.
            guard !verdicts.isBusy(log) else {
                requests.lookAgain(at: time + UInt64(Limits.wantRetryMilliseconds))
                continue
            }
            let sharing = ready.filter {
                isShared(log, with: $0) && !requests.isPassedOn(log, of: $0) && !isApart(log, of: $0)
                    && !isReserved(log, before: $0) && links[$0]?.substitutes[log] == nil
            }
            guard !sharing.isEmpty else {
                requests.lookAgain(at: time + UInt64(Limits.bodyRetryMilliseconds))
                continue
            }
            // Only who has the settled history can be asked for that: behind as much of another one nothing follows, nor behind
            // a cut or the settled end, however much was offered before that was known.
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
            // Who is asked for as much as may be is passed over: it may answer one thing in twenty seconds.
            let turns = (0..<sharing.count).lazy.map { sharing[(patience.attempts + $0) % sharing.count] }
            guard let session = turns.first(where: { requests.askedCount($0) < Limits.wantsInFlightPerPeer }) else {
                requests.lookAgain(at: time + UInt64(Limits.wantRetryMilliseconds))
                continue
            }
            addWant(log, from: held(log), of: owner(log), to: session, &lots[session, default: []])
        }
        for session in ready {
            if let wants = lots[session] { send(.want(wants), to: session) }
        }
    }

    /// What comes of the log from this peer is not looked at now.
    func isApart(_ log: LogID, of id: SessionID) -> Bool {
        // Read in place: a copy of a link costs more than all of this.
        guard links[id]?.disputes[log] == nil, links[id]?.apart.contains(log) == false,
            links[id]?.postponed.contains(log) == false
        else { return true }
        return isUndecided(log, with: id)
    }

    // MARK: Bodies

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

    mutating func came(_ answers: [BodyAnswer], costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        guard let node = links[id]?.node else { return }
        guard links[id]?.allowance.take(cost) ?? false else { throw .overCredit }
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
            pipeline.put(arrival, from: id, cost: rest)
            rest = 0
        }
        links[id]?.allowance.release(rest)
    }
}
