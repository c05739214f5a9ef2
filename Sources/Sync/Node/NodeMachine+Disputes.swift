import Entries
import Sodium

/// Disputes: comparing two histories of one log to find their first difference; neither peer is to blame
/// (`protocol/sync.md` §9).
extension NodeMachine {
    /// Begins a dispute about a chunk that does not verify over the history held here.
    mutating func dispute(_ disputed: DisputedChunk, _ id: SessionID) {
        let log = disputed.log
        // Read in place: a copy of the link would copy its tables with the first change.
        guard let speaksOfForks = links[id]?.speaksOfForks, links[id]?.disputes[log] == nil else { return queue(log) }
        // The offer stays open, so that the link is not quiet and the peer's cursor does not pass it.
        _ = requests.lacks(log, id, at: time)
        let end = disputed.rest.bounds.lowerBound
        // The store cannot compare it with entries that still wait to be stored: that is done in `taken`.
        guard !speaksOfForks || !waitsForStore(log, to: end) else {
            guard links[id]?.undecided.count ?? 0 < Limits.undecidedLogsCount else { return leave(log, to: id) }
            links[id]?.undecided[log] = end
            return
        }
        defer { queue(log) }
        guard !speaksOfForks else { return contest(log, end: end, with: id) }
        guard hasRoom(for: log, .chunk, id) else { return }
        begin(.chunk(disputed), of: log, end: end, with: id)
    }

    /// Whether the stored history of a log up to `end` is about to change or grow.
    private func waitsForStore(_ log: LogID, to end: UInt64) -> Bool {
        wordQueue.isBusy(log) || (end > stored(log) && pipeline.prefix(log) != nil)
    }

    /// Whether the peer's history of a log differs from entries that wait to be stored: until they are, the log is
    /// neither asked of the peer nor taken from it.
    func isUndecided(_ log: LogID, with id: SessionID) -> Bool {
        links[id]?.undecided[log].map { waitsForStore(log, to: $0) } ?? false
    }

    /// Begins the disputes that waited for the store; where it does not reach so far, the log is asked for instead.
    mutating func decide() {
        for id in order {
            for log in links[id]?.undecided.keys.sorted() ?? [] { decide(log, with: id) }
        }
    }

    /// Begins the disputes of one log that waited for the store.
    mutating func decide(_ log: LogID) {
        for id in order { decide(log, with: id) }
    }

    private mutating func decide(_ log: LogID, with id: SessionID) {
        guard let end = links[id]?.undecided[log], !waitsForStore(log, to: end) else { return }
        links[id]?.undecided[log] = nil
        if end <= stored(log), !isClosed(log) { contest(log, end: end, with: id) }
        queue(log)
    }

    /// Begins a dispute if what a peer says of a log does not hold for the history stored here.
    mutating func contestIfOther(_ mark: LogMark, with id: SessionID) {
        let log = mark.item.log
        guard let root = mark.root, let known = frontier.log(log), !isClosed(log) else { return }
        guard !wordQueue.isBusy(log) else { return wordQueue.postpone(mark, of: id) }
        let standing = standings[log]?.standing
        // A node that holds the settled history leaves the comparison to the others; peers that hold it are asked for
        // it.
        if let standing, standing.isComplete { return }
        if let settled = standings[log]?.settlement?.known, standing?.side != nil, mark.isComplete(under: settled) {
            return
        }
        if mark.item.size == frontier.size(known) {
            guard root != frontier.root(known) else { return }
        } else {
            guard standing?.isDiverging == true else { return }
        }
        contest(log, end: min(mark.item.size, stored(log)), .mark(mark), with: id)
    }

    /// Asks a peer for its history of a log up to `end`.
    mutating func contest(
        _ log: LogID,
        end: UInt64,
        _ ground: Postponed.Ground? = nil,
        with id: SessionID
    ) {
        guard links[id]?.speaksOfForks == true, links[id]?.disputes[log] == nil, end > 0,
            links[id]?.apart.contains(log) == false, hasRoom(for: log, ground ?? .end(end), id)
        else { return }
        let count = links[id]?.disputeCounts[log] ?? 0
        guard count < Limits.disputesPerLogCount else { return setApart(log, of: id) }
        links[id]?.disputeCounts[log] = count + 1
        begin(.prefix(end: end, doubted: nil), of: log, end: end, with: id)
    }

    private mutating func begin(_ dispute: Dispute, of log: LogID, end: UInt64, with id: SessionID) {
        links[id]?.disputes[log] = dispute
        if requests.askedCount(id) == 0 { links[id]?.progressAt = time }
        send(.prefixWanted(PrefixQuestion(log: log, end: end)), to: id)
    }

    private mutating func hasRoom(for log: LogID, _ ground: Postponed.Ground, _ id: SessionID) -> Bool {
        guard links[id]?.disputes.count ?? 0 >= Limits.disputesCount else { return true }
        // Without a place in that queue the log would be asked for, and differ, again and again.
        if links[id]?.postponed.add(log, ground) == false { leave(log, to: id) }
        return false
    }

    /// Stops asking a peer for a log, since comparing the two histories leads to nothing more.
    private mutating func setApart(_ log: LogID, of id: SessionID) {
        links[id]?.apart.insert(log)
        if let offer = requests.withdraw(log, by: id, at: time) {
            if offer.epoch != nil { links[id]?.milestones.breakOff() }
            fulfil(offer)
        }
        queue(log)
    }

    private mutating func end(_ log: LogID, with id: SessionID) {
        guard links[id]?.disputes.removeValue(forKey: log) != nil else { return }
        queue(log)
        resume(id)
    }

    /// Takes logs out of the queue until a dispute begins. Those before it need none any more, and nothing else would
    /// ever take them out.
    private mutating func resume(_ id: SessionID) {
        while links[id]?.disputes.count ?? .max < Limits.disputesCount,
            let (log, ground) = links[id]?.postponed.popFirst()
        {
            wish(log, of: id, .again)
            switch ground {
            case .mark(let mark): contestIfOther(mark, with: id)
            case .end(let end): contest(log, end: min(end, stored(log)), with: id)
            case .chunk: if requests.isAskable(log, of: id, held: held(log)) { return }
            }
            if links[id]?.disputes[log] != nil { return }
        }
    }

    // MARK: The peer's answers

    mutating func heardPrefix(_ answer: PrefixAnswer, from id: SessionID) throws(SyncViolation) {
        let log = answer.log
        switch links[id]?.disputes[log] {
        case .chunk(let disputed) where answer.end == disputed.rest.bounds.lowerBound:
            links[id]?.progressAt = time
            end(log, with: id)
            switch disputed.judge(prefix: answer.nodes, network: configuration.network) {
            case .lie: throw .falseFork
            case .writerForked: metFork(of: log, shown: disputed.size, by: id)
            }
        case .prefix(answer.end, let doubted):
            links[id]?.progressAt = time
            guard !answer.nodes.isEmpty else { return gone(log, by: id) }
            // The same prefix again: the history has not changed, so the nodes that did not fit were false.
            guard answer.nodes != doubted, let proof = answer.selfContained else { throw .falseFork }
            links[id]?.disputes[log] = .weighing(shown: answer.nodes, end: answer.end)
            effects.append(.weighPrefix(questions.open(.dispute(id, log)), log, proof))
        case .chunk, .prefix, .weighing, .descending, nil:
            guard try showedHead(answer, by: id) else { throw .unaskedAnswer }
        }
    }

    /// Handles a fork shown by a peer of version 1, which cannot say more of its branch.
    private mutating func metFork(of log: LogID, shown: UInt64, by id: SessionID) {
        let isWithheld = publishedEnd(of: log) != nil
        if !isWithheld, let node = links[id]?.node { effects.append(.report(.branchOfPeer(log, node))) }
        if own?.log == log { stopSigning(.otherBranch, shown: shown, by: id) }
        if isWithheld { setAside(log) }
        if let offer = requests.withdraw(log, by: id, at: time) { fulfil(offer) }
        links[id]?.apart.insert(log)
        queue(log)
    }

    /// Ends a dispute in which the peer has nothing to show (any more), as may happen to an honest one.
    private mutating func gone(_ log: LogID, by id: SessionID) {
        if let offer = requests.withdraw(log, by: id, at: time) {
            // The entries offered beyond those held are neither here nor noted as a want.
            if offer.epoch != nil, held(log) > 0 { links[id]?.milestones.breakOff() }
            fulfil(offer)
        }
        end(log, with: id)
    }

    /// The store has weighed the prefix that the peer showed: goes on with the dispute.
    mutating func weighed(_ weight: PrefixWeight, of log: LogID, _ id: SessionID) {
        guard case .weighing(let shown, let end) = links[id]?.disputes[log] else { return }
        do throws(SyncViolation) {
            switch weight {
            case .lie: throw .falseFork
            case .unknownRoot:
                leave(log, to: id)
                self.end(log, with: id)
            case .absent, .beyond: self.end(log, with: id)
            case .compared(let descent, let step):
                try goOn(descent, step, Ground(shown: shown, end: end), log, id)
            }
        } catch {
            violated(id, error)
        }
    }

    /// The prefix that a search began with.
    private struct Ground {
        let shown: [Bytes32]
        let end: UInt64
    }

    private mutating func goOn(
        _ descent: Descent?,
        _ step: Descent.Step,
        _ ground: Ground,
        _ log: LogID,
        _ id: SessionID
    ) throws(SyncViolation) {
        switch step {
        case .question(let place):
            guard let descent else { return end(log, with: id) }
            links[id]?.disputes[log] = .descending(
                Dispute.Search(descent: descent, place: place, shown: ground.shown, end: ground.end)
            )
            send(.nodesWanted(NodesQuestion(log: log, place: place)), to: id)
            effects.append(.readNodes(questions.open(.descent(id, log)), log, place))
        case .same:
            // A chunk did not verify over an equal prefix: the peer has changed its history since, or it lied. The log
            // is compared a few times, and then not asked of it any more.
            end(log, with: id)
        case .found(let finding): found(finding, by: id)
        case .lie:
            // Its history may have changed since it showed the prefix; it has not if the prefix is still the same.
            let count = links[id]?.disputeCounts[log] ?? 0
            guard count < Limits.disputesPerLogCount else {
                end(log, with: id)
                return setApart(log, of: id)
            }
            links[id]?.disputeCounts[log] = count + 1
            begin(.prefix(end: ground.end, doubted: ground.shown), of: log, end: ground.end, with: id)
        }
    }

    mutating func heardNodes(_ answer: NodesAnswer, from id: SessionID) throws(SyncViolation) {
        guard case .descending(var search) = links[id]?.disputes[answer.log], search.place == answer.place,
            search.theirs == nil
        else { throw .unaskedAnswer }
        links[id]?.progressAt = time
        search.theirs = answer.hashes
        try compare(search, answer.log, id)
    }

    /// Takes the own nodes that a dispute asked the store for.
    mutating func readNodes(_ nodes: [Bytes32]?, of log: LogID, _ id: SessionID) {
        guard case .descending(var search) = links[id]?.disputes[log] else { return }
        // Without own nodes (any more) the search ends when the peer has answered.
        search.ours = nodes ?? []
        do throws(SyncViolation) { try compare(search, log, id) } catch { violated(id, error) }
    }

    private mutating func compare(_ search: Dispute.Search, _ log: LogID, _ id: SessionID) throws(SyncViolation) {
        guard let theirs = search.theirs, let ours = search.ours else {
            links[id]?.disputes[log] = .descending(search)
            return
        }
        guard !theirs.isEmpty else {
            // The device signed both histories, and neither side has the nodes that tell where they part: one gives
            // way.
            if ours.isEmpty, mayGiveWay(log), standings[log]?.settlement == nil, search.descent.yields {
                dropWindow(log, for: search.end, of: id)
                return end(log, with: id)
            }
            return gone(log, by: id)
        }
        guard !ours.isEmpty || !mayGiveWay(log) else {
            // The device signed both histories, and they may part within the gap here: the window is dropped, and the
            // log fetched without a gap.
            dropWindow(log, toHave: .wholeLog(of: id, size: search.end, now: time))
            return end(log, with: id)
        }
        var descent = search.descent
        let step = descent.answered(theirs: theirs, ours: ours)
        let ground = Ground(shown: search.shown, end: search.end)
        try goOn(descent, step, ground, log, id)
    }

    private mutating func found(_ finding: ForkFinding, by id: SessionID) {
        let log = finding.log
        defer { end(log, with: id) }
        // The differing node is that of an entry in the gap, so no evidence can be made of it.
        guard !gaps.holds(finding.sequence, of: log) else {
            guard mayGiveWay(log) else { return }
            return dropWindow(log, toHave: .wholeLog(of: id, size: finding.right.bounds.upperBound, now: time))
        }
        if let own, own.log == log {
            switch finding.proof {
            case .settled: break
            case .head, .cut: stopSigning(.otherBranch, shown: finding.right.bounds.upperBound, by: id)
            }
            // Entries that were signed here and never left fork nothing: they stay, and the log is set aside.
            guard !own.isWithheld || finding.sequence < own.published else { return setAside(log) }
        }
        // Bounded, since while the disk is full each connection could bring more.
        guard pipeline.forming.batch.findings.count < Limits.findingsCount else { return }
        links[id]?.arriving += 1
        wordQueue.hold(log)
        pipeline.change { $0.put(finding, from: id) }
    }

    /// Sets the own log aside: nothing more of it is taken (`protocol/own-log.md` §4).
    mutating func setAside(_ log: LogID) {
        guard setAside.insert(log).inserted else { return }
        for offer in requests.drop(log) { fulfil(offer) }
        pipeline.change { $0.batch.setAside.append(log) }
        effects.append(.report(.ownLogSetAside(log)))
    }
}
