import Entries

/// Taking: the store's transactions, and what this node takes over of their reports.
extension NodeMachine {
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
}
