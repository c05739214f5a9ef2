internal import Entries

/// Summary of an import.
package struct ImportSummary: Sendable {
    /// Entries that are new here.
    package private(set) var entries: UInt64 = 0
    package private(set) var bodies = 0
    /// What the bundle shows of the own log; nil if nothing.
    package private(set) var ownLog: BundleReceipt.OwnLogFinding?
    /// The first fault and its place; nothing after it was read.
    package private(set) var fault: (fault: BundleFault, place: BundlePlace)?

    private var gained: Set<IdentityID> = []
    private var late: Set<LogID> = []
    private var passed: Set<LogID> = []
    private var forks: Set<LogID> = []
    private var differences: Set<LogID> = []
    private var settled: Set<LogID> = []
    private var ended: Set<LogID> = []
    private var refused: Set<LogID> = []
    /// For each log that came in part: the size that it has once all has come.
    private var begun: [LogID: UInt64] = [:]
    /// For each log: the end up to which the bundle agrees with this home.
    private var agreed: [LogID: UInt64] = [:]

    /// Identities with new entries.
    package var people: Int { gained.count }
    /// Logs of which a part of the bundle could not be used: it begins beyond this home's entries, or was passed over.
    package var laterLogs: Int { late.union(passed).count }
    /// Logs of which something new was passed over: the bundle read once more brings more of it.
    package var passedLogs: Int { passed.count }
    /// Logs whose writer forked.
    package var forkedLogs: Int { forks.count }
    /// Logs that differ for an unknown reason.
    package var differingLogs: Int { differences.subtracting(forks).count }

    /// Logs of which entries are new that count once the rest has come: the bundle did not bring all that their head
    /// covers. Not those that a fork or a settlement ends.
    package var begunLogs: Int { begun.keys.count { !forks.contains($0) && !settled.contains($0) } }

    /// Logs with a settlement that was not in force before.
    package var settledLogs: Int { settled.count }
    /// Accounts whose end was not known before.
    package var endedAccounts: Int { ended.count }

    /// Logs in the bundle of which nothing counts here: their account ended, or older devices come before them.
    package var refusedLogs: Int { refused.count }

    /// Whether anything new was stored.
    package var hasNews: Bool {
        entries > 0 || bodies > 0 || !settled.isEmpty || !ended.isEmpty || !forks.isEmpty
    }

    /// Whether everything in the bundle that can count is held now.
    package var isComplete: Bool { fault == nil && late.isEmpty && passed.isEmpty && differingLogs == 0 }

    mutating func end(with fault: BundleFault, at place: BundlePlace) {
        if self.fault == nil { self.fault = (fault, place) }
    }

    mutating func add(_ receipt: BundleReceipt, of lot: BundleLot) {
        for gain in receipt.gains {
            entries += gain.entries
            gained.insert(gain.identity)
        }
        bodies += receipt.bodies
        if let finding = receipt.ownLog, ownLog != .stopped { ownLog = finding }
        for log in receipt.refused ?? [] where refused.count < TransportLimits.lateLogsCount { refused.insert(log) }
        for log in receipt.passed ?? [] where passed.count < TransportLimits.lateLogsCount { passed.insert(log) }
        for judged in receipt.judged ?? [] {
            switch judged {
            case .settled(let log): settled.insert(log)
            case .forked(let log): forks.insert(log)
            case .ended(let log): ended.insert(log)
            }
        }
        if lot.hasWords, case .fault(let fault)? = receipt.verdicts.last, let place = lot.places.last {
            end(with: fault, at: place)
        }
        for (index, verdict) in receipt.verdicts.enumerated() where index < lot.chunks.count {
            note(verdict, of: lot.chunks[index], at: lot.places[index])
        }
    }

    private mutating func note(_ verdict: ChunkVerdict, of chunk: UnverifiedChunk, at place: BundlePlace) {
        switch verdict {
        case .taken, .known:
            agreed[chunk.log] = max(agreed[chunk.log] ?? 0, chunk.start + chunk.count)
            late.remove(chunk.log)
            noteBegun(chunk, verdict)
        case .unchecked: break
        case .later: if late.count < TransportLimits.lateLogsCount { late.insert(chunk.log) }
        case .forked: forks.insert(chunk.log)
        case .differs:
            // Directly behind agreeing entries: no head leads there, and no fork explains it.
            if let end = agreed[chunk.log], end >= chunk.start {
                self.end(with: .badProof, at: place)
            } else {
                differences.insert(chunk.log)
            }
        case .fault(let fault): end(with: fault, at: place)
        }
    }

    private mutating func noteBegun(_ chunk: UnverifiedChunk, _ verdict: ChunkVerdict) {
        if chunk.start + chunk.count == chunk.size {
            if let size = begun[chunk.log], chunk.size >= size { begun[chunk.log] = nil }
        } else if verdict == .taken, case .head = chunk.proof, begun.count < TransportLimits.lateLogsCount {
            begun[chunk.log] = max(begun[chunk.log] ?? 0, chunk.size)
        }
    }
}
