import Entries

/// Who comes back with a cursor, after little has changed, is brought that instead of being told of it: a round trip, and the
/// names both ways, are saved (`protocol/sync.md §4`).
extension NodeMachine {
    /// Asks the store for what is brought in the place of its names.
    ///
    /// - Returns: whether the names have to wait for that; false where all there is to tell is told as always.
    mutating func readsResumption(of id: SessionID) -> Bool {
        guard case .resuming(let after, var resuming) = links[id]?.announcer else { return false }
        guard resuming.question == nil, hasRoom(id), !readTurns.isFull else { return true }
        guard links[id]?.branching != .named, let wants = resumption(of: id, after: after) else {
            links[id]?.announcer = .changes(after: after)
            return false
        }
        let lot = Array(wants.prefix(Limits.resumedLotLogs))
        let question = drawRequest()
        readTurns.begin(question, by: nil)
        resuming.question = (question, lot.count)
        links[id]?.announcer = .resuming(after: after, resuming)
        effects.append(.readRanges(question, lot, byteLimit: resuming.left))
        return true
    }

    /// What a peer lacks that had everything up to a number; nil if that is not known, or is nothing that can be brought.
    private func resumption(of id: SessionID, after number: UInt64) -> [RangeWant]? {
        guard let grown = frontier.grown(after: number, limit: Limits.resumedChanges),
            let isTold = links[id]?.isTold(frontier, standings, withheld: withheld)
        else { return nil }
        let wants = grown.compactMap { log, before -> RangeWant? in
            let item = frontier.item(log)
            // It may have grown since it was brought.
            let from = max(before, links[id]?.known.size(log) ?? 0)
            guard from < item.size, !isTold(log), standings[item.log] == nil else { return nil }
            return RangeWant(log: item.log, from: from, certificate: from == 0 ? .send : .known)
        }
        return wants.isEmpty ? nil : wants
    }

    /// What was read goes ahead; the last of it is told in the place of its names, with whatever else there is to tell (`tell`).
    /// What did not fit is named.
    ///
    /// - Returns: false if it was not read for that.
    mutating func resumed(_ request: RequestID, _ answers: [RangeAnswer]) -> Bool {
        for id in order {
            guard case .resuming(let after, var resuming) = links[id]?.announcer, let question = resuming.question,
                question.id == request
            else { continue }
            links[id]?.announcer = .changes(after: after)
            var isWhole = answers.count == question.wants
            for answer in answers {
                guard case .chunk(let chunk) = answer, chunk.proof != .known else {
                    isWhole = false
                    continue
                }
                links[id]?.resumed[chunk.log] = chunk
                resuming.left -= chunk.entries.count
                isWhole = isWhole && chunk.start + chunk.count == chunk.size
            }
            // What stopped here is named, and what is behind it.
            guard isWhole, resuming.left >= Limits.resumedLeastBytes, let brought = links[id]?.resumed,
                let wants = resumption(of: id, after: after), wants.contains(where: { brought[$0.log] == nil })
            else { return true }
            let logs = wants.filter { brought[$0.log] != nil }.compactMap { frontier.log($0.log) }
            let outcome = tell(logs, upTo: nil, id)
            links[id]?.resumed = [:]
            guard outcome == .pushed else { return true }
            resuming.question = nil
            links[id]?.announcer = .resuming(after: after, resuming)
            return true
        }
        return false
    }
}
