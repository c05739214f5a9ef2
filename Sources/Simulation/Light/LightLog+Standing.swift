import Entries

/// What counts of a `LightLog`, what it lacks, and how the store and the machine see it.
extension LightLog {
    var candidate: Carriage.Candidate {
        .init(serial: certificate.certificate.serial, log: log, end: settlement == nil ? .open : .settled)
    }

    /// Number of entries that count (`protocol/log.md` §8).
    var size: UInt64 { isCarried ? standing.size : 0 }
    var item: FrontierItem? { isCarried ? standing.item(of: log) : nil }
    /// Whether it has words: fork evidence or a settlement is held.
    var isJudged: Bool { evidence != nil || settlement != nil }

    /// Whether a peer that offers this size may have entries that are missing here.
    ///
    /// The database's `LogState.lacks` says the same, by its `heldSize`, but for an offer of 0, which that never lacks.
    func lacks(_ offered: UInt64) -> Bool {
        if standing.isComplete { return false }
        if settlement != nil { return true }
        return size < min(offered, standing.ceiling)
    }

    /// Whether a chunk may replace the entries behind the gap (`protocol/sync.md` §5).
    func fits(inPlace chunk: VerifiedChunk) -> Bool {
        guard let gap, chunk.fits(inPlaceBehind: gap, of: size) else { return false }
        return !standing.isComplete && chunk.end <= standing.ceiling
    }

    /// The words on a carried log and what follows from them, as the machine gets them; nil if it has none.
    var logStanding: LogStanding? {
        guard isCarried, isJudged else { return nil }
        return LogStanding(
            log: log,
            words: Words(
                settlement: settlement?.bytes,
                evidence: evidence?.bytes,
                certificate: certificate.bytes
            ),
            ceiling: standing.ceiling,
            isComplete: standing.isComplete,
            side: standing.settledNext(storedEnd: storedEnd, side: side?.range.bounds.upperBound),
            isDiverging: side == nil && standing.isDiverging
        )
    }

    var prefix: LogPrefix {
        LogPrefix(
            certificate: certificate,
            range: tip,
            cut: standing.cut,
            settled: standing.settled,
            side: side?.range,
            gap: gap
        )
    }
}
