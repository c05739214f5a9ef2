import Entries

/// Failures of the store: batches that it could not read for or store.
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
            for log in part.wordLogs { release(log) }
            for (id, epoch) in part.wordEpochs.values.joined() {
                links[id]?.milestones.breakOff()
                links[id]?.milestones.settle(epoch)
            }
            for known in part.known { links[known.session]?.milestones.breakOff() }
            leaveOut(log)
        }
        for place in appended.flatMap(\.unwantedBodies) { bodies.remove(place) }
        // The failed transaction gave out no change numbers, so own entries need not wait for it.
        takeRows([])
    }

    /// Leaves out a log that the store cannot read or store; no cursor passes it, so that the next start asks for it
    /// anew.
    private mutating func leaveOut(_ log: LogID) {
        // Also for a log that is left out already: another part of it may have been on its way.
        for cursor in pipeline.dropCursors() { forget(cursor) }
        // Peers that announced it since then have no open offer that would hold their cursors.
        for id in order { links[id]?.milestones.breakOff() }
        guard leftOut.insert(log).inserted else { return }
        writers.remove(log)
        for offer in requests.drop(log) { fulfil(offer) }
        effects.append(.report(.logLeftOut(log)))
    }

    /// Forgets a cursor that was not stored after all.
    mutating func forget(_ cursor: TakeBatch.PeerCursor) {
        cursors.remove(cursor.peer)
        for id in order where links[id]?.node == cursor.peer { links[id]?.savedNumber = 0 }
    }

    /// Restores the offers of chunks that the store skipped, since the entries before them had been dropped.
    mutating func askAgain(for logs: [LogID], after done: Pipeline.Taking) {
        guard !logs.isEmpty else { return }
        for cursor in done.batch.cursors { forget(cursor) }
        let skipped = Set(logs)
        for known in done.known where skipped.contains(known.item.log) {
            // Later change numbers of the peer may have been reached meanwhile.
            links[known.session]?.milestones.breakOff()
            offer(known.item, by: known.session, as: .compared)
        }
        for cursor in pipeline.dropCursors() { forget(cursor) }
    }
}
