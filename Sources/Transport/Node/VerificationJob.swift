internal import Entries
internal import NIOConcurrencyHelpers
internal import Sync

/// One batch on the verifier's threads, split into shares of similar work, of which each thread takes the next; the
/// last share to finish returns the outcomes of all.
final class VerificationJob: Sendable {
    private struct Results {
        var begun = 0
        var left: Int
        var outcomes: [[ChunkOutcome]]
    }

    /// Threads that help the first one.
    let helpers: Int
    private let shares: [Range<Int>]
    private let batch: UnverifiedBatch
    private let held: [LogID: LogPrefix]
    private let verifier: ChunkVerifier
    private let results: NIOLockedValueBox<Results>

    init(_ batch: UnverifiedBatch, over held: [LogID: LogPrefix], verifier: ChunkVerifier, threads: Int) {
        self.batch = batch
        self.held = held
        self.verifier = verifier
        let shares = Self.split(
            batch.runs,
            into: threads > 1 ? threads * TransportLimits.verificationSharesPerThread : 1
        )
        self.shares = shares
        helpers = min(threads, shares.count) - 1
        results = NIOLockedValueBox(
            Results(left: shares.count, outcomes: Array(repeating: [], count: batch.runs.count))
        )
    }

    var id: BatchID { batch.id }

    /// The next share, which nobody has begun; nil if none is left.
    func next() -> Range<Int>? {
        results.withLockedValue { results in
            guard results.begun < shares.count else { return nil }
            defer { results.begun += 1 }
            return shares[results.begun]
        }
    }

    /// Checks one share; returns the outcomes of all runs if it was the last share, else nil.
    func check(_ share: Range<Int>) -> [[ChunkOutcome]]? {
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
        // Below this, waking a second thread costs about what it saves: 15 signatures take it half a millisecond.
        guard whole > 512, count > 1 else { return [runs.indices] }
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
