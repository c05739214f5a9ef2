import Entries

/// Which chunks that peers send are checked (`protocol/sync.md` §5).
extension NodeMachine {
    mutating func came(_ message: Chunks, costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        guard let node = links[id]?.node else { return }
        var rest = cost
        for chunk in message.chunks {
            // Version 1 has heads and nothing else.
            guard chunk.proof != .known || links[id]?.speaksOfForks == true else { throw .wrongFieldLength }
            // Given back with this chunk, or, if nothing is to be done with it, at the end.
            let share = min(rest, UInt64(chunk.wireBytes))
            guard let arrival = arrival(of: chunk, costing: share, from: id, node) else { continue }
            links[id]?.arriving += 1
            pipeline.add(arrival, now: time)
            rest -= share
        }
        links[id]?.allowance.release(rest)
        for log in message.lacking { lacked(log, by: id) }
        for log in message.lackingBefore where gaps.lacks(log, id) { links[id]?.progressAt = time }
        if let number = message.number { try closeMilestone(number, id) }
    }

    /// What is to be checked of a chunk, and how it came; nil if nothing is to be done with it now.
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
            // What nobody asked to be left out, or not any more, says nothing.
            guard let from = requests.askedFrom(chunk, by: id) else {
                noteLate(chunk, from: id)
                return nil
            }
            chunk.askedFrom = from
        }
        let certificate = chunk.certificate == nil ? requests.certificateDue(chunk.log, from: id) : .known
        let isAnswer = requests.isAnswer(chunk, from: id, now: time, received: sessions[id]?.bytesReceived ?? 0)
        if isAnswer { links[id]?.progressAt = time }
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

    /// Whether the next part of what was left out of a log is to be checked.
    private mutating func admitsGap(_ chunk: UnverifiedChunk, from id: SessionID) -> Bool {
        guard !isOverdrawn(chunk.log) else {
            _ = gaps.lacks(chunk.log, id)
            return false
        }
        links[id]?.progressAt = time
        return !isClosed(chunk.log)
    }

    /// Whether the next part of an answer is to be checked.
    private mutating func admitsAnswer(_ chunk: UnverifiedChunk, from id: SessionID) -> Bool {
        guard !isOutside(chunk.log) else {
            leaveOutside(chunk.log)
            return false
        }
        guard !isOverdrawn(chunk.log) else {
            // The rest of the answer is a push then, and not looked at either; it is asked for again.
            _ = requests.lacks(chunk.log, id, at: time)
            queue(chunk.log)
            return false
        }
        return !isClosed(chunk.log) && !isApart(chunk.log, of: id)
    }

    /// Whether a push is to be checked; in any case its sender has so much of the log.
    private mutating func admitsPush(_ chunk: UnverifiedChunk, from id: SessionID) -> Bool {
        let log = chunk.log
        // Whose log it is, only a certificate that was checked says: a push that claims so much is dropped, no more, and an
        // answer is checked (`put`).
        guard !isOutside(chunk.certificate), !isClosed(log) || leftOut.contains(log) else { return false }
        let said = LogSize(log: log, size: chunk.size)
        // Nothing is taken of one that is in dispute, or cannot be read: what was told there is asked for when that is over.
        guard !leftOut.contains(log), !isApart(log, of: id) else {
            offer(said, by: id, as: .announced)
            return false
        }
        // Nothing beyond the ceiling of a log that is forked or settled is taken.
        guard chunk.start < standings.ceiling(log) else { return false }
        offer(said, by: id, as: .announced)
        // What is here already, and what the identity's quota delays, is not looked at now.
        let end = chunk.start + chunk.count
        let isHere = end <= held(log)
        if isHere || pipeline.isArrivingSoon(log, to: end, now: time) { prune(id) }
        guard !isHere, !isDelayed(log) else { return false }
        // It would only be found not to fit, and as long as it waits for that nobody is asked for the log: who sends enough of
        // such keeps it from all others.
        guard chunk.start == held(log) || pipeline.isArriving(log, to: chunk.start) else {
            queue(log)
            return false
        }
        return true
    }

    /// Somebody else may be asked for the log by now: this peer answers all the same, and owes no more at the end of its answer.
    private mutating func noteLate(_ chunk: UnverifiedChunk, from id: SessionID) {
        if requests.isPassedOn(chunk.log, of: id) || gaps.isPassedOn(chunk.log, of: id) { links[id]?.progressAt = time }
        if requests.hasAnsweredLate(chunk, id) { queue(chunk.log) }
    }

    private func isDelayed(_ log: LogID) -> Bool {
        owner(log).map { quotas.delay($0, now: time) != nil } ?? false
    }

    private func isOverdrawn(_ log: LogID) -> Bool {
        owner(log).map { quotas.isOverdrawn($0, now: time) } ?? false
    }
}
