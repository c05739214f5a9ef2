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
        /// It failed, or is answered.
        case over
    }

    private struct Work {
        /// Gone with the last share: a thread that is told late may come much later, and the job waits for it.
        var runs: [UnverifiedRun]
        var begun = 0
        var left: Int
        var outcomes: [[ChunkOutcome]]
    }

    let id: BatchID
    /// Threads that find something to do, at most.
    let threads: Int
    private let shares: [Range<Int>]
    private let verifier: ChunkVerifier
    private let beginning = Mutex(Beginning.open)
    private let work: NIOLockedValueBox<Work>

    init(_ batch: UnverifiedBatch, verifier: ChunkVerifier, threads: Int) {
        id = batch.id
        self.verifier = verifier
        let shares = Self.split(
            batch.runs,
            into: threads > 1 ? threads * TransportLimits.verificationSharesPerThread : 1
        )
        self.shares = shares
        self.threads = min(threads, shares.count)
        work = NIOLockedValueBox(
            Work(
                runs: batch.runs,
                left: shares.count,
                outcomes: Array(repeating: [], count: batch.runs.count)
            )
        )
    }

    /// What is held of the logs that continue what is stored: read by the first thread, for which the others wait. Nil
    /// where that failed, or nothing is left to do; the failure is thrown to the first thread alone.
    func begin(_ read: ([LogID]) throws(StorageError) -> Held) throws(StorageError) -> Held? {
        try beginning.withLock { beginning throws(StorageError) in
            switch beginning {
            case .begun(let held): return held
            case .over: return nil
            case .open:
                // What throws leaves it so.
                beginning = .over
                let logs = work.withLockedValue { $0.runs.filter(\.isOverStored).map(\.log) }
                let held = logs.isEmpty ? [:] : try read(logs)
                beginning = .begun(held)
                return held
            }
        }
    }

    /// The next share, which nobody has begun; nil if none is left.
    func next() -> Range<Int>? {
        work.withLockedValue { work in
            guard work.begun < shares.count else { return nil }
            defer { work.begun += 1 }
            return shares[work.begun]
        }
    }

    /// Checks one share; returns the outcomes of all runs if it was the last share, else nil.
    func check(_ share: Range<Int>, over held: Held) -> [[ChunkOutcome]]? {
        let runs = work.withLockedValue { $0.runs[share] }
        let outcomes = runs.map { run in
            verifier.verify(run, over: run.base(held[run.log]))
        }
        let all = work.withLockedValue { work -> [[ChunkOutcome]]? in
            work.outcomes.replaceSubrange(share, with: outcomes)
            work.left -= 1
            guard work.left == 0 else { return nil }
            defer { (work.runs, work.outcomes) = ([], []) }
            return work.outcomes
        }
        if all != nil { beginning.withLock { $0 = .over } }
        return all
    }

    /// Splits runs into consecutive shares of about the same number of entries; a small batch stays whole.
    static func split(_ runs: [UnverifiedRun], into count: Int) -> [Range<Int>] {
        // A signature costs as much as hashing some thirty entries.
        let weights = runs.map { run in run.chunks.reduce(0) { $0 + Int(clamping: min($1.count, 1 << 20)) + 32 } }
        let whole = weights.reduce(0, +)
        // Below this, waking a second thread costs about what it saves: 7 signatures take one a third of a millisecond.
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
