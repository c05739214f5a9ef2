internal import Entries
internal import GRDB
internal import Sodium

/// What is left out of a log, and what comes of it (`protocol/log.md` §6).
extension Intake {
    /// Goes over what a chunk leaves out; false, and nothing changed, if that does not begin where the log is stored to.
    ///
    /// Of one log there is one gap, and none in the own log, which is signed where it ends.
    func leap(_ log: inout LogState, to chunk: VerifiedChunk) throws -> Bool {
        guard let left = chunk.left, log.gap == nil, log.number != home.ownLog,
            let missing = LogGap(before: log.tip, rest: left), missing.end == chunk.start
        else { return false }
        guard try extend(&log, with: chunk) else { return false }
        log.gap = GapTable.Gap(missing: missing, head: log.head)
        return true
    }

    /// Stores the next of the entries that were left out; they count if what is behind them does.
    func fill(_ log: LogState, with chunk: VerifiedChunk) throws {
        guard let gap = log.gap, gap.missing.start == chunk.start, chunk.proof == gap.missing.known.map({ .gap($0) })
        else { return }
        // The root is that of the stored log, and so are all nodes that lead to it.
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

    /// Drops what lies behind a gap: the log is what was stored before the newest entries came.
    func dropWindow(_ id: LogID) throws {
        guard let log = try state(of: id), log.gap != nil else { return }
        touch(id)
        // A settlement may have come since that was decided: what a root key settled gives way to nothing.
        guard !log.isComplete else { return }
        var shorter = log
        try shorten(&shorter)
        try restand(&shorter)
        try replace(log, by: shorter, from: log.source)
    }

    /// Stores what was proven to take the place of what lies behind a gap, and drops that; nothing changes if it does not fit
    /// there any more: entries of the gap may have come meanwhile, or words.
    func replaceWindow(with chunk: VerifiedChunk, from source: NodeID?) throws {
        touch(chunk.log)
        guard let log = try state(of: chunk.log), let gap = log.gap?.missing,
            chunk.fits(inPlaceBehind: gap, of: log.size),
            chunk.end <= log.ceiling
        else { return noteUnfitting(chunk) }
        try dropWindow(chunk.log)
        try take(chunk, from: source)
    }

    /// Takes the log back to the gap; its identity is counted anew, since entries may count no more.
    func shorten(_ log: inout LogState) throws {
        guard let gap = log.gap else { return }
        let start = gap.missing.start
        let proof = try pendingAcross(gap.missing, of: log)
        shortened.insert(log.log)
        try suspend(log.identity)
        try drop(from: start, of: &log)
        log.pending = start > log.head?.size ?? 0 ? proof : nil
    }

    /// Whatever proved the entries behind the gap proves those before it.
    private func pendingAcross(_ gap: LogGap, of log: LogState) throws -> PendingHead? {
        if let head = log.head, head.size >= gap.end {
            return PendingHead(head: head, right: try nodes.range(gap.start..<head.size, of: log))
        }
        guard let pending = log.pending else { return nil }
        return try pending.right(after: nodes.range(gap.start..<log.storedEnd, of: log))
            .map { PendingHead(head: pending.head, right: $0) }
    }

    /// What is left out of the logs that this transaction touched.
    var gaps: [GapPlace] {
        get throws {
            try stored.compactMap { item in
                try state(of: item.log)?.gap.map { GapPlace(log: item.log, bounds: $0.missing.bounds) }
            }
        }
    }

    /// Logs that have no item any more, though they are carried.
    var emptied: [LogID] {
        shortened.filter { open[$0].map { $0.carriage == .carried && !$0.hasItem } ?? false }.sorted()
    }
}
