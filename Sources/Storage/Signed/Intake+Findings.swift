internal import Entries
internal import GRDB
internal import Sodium

/// Handles histories that differ from the stored ones (`protocol/log.md` §6, Disputes).
extension Intake {
    /// Takes the first difference between a peer's history and the stored one; a finding that no longer fits the
    /// stored one changes nothing.
    func take(_ finding: ForkFinding) throws {
        guard let log = try state(of: finding.log), log.carriage == .carried, finding.sequence < log.storedEnd,
            finding.right.bounds.lowerBound == finding.sequence + 1,
            let own = try folding.entries.entry(at: log.key(finding.sequence))?.header(in: log.log).id,
            own != finding.leaf
        else { return }
        let prefix = try nodes.range(0..<finding.sequence, of: log)
        switch finding.proof {
        case .settled: try begin(finding, over: prefix, of: log)
        case .head, .cut: try judge(finding, own: own, over: prefix, of: log)
        }
    }

    /// Makes fork evidence of the two histories; a stored one that nothing proves is dropped from the difference on.
    private func judge(_ finding: ForkFinding, own leaf: EntryID, over prefix: LogRange, of log: LogState) throws {
        let held = try words.words(of: log.number).evidence
        guard let theirs = finding.branch(upTo: held) else { return }
        guard let certificate = try logs.certificate(of: log.number) else { return }
        guard let own = try ownBranch(at: finding.sequence, leaf: leaf, of: log, upTo: held) else {
            // Entries that no head of the device, and nothing else, proves may be dropped: they do not count.
            guard finding.sequence >= log.size else { return }
            var shorter = log
            try drop(from: finding.sequence, of: &shorter)
            try updateStanding(&shorter)
            return try replace(log, by: shorter, from: log.source)
        }
        let evidence = ForkEvidence(
            log: log.log,
            sequence: finding.sequence,
            prefix: prefix,
            branches: ForkEvidence.Branches(first: own, second: theirs)
        )
        guard evidence.isProof(network: home.network, device: certificate.certificate.device) else { return }
        if log.number == home.ownLog, finding.sequence >= home.published {
            // The entries that differ never left this home: nobody need see a fork. They are withdrawn (`Withdrawal`).
            home.signing = .stopped
            try SigningStop.note(.diverged, db)
            return
        }
        try join(evidence, to: log, from: log.source)
    }

    /// The stored history as a branch of evidence, by the head over the place, earlier evidence or a pending head.
    private func ownBranch(
        at sequence: UInt64,
        leaf: EntryID,
        of log: LogState,
        upTo held: ForkEvidence?
    ) throws -> ForkEvidence.Branch? {
        if let head = log.head, head.size > sequence {
            let right = try nodes.range(sequence + 1..<head.size, of: log)
            return ForkEvidence.Branch(size: head.size, signature: head.signature, leaf: leaf, right: right)
        }
        // The cut of a complete log may lie in a gap.
        if let held, !log.isComplete, sequence < held.sequence, held.sequence <= log.storedEnd,
            try nodes.root(at: held.sequence, of: log) == held.cut.root
        {
            let right = try nodes.range(sequence + 1..<held.sequence, of: log)
            return ForkEvidence.Branch(leaf: leaf, right: right, upTo: held)
        }
        return try log.pending?.branch(leaf: leaf, stored: nodes.range(sequence + 1..<log.storedEnd, of: log))
    }

    /// Begins a side: the settled history, to be fetched beside the stored one.
    private func begin(_ finding: ForkFinding, over prefix: LogRange, of log: LogState) throws {
        guard let settled = log.settled, !log.isComplete, finding.right.bounds.upperBound == settled.size,
            finding.root(over: prefix) == settled.root, try sides.side(of: log.number) == nil
        else { return }
        try sides.write(SideTable.Side(first: finding.sequence, tip: prefix), of: log.number)
        judged.insert(log.log)
        touch(log.log)
    }

    /// Appends to the side; once none of the settled history is missing, it replaces the stored one.
    func extend(
        _ side: SideTable.Side,
        of log: LogState,
        with chunk: VerifiedChunk,
        from source: NodeID?
    ) throws {
        var longer = side
        for entry in chunk.entries { longer.tip.append(leaf: entry.id.raw) }
        guard chunk.start == side.next, longer.tip == chunk.tip else { return noteUnfitting(chunk) }
        for entry in chunk.entries { try sides.add(entry, of: log.number) }
        judged.insert(log.log)
        if longer.next == log.settled?.size {
            try takeOver(longer, of: log, from: source)
        } else {
            try sides.write(longer, of: log.number)
        }
    }

    /// Replaces the stored history with the settled one, from the first difference on.
    private func takeOver(_ side: SideTable.Side, of log: LogState, from source: NodeID?) throws {
        open[log.log] = log
        try suspend(log.identity)
        var settled = log
        var next = side.first
        // The stored history may agree further by now than when the side began.
        while next < min(side.next, log.storedEnd),
            let own = try folding.entries.entry(at: log.key(next))?.header(in: log.log).id,
            try sides.entries(next..<next + 1, of: log).first?.id == own
        {
            next += 1
        }
        try drop(from: next, of: &settled)
        while next < side.next {
            let end = min(side.next, next + StorageLimits.walkedRows)
            let entries = try sides.entries(next..<end, of: log)
            guard UInt64(entries.count) == end - next else { throw StorageError.damaged("an entry is missing") }
            try extend(&settled, with: entries)
            try store(entries, of: settled)
            next = end
        }
        guard settled.tip == side.tip else { throw StorageError.damaged("a settled log is not what it was") }
        try sides.remove(of: log.number)
        settled.pending = nil
        try updateStanding(&settled)
        try replace(log, by: settled, from: source)
    }
}
