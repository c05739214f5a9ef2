internal import Entries
internal import NIOConcurrencyHelpers
internal import Storage
internal import Sync
internal import Synchronization

/// One batch on the verifier's threads, split into shares of similar work, of which each thread takes the next; the
/// last share to finish returns the outcomes of all.
final class VerificationJob: Sendable {
    typealias Held = [LogID: LogPrefix]

    private enum Beginning {
        case open
        case begun(Held)
        case failed
    }

    private struct Results {
        var begun = 0
        var left: Int
        var outcomes: [[ChunkOutcome]]
    }

    /// Threads that have something to do.
    let threads: Int
    private let shares: [Range<Int>]
    private let batch: UnverifiedBatch
    private let verifier: ChunkVerifier
    private let beginning = Mutex(Beginning.open)
    private let results: NIOLockedValueBox<Results>

    init(_ batch: UnverifiedBatch, verifier: ChunkVerifier, threads: Int) {
        self.batch = batch
        self.verifier = verifier
        let shares = Self.split(
            batch.runs,
            into: threads > 1 ? threads * TransportLimits.verificationSharesPerThread : 1
        )
        self.shares = shares
        self.threads = min(threads, shares.count)
        results = NIOLockedValueBox(
            Results(left: shares.count, outcomes: Array(repeating: [], count: batch.runs.count))
        )
    }

    var id: BatchID { batch.id }

    /// What is held of the logs that continue what is stored: read by the first thread, for which the others wait. Nil
    /// where that failed; to the first thread it throws.
    func begin(_ read: ([LogID]) throws(StorageError) -> Held) throws(StorageError) -> Held? {
        try beginning.withLock { beginning throws(StorageError) in
            switch beginning {
            case .begun(let held): return held
            case .failed: return nil
            case .open:
                // What throws leaves it so.
                beginning = .failed
                let logs = batch.runs.filter(\.isOverStored).map(\.log)
                let held = logs.isEmpty ? [:] : try read(logs)
                beginning = .begun(held)
                return held
            }
        }
    }

    /// The next share, which nobody has begun; nil if none is left.
    func next() -> Range<Int>? {
        results.withLockedValue { results in
            guard results.begun < shares.count else { return nil }
            defer { results.begun += 1 }
            return shares[results.begun]
        }
    }

    /// Checks one share; returns the outcomes of all runs if it was the last share, else nil.
    func check(_ share: Range<Int>, over held: Held) -> [[ChunkOutcome]]? {
        let outcomes = batch.runs[share].map { run in
            verifier.verify(run, over: run.base(held[run.log]))
        }
        return results.withLockedValue { results in
            results.outcomes.replaceSubrange(share, with: outcomes)
            results.left -= 1
            return results.left == 0 ? results.outcomes : nil
        }
    }

    /// Splits runs into consecutive shares of about the same number of entries; a small batch stays whole.
    static func split(_ runs: [UnverifiedRun], into count: Int) -> [Range<Int>] {
        // A signature costs as much as hashing some thirty entries.
        let weights = runs.map { run in run.chunks.reduce(0) { $0 + Int(clamping: min($1.count, 1 << 20)) + 32 } }
        let whole = weights.reduce(0, +)
        // Below this, waking a second thread costs about what it saves: 8 signatures take it a quarter of a millisecond.
        guard whole > 256, count > 1 else { return [runs.indices] }
        var shares: [Range<Int>] = []
        var start = 0
        var weight = 0
        for (index, next) in weights.enumerated() {
            weight += next
            if weight * count >= whole {
                shares.append(start..<index + 1)
                start = index + 1
                weight = 0
            }
        }
        if start < runs.count { shares.append(start..<runs.count) }
        return shares
    }
}
