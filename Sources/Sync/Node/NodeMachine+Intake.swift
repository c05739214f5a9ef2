import Entries
import Sodium

/// Intake: verified chunks on their way into the store.
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
        links[arrival.session]?.comparison.pace.brought()
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
}
