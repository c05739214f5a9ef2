internal import Entries
internal import GRDB
internal import Sodium

/// Settlements, fork evidence and ends of accounts, and what follows from them (`protocol/log.md` §8).
extension Intake {
    /// Takes a settlement of a log, or the end of an account; nothing changes unless it overrules the stored one.
    func take(_ arrival: SettlementArrival) throws {
        let settlement = arrival.signed.settlement
        guard settlement.network == home.network else { return }
        if settlement.isEnd { return try end(arrival) }
        guard let log = try judgedLog(settlement.log, arrival.certificate), log.identityID == settlement.identity else {
            return
        }
        let held = try words.words(of: log.number).settlement?.settlement
        if let held, !settlement.overrules(held) { return }
        try words.write(arrival.signed, of: log.number)
        var settled = log
        settled.settled = settlement.known
        if held?.known != settlement.known { try sides.remove(of: log.number) }
        try updateStanding(&settled)
        let hadItem = log.hasItem
        // What was signed here comes from nobody; the log's entries did not become this home's by it.
        try replace(log, by: settled, from: arrival.source ?? log.source.map { _ in NodeID(raw: .zero) })
        // A settled log frees its place for another.
        if hadItem { _ = try carriages.insert(settled) }
        try readmitOwnLog(of: log.identity)
    }

    /// Takes fork evidence; of two, the one with the lower cut is in force, whatever history is stored here.
    func take(_ arrival: EvidenceArrival) throws {
        guard arrival.certificate.log == arrival.evidence.log,
            let log = try judgedLog(arrival.evidence.log, arrival.certificate)
        else { return }
        try join(arrival.evidence, to: log, from: arrival.source)
    }

    func join(_ evidence: ForkEvidence, to log: LogState, from source: NodeID?) throws {
        if let cut = log.cut, !(evidence.cut < cut) { return }
        try words.write(evidence, of: log.number)
        var forked = log
        forked.cut = evidence.cut
        try updateStanding(&forked)
        try replace(log, by: forked, from: source)
    }

    /// Stores a chunk of a judged log, and counts the entries that then count.
    func takeJudged(_ chunk: VerifiedChunk, _ log: LogState, from source: NodeID?) throws {
        switch chunk.proof {
        case .settled(let known):
            if log.isComplete { return }
            guard log.settled == known else { return noteUnfitting(chunk) }
            if let side = try sides.side(of: log.number) { return try extend(side, of: log, with: chunk, from: source) }
        case .cut(let known):
            if log.isComplete { return }
            guard log.cut == known else { return noteUnfitting(chunk) }
        case .gap: return
        case .head:
            // Nobody asks for entries from the ceiling on: pushing them must not fill a disk.
            guard chunk.start < log.ceiling else { return }
        }
        var longer = log
        let fits =
            chunk.left == nil
            ? try chunk.start == log.storedEnd && extend(&longer, with: chunk)
            : try leap(&longer, to: chunk)
        guard fits else { return noteUnfitting(chunk) }
        try store(chunk.entries, of: longer)
        if let head = chunk.head, chunk.reachesHead { longer.head = head }
        longer.pending = chunk.pending
        var roots = judgedRoots[log.log]?.roots(of: log) ?? [:]
        if log.size > 0 { roots[log.size] = log.root }
        try updateStanding(&longer, knowing: &roots)
        judgedRoots[log.log] = JudgedRoots(roots, of: longer)
        try replace(log, by: longer, from: source)
    }

    /// Recomputes a log's standing, that is how much of it counts.
    func updateStanding(_ log: inout LogState) throws {
        var roots: [UInt64: Bytes32] = [:]
        try updateStanding(&log, knowing: &roots)
    }

    /// Recomputes a log's standing, given roots of its stored history (`TreeNodes.standing`).
    private func updateStanding(_ log: inout LogState, knowing roots: inout [UInt64: Bytes32]) throws {
        guard log.isJudged else { return log.count() }
        // A cut or settlement in a gap cannot be checked by nodes; at the gap's end, no counted entry lies behind the
        // gap.
        if let gap = log.gap?.missing, Standing.ceiling(cut: log.cut, settled: log.settled) <= gap.end {
            // Evidence has no effect on a log whose settled history is stored.
            let isComplete = try log.settled.map { settled in
                try settled.size > gap.end && settled.size <= log.storedEnd
                    && nodes.root(at: settled.size, of: log) == settled.root
            }
            if isComplete != true { try shorten(&log) }
        }
        log.count(try nodes.standing(of: log, knowing: &roots))
    }

    /// Replaces a log's state; entries that count now are folded, and those that no longer count are unfolded.
    ///
    /// The entries of both states are one history; else the identity was suspended before anything was removed.
    func replace(_ old: LogState, by new: LogState, from source: NodeID?) throws {
        var new = new
        touch(new.log)
        if new.hasItem, !old.hasItem {
            // Other logs of the identity may have come before it since its first entries came.
            guard try carriages.admits(new) else { return try forget(new) }
            try admit(new)
        }
        if !suspended.contains(new.identity) {
            if new.size < old.size {
                open[old.log] = old
                try suspend(old.identity)
            } else if new.size > old.size {
                try foldPending(of: new, from: old.size, to: new.size)
            }
        }
        let last = new.size > 0 ? try folding.entries.entry(at: new.key(new.size - 1)) : nil
        new.time = last?.time ?? 0
        if new.item != old.item {
            new.source = source
            noteChanged(new.log)
        }
        if new.isJudged { judged.insert(new.log) }
        open[new.log] = new
    }

    /// The log that words are on; nil if it is unknown and came without its certificate, or would not be carried.
    private func judgedLog(_ id: LogID, _ certificate: SignedCertificate?) throws -> LogState? {
        if let known = try state(of: id) {
            if known.hasItem { return known }
        } else {
            guard let certificate, certificate.log == id else { return nil }
            open[id] = try logs.add(certificate)
        }
        guard let log = open[id] else { return nil }
        guard try carriages.admits(log) else {
            try forget(log)
            return nil
        }
        return log
    }

    /// Ends an account for ever: no log of it is carried, whichever and whenever it comes.
    private func end(_ arrival: SettlementArrival) throws {
        let identity = try logs.number(of: arrival.signed.settlement.identity)
        if let held = try ends.end(of: identity) {
            guard arrival.signed.settlement.overrules(held.signed.settlement) else { return }
            let end = EndTable.End(
                identity: held.identity,
                signed: arrival.signed,
                change: held.change,
                source: held.source
            )
            try ends.write(end, of: identity)
        } else {
            try suspend(identity)
            for log in try states(of: identity) {
                try forget(log)
                guard log.number == home.ownLog else { continue }
                noteWiped(try LogTail(db).wipeBodies(of: log, folding.entries))
                // Its withdrawn entries will not be signed again either.
                if try Withdrawal(db).wipe() { hasWiped = true }
            }
            try numberEnd(arrival.signed, from: arrival.source, of: identity)
        }
        ended.insert(identity)
    }
}
