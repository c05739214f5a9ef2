import Entries
import Sodium

/// What came from peers, behind its verification and into the store.
extension NodeMachine {
    mutating func verified(_ batch: BatchID, _ outcomes: [[ChunkOutcome]]) {
        guard let arrivals = pipeline.endVerification(batch) else { return }
        // What is to take the place of something last: it has to see what comes with it.
        for isAlone in [false, true] {
            for (run, results) in zip(arrivals, outcomes) {
                for (arrival, outcome) in zip(run, results) where arrival.kind.isInPlace == isAlone {
                    judge(arrival, outcome)
                }
            }
        }
    }

    private mutating func judge(_ arrival: Pipeline.Arrival, _ outcome: ChunkOutcome) {
        let id = arrival.session
        if arrival.kind == .gap, !judgeGap(arrival, outcome) { return }
        switch outcome {
        case .verified(let verified):
            if case .proof(let range) = arrival.kind {
                proven(verified, over: range, by: id)
                queue(verified.log)
                // What goes on where this home ends is stored together with the stop.
                guard isSigningStopped, verified.start == held(verified.log) else { break }
            }
            if case .substitute(let substitute) = arrival.kind {
                guard mayTake(verified, as: substitute) else { break }
                return replaceWindow(with: verified, of: arrival)
            }
            put(verified, of: arrival)
            return
        case .doesNotFit: break
        case .unknownRoot:
            let log = arrival.chunk.log
            if arrival.chunk.left.isEmpty || !askInWhole(log, of: id) { leave(log, to: id) }
        case .certificateMissing:
            switch arrival.kind {
            case .answer(.send), .proof: lied(arrival, .certificateMissing)
            case .push where arrival.chunk.start == 0: lied(arrival, .certificateMissing)
            // Who was not asked for it need not know that the store has forgotten the log meanwhile.
            case .answer(.known), .push, .gap, .substitute: break
            }
        case .prefixDiffers(let disputed):
            dispute(disputed, id)
            discharge(arrival)
            return
        case .violation(let violation):
            lied(arrival, SyncViolation(violation))
        }
        // While it was being checked nobody was asked for the log, whoever named it; its sender may have gone meanwhile.
        queue(arrival.chunk.log)
        discharge(arrival)
    }

    /// Gives its sender's credit for a chunk back: nothing becomes of it.
    mutating func discharge(_ arrival: Pipeline.Arrival) {
        links[arrival.session]?.arriving -= 1
        links[arrival.session]?.allowance.release(arrival.cost)
    }

    /// Drops the sender; one that has gone before it was found out is left alone as well.
    private mutating func lied(_ arrival: Pipeline.Arrival, _ violation: SyncViolation) {
        guard !sessions.contains(arrival.session) else { return violated(arrival.session, violation) }
        guard peers.penalties.end(.node(arrival.node), now: time) == nil else { return }
        _ = peers.punish(.node(arrival.node), now: time)
    }

    /// What a peer knows of the log is not here yet, or not any more: the log is not asked of it until it is told anew.
    mutating func leave(_ log: LogID, to id: SessionID) {
        if let offer = requests.withdraw(log, by: id, at: time) {
            if offer.epoch != nil { links[id]?.milestones.breakOff() }
            fulfil(offer)
        }
        queue(log)
    }

    mutating func put(_ verified: VerifiedChunk, of arrival: Pipeline.Arrival) {
        let log = verified.log
        let isCarried = scope.contains(verified.certificate.certificate.identity)
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
            // Now that its writer is known it waits as the others do.
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

    /// Nothing of the log is here, nor on its way into the store.
    private func isNew(_ log: LogID) -> Bool {
        frontier.log(log) == nil && pipeline.tip(log) == nil && pendingEnds[log] == nil && standings[log] == nil
    }

    // MARK: The store

    /// Begins the next transaction, with the cursors that it brings forward.
    mutating func beginTake() {
        if pipeline.taking == nil, let size = own?.publish() {
            pipeline.change { $0.batch.published = size }
        }
        let isAlone = pipeline.forming.batch.isEmpty
        let isDue = cursorsSavedAt + Limits.cursorSaveMilliseconds <= time
        if pipeline.taking == nil, !isAlone || isDue { collectCursors() }
        if let (id, batch) = pipeline.nextTake(now: time) { effects.append(.take(id, batch)) }
    }

    /// Of too many peers the cursors of those that were met longest ago are forgotten, here and in the store.
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
            cursorsSavedAt = time
        }
    }

    /// Where the peer stands, if that is further than the store knows.
    func cursor(of link: Link) -> TakeBatch.PeerCursor? {
        guard link.hasNewCursor, let reached = link.milestones.reached else { return nil }
        return TakeBatch.PeerCursor(
            peer: link.node,
            cursor: Cursor(store: link.hello.store, number: reached, scope: link.common.digest)
        )
    }

    mutating func taken(_ id: BatchID, _ report: TakeReport, microseconds: UInt64) {
        guard let done = pipeline.endTake(id, microseconds: microseconds, now: time) else { return }
        // Of what was deleted here meanwhile, the report may still want the bodies.
        let deleted = appended.flatMap(\.unwantedBodies)
        let dropped = done.batch.droppedWindows + done.batch.chunks.filter { $0.position == .inPlace }.map(\.chunk.log)
        let held = heldByPeers(dropped)
        charge(report.recounted, of: done.batch)
        for cursor in done.batch.cursors { cursors.set(cursor.cursor, of: cursor.peer) }
        forgetCursors()
        for item in report.stored { pendingEnds[item.log] = item.size }
        takeGaps(report)
        takeRows(report.changes)
        let unheard = done.verdictLogs.flatMap { verdicts.settle($0) }
        judge(report)
        for log in done.verdictLogs { queue(log) }
        for (id, mark) in unheard { contestIfOther(mark, with: id) }
        for (log, waiting) in done.verdictEpochs {
            for (id, epoch) in waiting { settleWords(log, id, epoch) }
        }
        for (id, item) in held { offer(item, by: id, as: .compared) }
        for log in dropped {
            settleOffers(log)
            // Where the store kept what was here, the log is one as before.
            if gaps.contains(log), case .whole = released[log] { released[log] = nil }
        }
        for log in done.batch.restarts + dropped { queue(log) }
        for item in report.stored {
            if standings[item.log] != nil { settleOffers(item.log) }
            if frontier.size(of: item.log) >= item.size {
                pendingEnds[item.log] = nil
                writers.remove(item.log)
            }
            // Whoever was to bring the rest may have gone meanwhile, or has what differs from what is stored only now.
            queue(item.log)
        }
        decide()
        for known in done.known {
            guard let log = frontier.log(known.item.log) else { continue }
            links[known.session]?.known.raise(log, to: known.item.size)
        }
        // What carries words that were deleted is told by name: whoever asks gets it without them.
        for chunk in done.pushed where !report.covered.contains(chunk.log) && standings[chunk.log] == nil {
            gossip.put(chunk)
        }
        for refund in done.refunds {
            links[refund.session]?.arriving -= refund.items
            links[refund.session]?.allowance.release(refund.bytes)
        }
        askAgain(for: report.skipped, after: done)
        takeBodies(done, report)
        for place in deleted { bodies.remove(place) }
        if let size = done.batch.published { published(size) }
    }

    /// The store does not carry these logs: they are neither offered nor asked for, and nobody waits for them.
    mutating func forget(_ logs: [LogID]) {
        guard !logs.isEmpty else { return }
        // What a file changed of them before, and is to be taken over with the transaction that is under way, is past.
        for case .own(let append) in appended where logs.contains(append.row.log) { own?.appended(append.chunk) }
        for case .published(let append) in appended where logs.contains(append.row.log) { own?.appended(append.chunk) }
        appended.removeAll { logs.contains($0.row.log) }
        for log in logs {
            let number = frontier.log(log)
            frontier.remove(log)
            standings.remove(log)
            pendingEnds[log] = nil
            pipeline.forget(log)
            released[log] = nil
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

    /// Changes are taken over in the order of their numbers, own entries of meanwhile among them.
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
            // What peers hold of it only a Hello asks.
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

    /// Who is not asked first for the bodies that did not come with a chunk; what replaces another history is stored without
    /// bodies, whatever came.
    private static func withholder(_ item: TakeBatch.SourcedChunk) -> (LogID, NodeID)? {
        switch item.chunk.proof {
        case .settled: nil
        case .head, .cut, .gap: (item.chunk.log, item.source)
        }
    }

    /// A body that is not the entry's: the peer lies, or has another entry at that place.
    private mutating func refuse(_ body: TakeBatch.BodyArrival, from id: SessionID) {
        let log = body.place.log
        if links[id]?.speaksOfForks == true {
            contest(log, end: min(body.place.sequence + 1, stored(log)), with: id)
        } else if standings[log] == nil, links[id]?.apart.contains(log) == false {
            violated(id, .wrongBody)
        }
    }
}
