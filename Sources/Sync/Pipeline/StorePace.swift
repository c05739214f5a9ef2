/// The store's throughput, learned from its last transactions: an estimate, and no limit.
///
/// The unit of work is one more entry of a log that is in the transaction; each 1,024 bytes count as one more, and each
/// log as `workPerLog`. The fixed cost of a transaction, mostly the fsync, is learned from small ones, and the cost of
/// work from larger ones: a moving average with a quarter for the new sample, which counts as at most four times the
/// mean, since one stall of the disk says nothing of the next time.
struct StorePace {
    /// The work for a log's head, frontier row and tree: an entry of a new log took ten times as long as one more of a
    /// known one.
    static let workPerLog: UInt64 = 8
    static let bytesPerWork: UInt64 = 1_024

    /// Guesses, until the first transactions.
    private var flushNanoseconds: UInt64 = 1_000_000
    private var nanosecondsPerWork: UInt64 = 10_000

    /// Records a transaction.
    mutating func note(work: UInt64, microseconds: UInt64) {
        guard work > 0 else { return }
        let took = min(microseconds, 1 << 40) * 1_000
        if work < Limits.leastBatchWork {
            let rest = took - min(took, work * nanosecondsPerWork)
            Self.approach(&flushNanoseconds, rest)
        } else {
            let rest = took - min(took, flushNanoseconds)
            Self.approach(&nanosecondsPerWork, max(1, rest / work))
        }
    }

    /// The work that fits in a time; never so little that the fsync takes most of it.
    func work(in milliseconds: UInt64) -> UInt64 {
        let whole = milliseconds * 1_000_000
        let rest = max(whole - min(whole, flushNanoseconds), flushNanoseconds)
        return max(Limits.leastBatchWork, rest / nanosecondsPerWork)
    }

    private static func approach(_ mean: inout UInt64, _ sample: UInt64) {
        mean = max(1, (3 * mean + min(sample, 4 * mean + 1)) / 4)
    }
}
