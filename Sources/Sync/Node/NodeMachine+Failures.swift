import Entries

/// What the store could not do, and did not do as expected.
extension NodeMachine {
    mutating func verifyFailed(_ batch: BatchID, _ failure: StoreFailure) {
        guard let run = pipeline.failVerification(batch, failure, now: time) else { return }
        for arrival in run {
            discharge(arrival)
            links[arrival.session]?.milestones.breakOff()
        }
        if let log = run.first?.chunk.log { leaveOut(log) }
    }

    mutating func takeFailed(_ batch: BatchID, _ failure: StoreFailure) {
        if let part = pipeline.failTake(batch, failure, now: time), let log = part.log {
            for body in part.batch.bodies { bodies.remove(body.place) }
            for log in part.verdictLogs { release(log) }
            for (id, epoch) in part.verdictEpochs.values.joined() {
                links[id]?.milestones.breakOff()
                links[id]?.milestones.settle(epoch)
            }
            for known in part.known { links[known.session]?.milestones.breakOff() }
            leaveOut(log)
        }
        for place in appended.flatMap(\.unwantedBodies) { bodies.remove(place) }
        // Nothing of that transaction has a number: own entries need not wait for it.
        takeRows([])
    }

    /// Goes on without a log that the store cannot read: no cursor passes it, so that the next start asks anew.
    private mutating func leaveOut(_ log: LogID) {
        // Also of a log that is left out already: another part of it may have been on its way.
        for cursor in pipeline.dropCursors() { forget(cursor) }
        // And whoever told of it while it was has no offer open that would say so.
        for id in order { links[id]?.milestones.breakOff() }
        guard leftOut.insert(log).inserted else { return }
        writers.remove(log)
        for offer in requests.drop(log) { fulfil(offer) }
        effects.append(.report(.logLeftOut(log)))
    }

    /// A cursor was not stored after all.
    mutating func forget(_ cursor: TakeBatch.PeerCursor) {
        cursors.remove(cursor.peer)
        for id in order where links[id]?.node == cursor.peer { links[id]?.savedNumber = 0 }
    }

    /// Chunks that were proven over entries which were dropped before the chunks came: their offers stand again.
    mutating func askAgain(for logs: [LogID], after done: Pipeline.Taking) {
        guard !logs.isEmpty else { return }
        for cursor in done.batch.cursors { forget(cursor) }
        let skipped = Set(logs)
        for known in done.known where skipped.contains(known.item.log) {
            // Later numbers of the peer may have been reached meanwhile.
            links[known.session]?.milestones.breakOff()
            offer(known.item, by: known.session, as: .compared)
        }
        for cursor in pipeline.dropCursors() { forget(cursor) }
    }
}
