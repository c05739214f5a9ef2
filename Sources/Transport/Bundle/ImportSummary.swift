internal import Entries

/// What an import did.
package struct ImportSummary: Sendable {
    /// Entries that were not here before.
    package private(set) var entries: UInt64 = 0
    package private(set) var bodies = 0
    /// Whether the own log's finding, if there is one, ended signing.
    package private(set) var ownLog: BundleReceipt.OwnLogFinding?
    /// Where the file is wrong; nothing behind it was looked at.
    package private(set) var fault: (fault: BundleFault, place: BundlePlace)?

    private var gained: Set<IdentityID> = []
    private var late: Set<LogID> = []
    private var forks: Set<LogID> = []
    private var differences: Set<LogID> = []
    private var settled: Set<LogID> = []
    private var ended: Set<LogID> = []
    /// How far the file and this home were seen to agree on each log.
    private var agreed: [LogID: UInt64] = [:]

    /// People of whom something is new.
    package var people: Int { gained.count }
    /// Logs of which the file has something, and not from where this home's part ends.
    package var laterLogs: Int { late.count }
    /// Logs whose writer signed two histories.
    package var forkedLogs: Int { forks.count }
    /// Logs that differ, and nobody knows why.
    package var differingLogs: Int { differences.subtracting(forks).count }

    /// Logs that their root keys end, as was not known before.
    package var settledLogs: Int { settled.count }
    /// Accounts that ended, as was not known before.
    package var endedAccounts: Int { ended.count }

    /// Something was stored.
    package var hasNews: Bool {
        entries > 0 || bodies > 0 || !settled.isEmpty || !ended.isEmpty || !forks.isEmpty
    }

    /// Logs that are counted as such: whoever made the file up pays nothing for one. More than a campus has.
    static let lateAtMost = 100_000

    /// Everything in the file that can count is here now.
    package var isComplete: Bool { fault == nil && late.isEmpty && differingLogs == 0 }

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
        case .unchecked: break
        case .later: if late.count < Self.lateAtMost { late.insert(chunk.log) }
        case .forked: forks.insert(chunk.log)
        case .differs:
            // What came before this chunk was the same here: it leads to no head, and no fork explains it.
            if let end = agreed[chunk.log], end >= chunk.start {
                self.end(with: .badProof, at: place)
            } else {
                differences.insert(chunk.log)
            }
        case .fault(let fault): end(with: fault, at: place)
        }
    }
}
