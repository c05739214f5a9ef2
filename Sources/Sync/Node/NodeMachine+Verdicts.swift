import Entries
import Sodium

/// Settlements and fork evidence: what peers say of them, and what follows (`protocol/sync.md §9`).
extension NodeMachine {
    // MARK: What peers say

    mutating func heard(_ verdicts: [HeldLog], by id: SessionID, as kind: OfferKind) throws(SyncViolation) {
        guard links[id]?.speaksOfForks == true else { return }
        for verdict in verdicts {
            guard !isOutside(verdict.log), !isOutside(verdict.words?.certificate ?? verdict.words?.settlement)
            else { continue }
            let mark = try LogMark(verdict)
            if verdict.words != nil { links[id]?.remember(mark) }
            if let words = verdict.words, let news = standings.news(in: mark, words) {
                check(news, of: verdict.log, saidBy: id, as: kind)
            } else {
                contestIfOther(mark, with: id)
            }
        }
    }

    /// Lets what a peer says wait to be checked.
    private mutating func check(_ words: HeldLog.Words, of log: LogID, saidBy id: SessionID, as kind: OfferKind) {
        // A settlement may make room for a log that is not carried.
        guard let link = links[id], !setAside.contains(log), !leftOut.contains(log),
            words.settlement != nil || !forgotten.contains(log, now: time),
            let owner = owner(of: words)
        else { return }
        let epoch = kind == .announced ? link.milestones.current : nil
        let outcome = verdicts.add(
            VerdictQueue.Arrival(
                session: id,
                node: link.node,
                verdict: UnverifiedVerdict(
                    log: log,
                    settlement: words.settlement,
                    evidence: words.evidence,
                    certificate: words.certificate
                ),
                owner: owner,
                epochs: epoch.map { [$0] } ?? []
            )
        )
        switch outcome {
        case .added: links[id]?.arriving += 1
        case .replaced: break
        case .refused:
            if epoch != nil { links[id]?.milestones.breakOff() }
            return
        }
        if epoch != nil { links[id]?.milestones.add() }
    }

    /// Certificate and settlement begin alike: the network, then the root key.
    private func owner(of words: HeldLog.Words) -> UInt64? {
        guard let bytes = words.certificate ?? words.settlement, bytes.count >= 64 else { return nil }
        return bytes[32..<64].withUnsafeBytes { Bytes32(raw: $0) }?.prefix64
    }

    mutating func checkVerdicts() {
        guard !verdicts.isIdle, !pipeline.forming.isFull else { return }
        let request = RequestID(raw: nextRequest)
        guard let lot = verdicts.next(request, now: time, delay: { [quotas, time] in quotas.delay($0, now: time) })
        else { return }
        _ = drawRequest()
        effects.append(.judge(request, lot))
    }

    mutating func judged(_ request: RequestID, _ outcomes: [VerdictOutcome]) {
        guard let arrivals = verdicts.endChecking(request) else { return }
        for (arrival, outcome) in zip(arrivals, outcomes) {
            for epoch in arrival.epochs { links[arrival.session]?.milestones.settle(epoch) }
            switch outcome {
            case .violation(let violation):
                verdicts.settle(arrival.verdict.log)
                links[arrival.session]?.arriving -= 1
                violated(arrival.session, violation)
                queue(arrival.verdict.log)
            case .valid(let settlement, let evidence, let certificate):
                let count = (settlement == nil ? 0 : 1) + (evidence == nil ? 0 : 1)
                quotas.charge(arrival.owner, bytes: count * Limits.verdictQuotaBytes, now: time)
                pipeline.put(
                    settlement.map { SettlementArrival(signed: $0, certificate: certificate, source: arrival.node) },
                    evidence.flatMap { evidence in
                        certificate.map {
                            EvidenceArrival(evidence: evidence, certificate: $0, source: arrival.node)
                        }
                    },
                    from: arrival.session
                )
                pipeline.change { $0.verdictLogs.append(arrival.verdict.log) }
            }
        }
    }

    // MARK: What follows

    /// Takes over what a transaction made of logs that have a settlement or evidence; the rows are taken over already.
    mutating func judge(_ report: TakeReport) {
        if !report.forgotten.isEmpty, let log = own?.log, report.forgotten.contains(log) {
            // Of a log of which nothing was held the owner is not known: somebody's end is taken for the own one.
            let owner = owner(log)
            let hasEnded = report.standings.contains { standing in
                guard standing.certificate == nil else { return false }
                let words = HeldLog.Words(settlement: standing.settlement, evidence: nil, certificate: nil)
                return owner == nil || self.owner(of: words) == owner
            }
            halt(hasEnded ? .accountEnded : .notCarried)
        }
        forget(report.forgotten)
        for standing in report.standings { judge(standing) }
    }

    private mutating func judge(_ standing: LogStanding) {
        let log = standing.log
        let before = standings[log]
        standings.set(standing)
        let known = standings[log]
        // What is on its way was checked against what was known before.
        pipeline.forget(log)
        if log == own?.log {
            halt(standing.settlement == nil ? .forked : .settled)
            own?.judged(standing)
            announceOwn()
        }
        if let cut = known?.cut, cut != before?.cut, !standing.isComplete {
            effects.append(.report(.forked(log, at: cut.size)))
        }
        if standing.side == nil {
            requests.clip(log, at: standing.ceiling)
        } else {
            for offer in requests.drop(log) { fulfil(offer) }
        }
        settleOffers(log)
        let isNews = before?.cut != known?.cut || before?.settlement != known?.settlement
        for id in order {
            guard let link = links[id] else { continue }
            if isNews {
                links[id]?.apart.remove(log)
                links[id]?.disputeCounts[log] = nil
            }
            guard let mark = link.heardMarks[log] else { continue }
            offer(mark.item, by: id, as: .compared)
            contestIfOther(mark, with: id)
        }
        queue(log)
    }

    /// Offers that what is held now fulfils.
    mutating func settleOffers(_ log: LogID) {
        for offer in requests.settle(log, at: complete(log)).fulfilled { fulfil(offer) }
    }

    /// The store signs no more.
    private mutating func halt(_ reason: OwnLogEnd) {
        guard own?.halt(reason) == true else { return }
        effects.append(.report(.ownLogEnded(reason)))
        for id in order where links[id]?.ownLog.isOpen == true && links[id]?.ownLog != .asked {
            links[id]?.ownLog = .answered
        }
    }

    /// As much of what a peer offers as is wanted of a log that has a settlement or evidence.
    func clipped(_ item: LogSize, of id: SessionID) -> LogSize {
        guard let known = standings[item.log] else { return item }
        guard known.standing.side != nil else {
            return LogSize(log: item.log, size: min(item.size, known.ceiling))
        }
        let settled = known.settlement?.known
        let isThere = settled.map { links[id]?.heardMarks[item.log]?.isComplete(under: $0) ?? false } ?? false
        return LogSize(log: item.log, size: isThere ? settled?.size ?? 0 : 0)
    }

    // MARK: What is told

    /// What a peer is told of a log that has a settlement or evidence; nil if there is nothing that it understands.
    mutating func note(_ mark: LogMark, to id: SessionID) -> HeldLog? {
        guard links[id]?.speaksOfForks == true else {
            return mark.item.size > 0 ? HeldLog(item: mark.item, root: nil, words: nil) : nil
        }
        links[id]?.toldMarks[mark.item.log] = mark
        return HeldLog(item: mark.item, root: mark.root, words: standings[mark.item.log]?.words)
    }

    /// What is said of a log that a reconciliation found.
    mutating func whole(_ held: HeldLog, for id: SessionID) -> HeldLog {
        guard let known = standings[held.log], let root = held.root else { return held }
        let mark = LogMark(item: held.item, root: root, settlement: known.settlement, cut: known.cut)
        return note(mark, to: id) ?? held
    }

    /// Cut into messages of the usual size.
    static func lots(_ verdicts: [HeldLog], atMost count: Int = .max) -> [[HeldLog]] {
        var lots: [[HeldLog]] = []
        var bytes = Limits.verdictMessageBytes
        for verdict in verdicts {
            if bytes + verdict.wireBytes > Limits.verdictMessageBytes || lots.last?.count ?? 0 >= count {
                lots.append([])
                bytes = 0
            }
            lots[lots.count - 1].append(verdict)
            bytes += verdict.wireBytes
        }
        return lots
    }
}
