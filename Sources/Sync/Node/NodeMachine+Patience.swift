import Entries

/// Logs asked for in vain: an offer that nobody made good becomes a patient want, asked of ready peers in turn until it
/// is given up (`protocol/node.md` §3).
extension NodeMachine {
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
                // Two turns were in vain: no peer has the rest of the pending entries.
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

    /// The peer was asked for a log in vain. Not where others are not to be asked before it, nor once it has gone,
    /// which its chunks may outlast.
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
}
