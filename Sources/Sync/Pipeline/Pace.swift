/// How much the store does in a given time, as its last transactions have shown.
///
/// Work is counted in entries in a log of which the transaction has others; each 1,024 bytes count as one more entry, and
/// each log as `workPerLog`. What a transaction costs however small it is, the disk's flush above all, is learned from those
/// that do little, and the rest from those that do more; each by a quarter of what is new, and at most as if it had taken
/// four times as long as expected, since a disk that hung once says nothing of the next time.
struct Pace {
    /// Of a log's head, frontier row and tree: an entry of a new log took ten times as long as one more of a known one.
    static let workPerLog: UInt64 = 8
    static let bytesPerWork: UInt64 = 1_024

    /// Guesses, until something was stored.
    private var flushNanoseconds: UInt64 = 1_000_000
    private var nanosecondsPerWork: UInt64 = 10_000

    /// A transaction took so long.
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

    /// What is done in so long; never so little that the flush takes most of the time.
    func work(in milliseconds: UInt64) -> UInt64 {
        let whole = milliseconds * 1_000_000
        let rest = max(whole - min(whole, flushNanoseconds), flushNanoseconds)
        return max(Limits.leastBatchWork, rest / nanosecondsPerWork)
    }

    private static func approach(_ mean: inout UInt64, _ sample: UInt64) {
        mean = max(1, (3 * mean + min(sample, 4 * mean + 1)) / 4)
    }
}
