import Entries
import Sodium

/// Intake: verified chunks on their way into the store, and the reports of its transactions.
extension NodeMachine {
    /// The verifier is done with a batch: judges each of its chunks.
    mutating func verified(_ batch: BatchID, _ outcomes: [[ChunkOutcome]]) {
        guard let arrivals = pipeline.endVerification(batch) else { return }
        // Substitutes come last: each has to see what else of its log the batch brings.
        for position in [TakeBatch.SourcedChunk.Position.next, .inPlace] {
            for (run, results) in zip(arrivals, outcomes) {
                for (arrival, outcome) in zip(run, results) where arrival.kind.position == position {
                    judgeChunk(arrival, outcome)
                }
            }
        }
    }

    private mutating func judgeChunk(_ arrival: Pipeline.Arrival, _ outcome: ChunkOutcome) {
        let id = arrival.session
        if arrival.kind == .gap, !judgeGap(arrival, outcome) { return }
        switch outcome {
        case .verified(let verified):
            if case .proof(let range) = arrival.kind {
                proven(verified, over: range, by: id)
                queue(verified.log)
                // A proof that continues the own log is stored in the same transaction as the stop.
                guard isSigningStopped, verified.start == held(verified.log) else { break }
            }
            if case .substitute(let substitute) = arrival.kind {
                if mayTake(verified, as: substitute) { return replaceWindow(with: verified, of: arrival) }
                noteShown(verified, as: substitute, by: id)
                break
            }
            put(verified, of: arrival)
            return
        case .doesNotFit:
            if case .answer = arrival.kind { failed(arrival) }
        case .unknownRoot:
            let log = arrival.chunk.log
            if arrival.chunk.left.isEmpty || !askInWhole(log, of: id) { leave(log, to: id) }
        case .certificateMissing:
            switch arrival.kind {
            case .answer(.send), .proof: lied(arrival, .certificateMissing)
            case .push where arrival.chunk.start == 0: lied(arrival, .certificateMissing)
            // The certificate was not asked for: the store may have forgotten the log meanwhile, which is not the
            // peer's fault.
            case .answer(.known): failed(arrival)
            case .push, .gap, .substitute: break
            }
        case .prefixDiffers(let disputed):
            dispute(disputed, id)
            discharge(arrival)
            return
        case .violation(let violation):
            lied(arrival, SyncViolation(violation))
        }
        // While the chunk was verified the log was asked of nobody; its sender may have gone meanwhile.
        queue(arrival.chunk.log)
        discharge(arrival)
    }

    /// A chunk of an answer proves nothing, and that may be nobody's fault: others are asked first, whatever more of
    /// the answer comes.
    private mutating func failed(_ arrival: Pipeline.Arrival) {
        let (log, id) = (arrival.chunk.log, arrival.session)
        let held = held(log)
        if requests.want(log)?.asked?.session == id,
            order.contains(where: { $0 != id && requests.isOffered(log, by: $0, beyond: held) })
        {
            _ = requests.passOn(log, at: time)
        }
        noteLack(log, of: id)
    }

    /// Gives its sender's credit for a chunk back: nothing becomes of it.
    mutating func discharge(_ arrival: Pipeline.Arrival) {
        links[arrival.session]?.arriving -= 1
        links[arrival.session]?.grantedCredit.release(arrival.cost)
    }

    /// Closes the connection to a chunk's sender and bans it; one that has gone by now is banned as well.
    private mutating func lied(_ arrival: Pipeline.Arrival, _ violation: SyncViolation) {
        guard !sessions.contains(arrival.session) else { return violated(arrival.session, violation) }
        guard peers.penalties.end(.node(arrival.node), now: time) == nil else { return }
        _ = peers.punish(.node(arrival.node), now: time)
    }

    /// Withdraws a peer's offer of a log that cannot be taken of it now (an unknown root, a full queue): the log is not
    /// asked of it until it is announced anew.
    mutating func leave(_ log: LogID, to id: SessionID) {
        if let offer = requests.withdraw(log, by: id, at: time) {
            if offer.epoch != nil { links[id]?.milestones.breakOff() }
            fulfil(offer)
        }
        queue(log)
    }

    /// Adds a verified chunk to the next transaction, if its log is carried and its identity's quota allows it.
    mutating func put(_ verified: VerifiedChunk, of arrival: Pipeline.Arrival) {
        let log = verified.log
        let isCarried = ownScope.scope.contains(verified.certificate.certificate.identity)
        if !isCarried { leaveOutside(log) }
        guard isCarried, !isClosed(log) else {
            discharge(arrival)
            return
        }
        if let own, own.log == log, verified.end > own.size, !own.isStopped {
            stopSigning(.longer, shown: verified.size, by: arrival.session)
        }
        let owner = verified.certificate.certificate.identity.raw.prefix64
        guard !isNew(log) || quotas.delay(owner, now: time) == nil else {
            // The writer is known now, and its quota is spent: the log waits like its others.
            writers.note(log, by: owner)
            discharge(arrival)
            _ = requests.lacks(log, arrival.session, at: time)
            return queue(log)
        }
        if !verified.reachesHead, frontier.log(log) == nil { writers.note(log, by: owner) }
        pipeline.put(verified, of: arrival)
        links[arrival.session]?.comparison.brought()
        quotas.charge(owner, bytes: arrival.chunk.wireBytes, now: time)
        var known = [Pipeline.Known(session: arrival.session, item: LogSize(log: log, size: verified.end))]
        let settled = requests.settle(log, at: complete(log))
        for offer in settled.fulfilled {
            known.append(Pipeline.Known(session: offer.session, item: LogSize(log: log, size: offer.size)))
            fulfil(offer)
        }
        for session in settled.remaining { wish(log, of: session, .again) }
        pipeline.change { $0.known.append(contentsOf: known) }
    }

    /// Whether nothing of a log is here or on its way into the store.
    private func isNew(_ log: LogID) -> Bool {
        frontier.log(log) == nil && pipeline.tip(log) == nil && pendingEnds[log] == nil && standings[log] == nil
    }

    // MARK: The store

    /// Begins the next transaction, and adds the cursors that it saves.
    mutating func beginTake() {
        if pipeline.taking == nil, let size = own?.publish() {
            pipeline.change { $0.batch.published = size }
        }
        let isAlone = pipeline.forming.batch.isEmpty
        let isDue = cursors.saveDue <= time
        if pipeline.taking == nil, !isAlone || isDue { collectCursors() }
        if let (id, batch) = pipeline.nextTake(now: time) { effects.append(.take(id, batch)) }
    }

    /// Forgets the cursors that were set longest ago, here and in the store, if there are too many.
    private mutating func forgetCursors() {
        guard cursors.isFull else { return }
        let dropped = cursors.trim(keeping: peers.listedNodes.union(links.values.map(\.node)))
        pipeline.change { $0.batch.forgottenCursors += dropped }
    }

    private mutating func collectCursors() {
        for id in order where isAwake(id) || rests[id]?.hasCursor == true {
            guard links[id]?.hasNewCursor == true, let link = links[id], let cursor = cursor(of: link) else { continue }
            links[id]?.savedNumber = cursor.cursor.number
            pipeline.change { $0.batch.cursors.append(cursor) }
            cursors.saved(now: time)
        }
    }

    /// This node's cursor of the peer, if it is beyond the saved one; else nil.
    func cursor(of link: Link) -> TakeBatch.PeerCursor? {
        guard link.hasNewCursor, let reached = link.milestones.reached else { return nil }
        return TakeBatch.PeerCursor(
            peer: link.node,
            cursor: Cursor(store: link.hello.store, number: reached, scope: link.common.digest)
        )
    }

    /// The store has committed a transaction: takes over what it changed.
    mutating func taken(_ id: BatchID, _ report: TakeReport, microseconds: UInt64) {
        guard let done = pipeline.endTake(id, microseconds: microseconds, now: time) else { return }
        // The report may still want bodies of entries that were deleted here meanwhile.
        let deleted = appended.flatMap(\.unwantedBodies)
        let dropped = done.batch.droppedWindows + done.batch.chunks.filter { $0.position == .inPlace }.map(\.chunk.log)
        let held = heldByPeers(dropped)
        charge(report.recounted, of: done.batch)
        for cursor in done.batch.cursors { cursors.set(cursor.cursor, of: cursor.peer) }
        forgetCursors()
        for item in report.stored { pendingEnds[item.log] = item.size }
        takeGaps(report)
        takeEmptied(report.emptied)
        takeRows(report.changes)
        takeWords(done, report)
        for (id, item) in held { offer(item, by: id, as: .compared) }
        for log in dropped {
            settleOffers(log)
            // Where the store kept the window, the log is asked for as before.
            if gaps.contains(log) { droppedLogs.endWhole(of: log) }
        }
        for log in done.batch.restarts + dropped { queue(log) }
        settleStored(report.stored)
        decide()
        spread(done, report)
        for refund in done.refunds {
            links[refund.session]?.arriving -= refund.items
            links[refund.session]?.grantedCredit.release(refund.bytes)
        }
        askAgain(for: report.skipped, after: done)
        takeBodies(done, report)
        for place in deleted { bodies.remove(place) }
        if let size = done.batch.published { published(size) }
    }

    /// Takes over the words that were stored, then what peers said meanwhile of the logs that were busy with them.
    private mutating func takeWords(_ done: Pipeline.Taking, _ report: TakeReport) {
        let unheard = done.wordLogs.flatMap { wordQueue.settle($0) }
        judgeStandings(of: report)
        for log in done.wordLogs { queue(log) }
        for (id, mark) in unheard { contestIfOther(mark, with: id) }
        for (log, waiting) in done.wordEpochs {
            for (id, epoch) in waiting { settleWords(log, id, epoch) }
        }
    }

    /// Settles what waited for the stored entries of these logs, and queues the logs for the rest.
    private mutating func settleStored(_ logs: [LogSize]) {
        for item in logs {
            if standings[item.log] != nil { settleOffers(item.log) }
            if frontier.size(of: item.log) >= item.size {
                pendingEnds[item.log] = nil
                writers.remove(item.log)
            }
            // The peer that was to bring the rest may have gone meanwhile, or differ from the history that is stored
            // only now.
            queue(item.log)
        }
    }

    /// Hands stored news to gossip, once it is noted who has them already.
    private mutating func spread(_ done: Pipeline.Taking, _ report: TakeReport) {
        for known in done.known {
            guard let log = frontier.log(known.item.log) else { continue }
            links[known.session]?.known.raise(log, to: known.item.size)
        }
        // Chunks with deleted bodies are announced, not pushed: a peer that asks gets them without those bodies.
        for chunk in done.pushed where !report.covered.contains(chunk.log) && standings[chunk.log] == nil {
            gossip.put(chunk)
        }
    }

    /// Forgets logs that the store does not carry: they are not announced or asked for, and nothing waits for them.
    mutating func forget(_ logs: [LogID]) {
        guard !logs.isEmpty else { return }
        dropAppended(logs)
        for log in logs {
            let number = frontier.log(log)
            removeItem(log)
            standings.remove(log)
            pendingEnds[log] = nil
            pipeline.forget(log)
            droppedLogs.end(of: log)
            gaps.remove(log)
            writers.remove(log)
            forgotten.insert(log, now: time)
            for offer in requests.drop(log) { fulfil(offer) }
            for id in order {
                links[id]?.heardMarks[log] = nil
                if let number { links[id]?.toldMarks[number] = nil }
            }
        }
        bodies.remove(Set(logs))
    }

    /// Drops local changes that wait for the transaction under way, of logs whose items are gone since: the store told
    /// of those changes first. Only the own log's size is kept.
    mutating func dropAppended(_ logs: [LogID]) {
        for case .appended(let append, let way) in appended where way != .others && logs.contains(append.row.log) {
            own?.appended(append.chunk)
        }
        appended.removeAll { logs.contains($0.row.log) }
    }

    /// Removes a log's item, which gives no change number: whoever was told that this side is quiet is told again.
    mutating func removeItem(_ log: LogID) {
        guard let number = frontier.log(log) else { return }
        frontier.remove(log)
        for id in order where links.contains(id) && frontier.holds(number, in: links[id]?.part) {
            links[id]?.calm.quietAt = nil
        }
    }

    /// Applies changed rows and the local changes of meanwhile in the order of their change numbers.
    mutating func takeRows(_ rows: [FrontierRow]) {
        var rest = rows[...]
        for local in appended {
            while let row = rest.first, row.number < local.row.number {
                takeRow(row)
                rest = rest.dropFirst()
            }
            apply(local)
        }
        appended = []
        for row in rest { takeRow(row) }
    }

    mutating func takeRow(_ row: FrontierRow) {
        apply(row)
        guard row.log == own?.log else { return }
        if own?.resume() == true {
            forgotten.remove(row.log)
            // Only a Hello asks what peers hold of the own log.
            for id in order where links.contains(id) { close(id, .replaced) }
        }
        own?.adopted(row.size)
    }

    private mutating func takeBodies(_ done: Pipeline.Taking, _ report: TakeReport) {
        let sources =
            report.wantedBodies.isEmpty
            ? [:] : Dictionary(done.batch.chunks.compactMap(Self.withholder), uniquingKeysWith: { $1 })
        for place in report.wantedBodies {
            bodies.add(place, of: frontier.log(place.log).map(frontier.owner), from: sources[place.log])
        }
        for place in report.unwantedBodies { bodies.remove(place) }
        let refused = Set(report.refusedBodies)
        for body in done.batch.bodies {
            guard refused.contains(body) else {
                bodies.remove(body.place)
                continue
            }
            bodies.failed(body.place)
            guard let session = order.first(where: { links[$0]?.node == body.source }) else { continue }
            refuse(body, from: session)
        }
    }

    /// The peer that sent a chunk without bodies, and so is not asked for them in the first round; nil for a settled
    /// history, which is stored without bodies whatever came.
    private static func withholder(_ item: TakeBatch.SourcedChunk) -> (LogID, NodeID)? {
        switch item.chunk.proof {
        case .settled: nil
        case .head, .cut, .gap: (item.chunk.log, item.source)
        }
    }

    /// Handles a body that is not the entry's: the peer lies, or has another entry at that place.
    private mutating func refuse(_ body: TakeBatch.BodyArrival, from id: SessionID) {
        let log = body.place.log
        if links[id]?.speaksOfForks == true {
            contest(log, end: min(body.place.sequence + 1, stored(log)), with: id)
        } else if standings[log] == nil, links[id]?.apart.contains(log) == false {
            violated(id, .wrongBody)
        }
    }
}
