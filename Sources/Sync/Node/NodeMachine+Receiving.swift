import Entries

/// Receiving chunks: which are verified, and as what (`protocol/sync.md` §5).
extension NodeMachine {
    mutating func heardChunks(_ message: Chunks, costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        guard let node = links[id]?.node else { return }
        var rest = cost
        for chunk in message.chunks {
            // In version 1 only heads prove chunks.
            guard chunk.proof != .known || links[id]?.speaksOfForks == true else { throw .wrongFieldLength }
            // Credit given back with this chunk, or below if nothing is to be done with it.
            let share = min(rest, UInt64(chunk.wireBytes))
            guard let arrival = arrival(of: chunk, costing: share, from: id, node) else { continue }
            links[id]?.arriving += 1
            pipeline.add(arrival, now: time)
            rest -= share
        }
        links[id]?.grantedCredit.release(rest)
        for log in message.lacking { lacked(log, by: id) }
        for log in message.lackingBefore where gaps.lacks(log, id) { links[id]?.progressAt = time }
        if let number = message.number { try closeMilestone(number, id) }
    }

    /// A chunk to verify, and how it came; nil: nothing is to be done with it now.
    private mutating func arrival(
        of chunk: UnverifiedChunk,
        costing share: UInt64,
        from id: SessionID,
        _ node: NodeID
    ) -> Pipeline.Arrival? {
        if let range = takeProof(chunk, from: id) {
            return Pipeline.Arrival(session: id, node: node, chunk: chunk, cost: share, kind: .proof(range))
        }
        if gaps.isAnswer(chunk, from: id, waiting: waiting(for: id)) {
            guard admitsGap(chunk, from: id) else { return nil }
            return Pipeline.Arrival(session: id, node: node, chunk: chunk, cost: share, kind: .gap)
        }
        switch takeSubstitute(chunk, from: id) {
        case .first(let chunk, let substitute):
            guard admitsAnswer(chunk, from: id) else { return nil }
            let kind = Pipeline.Arrival.Kind.substitute(substitute)
            return Pipeline.Arrival(session: id, node: node, chunk: chunk, cost: share, kind: kind)
        case .rest: return nil
        case .other: break
        }
        var chunk = chunk
        if !chunk.left.isEmpty {
            // A window that was not asked for, or not any more, is ignored.
            guard let from = requests.askedFrom(chunk, by: id) else {
                noteLate(chunk, from: id)
                return nil
            }
            chunk.askedFrom = from
        }
        let certificate = chunk.certificate == nil ? requests.certificateDue(chunk.log, from: id) : .known
        let isAnswer = requests.isAnswer(chunk, from: id, now: time, received: sessions[id]?.bytesReceived ?? 0)
        if isAnswer {
            links[id]?.progressAt = time
            noteHolding(chunk, by: id)
            let end = chunk.start + chunk.count
            if end == chunk.size, requests.isMoreOffered(chunk.log, than: end, except: id) {
                noteLack(chunk.log, of: id)
            }
        }
        noteLate(chunk, from: id)
        guard isAnswer ? admitsAnswer(chunk, from: id) : admitsPush(chunk, from: id) else { return nil }
        return Pipeline.Arrival(
            session: id,
            node: node,
            chunk: chunk,
            cost: share,
            kind: isAnswer ? .answer(certificate) : .push,
            isListed: links[id]?.isBringingWhatWas == true,
            isStrangers: links[id]?.isListed == false
        )
    }

    /// Whether the next chunk for a gap is to be verified.
    private mutating func admitsGap(_ chunk: UnverifiedChunk, from id: SessionID) -> Bool {
        guard !isOverdrawn(chunk.log) else {
            gaps.breakOff(chunk.log, id)
            return false
        }
        links[id]?.progressAt = time
        return !isClosed(chunk.log)
    }

    /// Whether the next chunk of an answer is to be verified.
    private mutating func admitsAnswer(_ chunk: UnverifiedChunk, from id: SessionID) -> Bool {
        guard !isOutside(chunk.log) else {
            leaveOutside(chunk.log)
            return false
        }
        guard !isOverdrawn(chunk.log) else {
            // The rest of the answer then counts as pushes, which are dropped too; the log is asked for again.
            _ = requests.lacks(chunk.log, id, at: time)
            queue(chunk.log)
            return false
        }
        return !isClosed(chunk.log) && !isApart(chunk.log, of: id)
    }

    /// Notes that the sender of an answer holds the size that it names: the chunk may be a push that took the place of
    /// the answer, and the only word of what the number behind it covers.
    private mutating func noteHolding(_ chunk: UnverifiedChunk, by id: SessionID) {
        let said = LogSize(log: chunk.log, size: chunk.size)
        guard case .head = chunk.proof, !requests.isAwaited(said, of: id) else { return }
        offer(said, by: id, as: .announced)
    }

    /// Whether a pushed chunk is to be verified. A push is also an offer of the size that it names.
    private mutating func admitsPush(_ chunk: UnverifiedChunk, from id: SessionID) -> Bool {
        let log = chunk.log
        // Only a verified certificate tells whose log it is: on its mere claim a push is dropped, and an answer
        // verified (`put`).
        guard !isOutside(chunk.certificate), !isClosed(log) || leftOut.contains(log) else { return false }
        let said = LogSize(log: log, size: chunk.size)
        // Nothing is taken of a log that is in dispute or cannot be read; the offer is kept until that is over.
        guard !leftOut.contains(log), !isApart(log, of: id) else {
            offer(said, by: id, as: .announced)
            return false
        }
        // Nothing at or beyond the ceiling of a forked or settled log is taken.
        guard chunk.start < standings.ceiling(log) else { return false }
        offer(said, by: id, as: .announced)
        // Chunks that are here already, or that the identity's quota delays, are dropped.
        let end = chunk.start + chunk.count
        let isHere = end <= held(log)
        if isHere || pipeline.isArrivingSoon(log, to: end, now: time) { prune(id) }
        guard !isHere, !isDelayed(log) else { return false }
        // A chunk that cannot fit is dropped at once: while it waited to be verified the log would be asked of nobody,
        // and a peer that sends enough of them could keep the log from this node.
        guard chunk.start == held(log) || pipeline.isArriving(log, to: chunk.start) else {
            queue(log)
            return false
        }
        return true
    }

    /// Notes a chunk of a late answer, where others are asked for the log by now; with its end the peer owes nothing
    /// more.
    private mutating func noteLate(_ chunk: UnverifiedChunk, from id: SessionID) {
        if requests.isPassedOn(chunk.log, of: id) || gaps.isPassedOn(chunk.log, of: id) { links[id]?.progressAt = time }
        if requests.finishLate(chunk, id) { queue(chunk.log) }
    }

    private func isDelayed(_ log: LogID) -> Bool {
        owner(log).map { quotas.delay($0, now: time) != nil } ?? false
    }

    private func isOverdrawn(_ log: LogID) -> Bool {
        owner(log).map { quotas.isOverdrawn($0, now: time) } ?? false
    }
}
