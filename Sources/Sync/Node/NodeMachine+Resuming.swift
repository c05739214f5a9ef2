import Entries

/// Resumption: a peer that reconnects with a cursor is pushed the few changes since, in place of announcements
/// (`protocol/sync.md` §4). That saves a round trip and the names both ways.
extension NodeMachine {
    /// Reads from the store the next batch of entries to push in place of announcements.
    ///
    /// - Returns: whether announcements have to wait for it; false: there is no resumption.
    mutating func readsResumption(of id: SessionID) -> Bool {
        guard case .resuming(let after, var resuming) = links[id]?.announcer else { return false }
        guard resuming.lot == nil, hasRoom(id), !readTurns.isFull else { return true }
        guard links[id]?.branching != .named, let wants = resumption(of: id, after: after) else {
            links[id]?.announcer = .changes(after: after)
            return false
        }
        let lot = Array(wants.prefix(Limits.resumedLotLogs))
        let request = questions.open(.resumption(id))
        readTurns.begin(request, by: nil)
        resuming.lot = lot.count
        links[id]?.announcer = .resuming(after: after, resuming)
        effects.append(.readRanges(request, lot, byteLimit: resuming.left))
        return true
    }

    /// The entries that a peer lacks which held everything up to `number`; nil: too many changes to know, or none to
    /// push.
    private func resumption(of id: SessionID, after number: UInt64) -> [RangeWant]? {
        guard let grown = frontier.grown(after: number, limit: Limits.resumedChanges),
            let isTold = links[id]?.isTold(frontier, standings, withheld: withheld)
        else { return nil }
        let wants = grown.compactMap { log, before -> RangeWant? in
            let item = frontier.item(log)
            // A log may have grown since a batch was pushed.
            let from = max(before, links[id]?.known.size(log) ?? 0)
            guard from < item.size, !isTold(log), standings[item.log] == nil else { return nil }
            return RangeWant(log: item.log, from: from, certificate: from == 0 ? .send : .known)
        }
        return wants.isEmpty ? nil : wants
    }

    /// Pushes what the store has read; the last batch goes with all other announcements (`tell`), and logs that did not
    /// fit are announced there.
    mutating func resumed(_ answers: [RangeAnswer], on id: SessionID) {
        guard case .resuming(let after, var resuming) = links[id]?.announcer, let lot = resuming.lot else { return }
        links[id]?.announcer = .changes(after: after)
        var isWhole = answers.count == lot
        for answer in answers {
            guard case .chunk(let chunk) = answer, chunk.proof != .known else {
                isWhole = false
                continue
            }
            links[id]?.resumed[chunk.log] = chunk
            resuming.left -= chunk.entries.count
            isWhole = isWhole && chunk.start + chunk.count == chunk.size
        }
        // A batch that was cut short is the last: the rest is announced.
        guard isWhole, resuming.left >= Limits.resumedLeastBytes, let brought = links[id]?.resumed,
            let wants = resumption(of: id, after: after), wants.contains(where: { brought[$0.log] == nil })
        else { return }
        let logs = wants.filter { brought[$0.log] != nil }.compactMap { frontier.log($0.log) }
        let outcome = tell(logs, upTo: nil, id)
        links[id]?.resumed = [:]
        guard outcome == .pushed else { return }
        resuming.lot = nil
        links[id]?.announcer = .resuming(after: after, resuming)
    }
}
