import Entries
import Sodium

/// Words, that is, settlements and fork evidence: what peers say, and what follows (`protocol/sync.md` §9).
extension NodeMachine {
    // MARK: What peers say

    /// Notes what a peer says of logs with a settlement or evidence; what is news here is checked.
    mutating func heardWords(_ logs: [HeldLog], by id: SessionID, as kind: OfferKind) throws(SyncViolation) {
        guard links[id]?.speaksOfForks == true else { return }
        for held in logs {
            guard !isOutside(held.log), !isOutside(held.words?.certificate ?? held.words?.settlement) else { continue }
            let mark = try LogMark(held)
            guard let words = held.words, let news = standings.news(in: mark, words) else {
                // Words in force here need not be checked again.
                if held.words != nil, standings[held.log] != nil { remember(mark, of: id) }
                contestIfOther(mark, with: id)
                continue
            }
            check(news, mark, saidBy: id, as: kind)
        }
    }

    /// Keeps what a peer says of a log. Where there is no room for it, the settled history is not asked of the peer on
    /// this connection: unless the log is complete here, the peer's cursor stops, so that it names the log again on the
    /// next one.
    private mutating func remember(_ mark: LogMark, of id: SessionID) {
        guard links[id]?.remember(mark) == false, standings[mark.item.log]?.standing.isComplete != true else { return }
        links[id]?.milestones.breakOff()
    }

    /// Queues a peer's words to be checked.
    private mutating func check(_ words: Words, _ mark: LogMark, saidBy id: SessionID, as kind: OfferKind) {
        let log = mark.item.log
        // Like an offer: no cursor passes what is not taken, so that it is announced again after the next start.
        if leftOut.contains(log), kind == .announced { links[id]?.milestones.breakOff() }
        // A settlement may make room for a log that is not carried.
        guard let link = links[id], !setAside.contains(log), !leftOut.contains(log),
            words.settlement != nil || !forgotten.contains(log, now: time),
            let owner = owner(of: words)
        else { return }
        let epoch = kind == .announced ? link.milestones.current : nil
        let outcome = wordQueue.add(
            WordQueue.Arrival(
                session: id,
                node: link.node,
                words: words,
                mark: mark,
                owner: owner,
                epoch: epoch
            )
        )
        switch outcome {
        case .added:
            links[id]?.arriving += 1
            if epoch != nil { links[id]?.milestones.add() }
        case .announced: links[id]?.milestones.add()
        case .replaced: break
        case .refused: if epoch != nil { links[id]?.milestones.breakOff() }
        }
    }

    /// First eight bytes of the identity that a certificate or settlement, unverified, names.
    private func owner(of words: Words) -> UInt64? {
        guard let bytes = words.certificate ?? words.settlement else { return nil }
        return Certificate.claimedIdentity(in: bytes)?.raw.prefix64
    }

    /// Stores the delayed words that are due, and hands the next batch to the verifier.
    mutating func checkWords() {
        while !pipeline.forming.isFull,
            let ripe = wordQueue.released(
                now: time,
                delay: { [wordQuotas, time] owner, kind in
                    wordQuotas[kind]?.delay(owner, now: time)
                }
            )
        {
            wordQueue.hold(ripe.arrival.log)
            store(ripe.outcome, of: ripe.arrival)
        }
        guard !pipeline.forming.isFull, let lot = wordQueue.next() else { return }
        effects.append(.checkWords(questions.open(.words), lot))
    }

    /// The verifier is done with a batch of words: those that hold are stored.
    mutating func wordsChecked(_ outcomes: [WordOutcome]) {
        for (arrival, outcome) in zip(wordQueue.endChecking(), outcomes) {
            switch outcome {
            case .violation(let violation):
                drop(arrival)
                violated(arrival.session, violation)
                release(arrival.log)
            case .valid:
                remember(arrival.mark, of: arrival.session)
                store(outcome, of: arrival)
            }
        }
    }

    /// Adds valid words to the next transaction, or delays them while their identity's quota is spent.
    private mutating func store(_ outcome: WordOutcome, of arrival: WordQueue.Arrival) {
        guard case .valid(let settlement, let evidence, let certificate) = outcome else { return }
        let log = arrival.log
        guard standings.news(in: arrival.mark, arrival.words) != nil else {
            // Another peer has brought them meanwhile.
            drop(arrival)
            release(log)
            return contestIfOther(arrival.mark, with: arrival.session)
        }
        if let due = wordQuotas[arrival.kind]?.delay(arrival.owner, now: time) {
            guard links.contains(arrival.session) else { return release(log) }
            let (isKept, replaced) = wordQueue.delay(arrival, outcome, until: due)
            if let replaced { drop(replaced) }
            if !isKept {
                // The peer announces them again on another connection, or a reconciliation finds them.
                if arrival.epoch != nil { links[arrival.session]?.milestones.breakOff() }
                drop(arrival)
            }
            return release(log)
        }
        if let epoch = arrival.epoch {
            pipeline.change { $0.wordEpochs[log, default: []].append((arrival.session, epoch)) }
        }
        if settlement != nil { charge(arrival.owner, .settlement, bytes: Limits.wordQuotaBytes) }
        if evidence != nil { charge(arrival.owner, .evidence, bytes: Limits.wordQuotaBytes) }
        let settled = settlement.map { SettlementArrival(signed: $0, certificate: certificate, source: arrival.node) }
        let proven = evidence.flatMap { evidence in
            certificate.map { EvidenceArrival(evidence: evidence, certificate: $0, source: arrival.node) }
        }
        pipeline.change {
            $0.put(settled, proven, from: arrival.session)
            $0.wordLogs.append(log)
        }
    }

    private mutating func charge(_ owner: UInt64, _ kind: WordQueue.Kind, bytes: Int) {
        wordQuotas[kind]?.charge(owner, bytes: bytes, now: time)
    }

    /// Charges identities for entries that were counted anew, in the quota for chunks and in that of the kind of words
    /// that caused it. A stolen device may cause evidence, which must not delay a settlement.
    mutating func charge(_ recounted: [TakeReport.Recount], of batch: TakeBatch) {
        guard !recounted.isEmpty else { return }
        let settled = Set(batch.settlements.map(\.signed.settlement.identity))
        for recount in recounted {
            let owner = recount.identity.raw.prefix64
            let bytes = Int(clamping: recount.quotaBytes)
            quotas.charge(owner, bytes: bytes, now: time)
            charge(owner, settled.contains(recount.identity) ? .settlement : .evidence, bytes: bytes)
        }
    }

    /// Drops words that are not stored.
    private mutating func drop(_ arrival: WordQueue.Arrival) {
        links[arrival.session]?.arriving -= 1
        if let epoch = arrival.epoch { links[arrival.session]?.milestones.settle(epoch) }
    }

    /// Releases one hold of a log; without another it may be asked for, and what peers said of it meanwhile is handled.
    mutating func release(_ log: LogID) {
        let marks = wordQueue.settle(log)
        queue(log)
        for (id, mark) in marks { contestIfOther(mark, with: id) }
        decide(log)
    }

    // MARK: What follows

    /// Takes over the new standing of logs with words; the transaction's rows are applied already.
    mutating func judgeStandings(of report: TakeReport) {
        if !report.forgotten.isEmpty, let log = own?.log, report.forgotten.contains(log) {
            // Without a held entry the own log's owner is not known: then any end of an account is taken for the own
            // one.
            let owner = owner(log)
            let hasEnded = report.standings.contains { standing in
                guard standing.words.certificate == nil else { return false }
                return owner == nil || self.owner(of: standing.words) == owner
            }
            halt(hasEnded ? .accountEnded : .notCarried)
        }
        forget(report.forgotten)
        for standing in report.standings { judgeStanding(standing) }
    }

    private mutating func judgeStanding(_ standing: LogStanding) {
        let log = standing.log
        let before = standings[log]
        standings.set(standing)
        let known = standings[log]
        // Chunks on their way were verified over what was known before.
        pipeline.forget(log)
        if log == own?.log {
            halt(standing.words.settlement == nil ? .forked : .settled)
            own?.judged(standing)
            announceOwn()
        }
        if let cut = known?.cut, cut != before?.cut, !standing.isComplete {
            effects.append(.report(.forked(log, at: cut.size)))
        }
        if standing.side == nil {
            requests.clip(log, at: standing.ceiling)
        } else {
            for offer in requests.drop(log) { offerSettled(offer, of: log) }
        }
        settleOffers(log)
        let isNews = before?.cut != known?.cut || before?.settlement != known?.settlement
        for id in order where links.contains(id) {
            if isNews {
                links[id]?.apart.remove(log)
                links[id]?.disputeCounts[log] = nil
            }
            guard let mark = links[id]?.heardMarks[log] else { continue }
            offer(mark.item, by: id, as: .compared)
            contestIfOther(mark, with: id)
        }
        queue(log)
    }

    /// Renews an offer where the settled history is fetched beside another one: it stands if the peer has that history,
    /// and its cursor waits.
    private mutating func offerSettled(_ offer: Requests.Offer, of log: LogID) {
        let item = clipped(LogSize(log: log, size: offer.size), of: offer.session)
        guard let epoch = offer.epoch, item.size > complete(log) else { return fulfil(offer) }
        switch requests.offer(item, by: offer.session, epoch: epoch) {
        case .new, .known, .announced: break
        case .refused:
            links[offer.session]?.milestones.breakOff()
            fulfil(offer)
        }
    }

    /// Notes that words which a peer announced are stored. If the settled history is still missing and no offer of the
    /// peer's waits for it, the peer's cursor stops.
    mutating func settleWords(_ log: LogID, _ id: SessionID, _ epoch: Milestones.Epoch) {
        if let known = standings[log], let settled = known.settlement?.known, !known.standing.isComplete,
            links[id]?.heardMarks[log]?.isComplete(under: settled) == true, !requests.isAwaited(log, of: id)
        {
            links[id]?.milestones.breakOff()
        }
        links[id]?.milestones.settle(epoch)
    }

    /// Closes the offers that the size held now fulfils.
    mutating func settleOffers(_ log: LogID) {
        for offer in requests.settle(log, at: complete(log)).fulfilled { fulfil(offer) }
    }

    /// Stops signing, since the store does, and reports it.
    private mutating func halt(_ reason: OwnLogEnd) {
        guard own?.halt(reason) == true else { return }
        effects.append(.report(.ownLogEnded(reason)))
        for id in order where links[id]?.ownLog.isMoot == true {
            links[id]?.ownLog = .answered
        }
    }

    /// The part of a peer's offer that is wanted of a log with a settlement or evidence.
    func clipped(_ item: LogSize, of id: SessionID) -> LogSize {
        guard let known = standings[item.log] else { return item }
        guard known.standing.side != nil else {
            return LogSize(log: item.log, size: min(item.size, known.ceiling))
        }
        let settled = known.settlement?.known
        let isThere = settled.map { links[id]?.heardMarks[item.log]?.isComplete(under: $0) ?? false } ?? false
        return LogSize(log: item.log, size: isThere ? settled?.size ?? 0 : 0)
    }

    // MARK: What peers are told

    /// The announcement to a peer of a log with a settlement or evidence, which is noted as told; nil: it would
    /// understand nothing of it.
    mutating func note(_ mark: LogMark, to id: SessionID) -> HeldLog? {
        guard links[id]?.speaksOfForks == true else {
            return mark.item.size > 0 ? HeldLog(item: mark.item, root: nil, words: nil) : nil
        }
        if let log = frontier.log(mark.item.log) { links[id]?.toldMarks[log] = mark.hashValue }
        return HeldLog(item: mark.item, root: mark.root, words: standings[mark.item.log]?.standing.words)
    }

    /// The announcement of a log in Items.
    mutating func whole(_ held: HeldLog, for id: SessionID) -> HeldLog {
        guard let known = standings[held.log], let root = held.root else { return held }
        let mark = LogMark(item: held.item, root: root, settlement: known.settlement, cut: known.cut)
        return note(mark, to: id) ?? held
    }
}
