internal import Entries
internal import GRDB
internal import Sodium

/// Opens, fills and drops gaps (`protocol/log.md` §6). The entries behind a gap are the log's window.
extension Intake {
    /// Moves the tip over a gap and the chunk after it; false, and nothing changed, if the gap does not begin at the
    /// stored end.
    ///
    /// A log has one gap at most, and the own log none, as it is signed at its end.
    func leap(_ log: inout LogState, to chunk: VerifiedChunk) throws -> Bool {
        guard let left = chunk.left, log.gap == nil, log.number != home.ownLog,
            let missing = LogGap(before: log.tip, rest: left), missing.end == chunk.start
        else { return false }
        guard try extend(&log, with: chunk) else { return false }
        log.gap = GapTable.Gap(missing: missing, head: log.head)
        return true
    }

    /// Stores the next entries of a gap; they count if the entries behind the gap do.
    func fill(_ log: LogState, with chunk: VerifiedChunk) throws {
        guard let gap = log.gap, gap.missing.start == chunk.start, chunk.proof == gap.missing.known.map({ .gap($0) })
        else { return }
        // The chunk's root is that of the stored log, and so are all nodes under it.
        guard gap.missing.before == chunk.base else { return }
        try store(chunk.completed, of: log)
        var fuller = log
        fuller.gap = LogGap(before: chunk.tip, rest: chunk.right).map { GapTable.Gap(missing: $0, head: gap.head) }
        if chunk.start < log.size, !suspended.contains(log.identity) {
            try fold(chunk.entries, of: fuller)
        } else {
            try store(chunk.entries, of: fuller)
        }
        open[log.log] = fuller
    }

    /// Drops the window: the log then ends at the start of its gap.
    func dropWindow(_ id: LogID) throws {
        guard let log = try state(of: id), log.gap != nil else { return }
        touch(id)
        // A settlement may have come since that was decided: a settled history is not dropped.
        guard !log.isComplete else { return }
        var shorter = log
        try shorten(&shorter)
        try updateStanding(&shorter)
        try replace(log, by: shorter, from: log.source)
    }

    /// Replaces the window with a chunk that was proven in its place; nothing changes if the chunk does not fit any
    /// more: entries of the gap or words may have come meanwhile.
    func replaceWindow(with chunk: VerifiedChunk, from source: NodeID?) throws {
        touch(chunk.log)
        guard let log = try state(of: chunk.log), let gap = log.gap?.missing,
            chunk.fits(inPlaceBehind: gap, of: log.size),
            chunk.end <= log.ceiling
        else { return noteUnfitting(chunk) }
        try dropWindow(chunk.log)
        try take(chunk, from: source)
    }

    /// Truncates the log at its gap; its identity is refolded, since entries may stop counting.
    func shorten(_ log: inout LogState) throws {
        guard let gap = log.gap else { return }
        let start = gap.missing.start
        let proof = try pendingAcross(gap.missing, of: log)
        shortened.insert(log.log)
        try suspend(log.identity)
        try drop(from: start, of: &log)
        log.pending = start > log.head?.size ?? 0 ? proof : nil
    }

    /// The head that proved the window, as the pending head of the entries before the gap.
    private func pendingAcross(_ gap: LogGap, of log: LogState) throws -> PendingHead? {
        if let head = log.head, head.size >= gap.end {
            return PendingHead(head: head, right: try nodes.range(gap.start..<head.size, of: log))
        }
        guard let pending = log.pending else { return nil }
        return try pending.right(after: nodes.range(gap.start..<log.storedEnd, of: log))
            .map { PendingHead(head: pending.head, right: $0) }
    }

    /// The gaps of the logs that this transaction touched.
    var gaps: [GapPlace] {
        get throws {
            try stored.compactMap { item in
                try state(of: item.log)?.gap.map { GapPlace(log: item.log, bounds: $0.missing.bounds) }
            }
        }
    }

    /// Carried logs that were truncated at their gap and have no frontier item now.
    var emptied: [LogID] {
        shortened.filter { open[$0].map { $0.carriage == .carried && !$0.hasItem } ?? false }.sorted()
    }
}
