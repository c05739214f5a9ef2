/// When the dialler may compare frontiers again, by pages or by a reconciliation: until a run has a result, each waits
/// twice as long as the one before.
struct ComparisonPace {
    private(set) var notBefore: UInt64 = 0
    private var fruitless = 0
    /// Whether what is transferred now may be a result of the last run.
    private var isRipening = false

    /// Begins a run.
    mutating func begin(now: UInt64) {
        isRipening = true
        notBefore =
            now
            + Backoff.milliseconds(
                failures: fruitless,
                base: Limits.comparisonRetryMilliseconds,
                maximum: Limits.retryMaximumMilliseconds
            )
        fruitless += 1
    }

    /// Entries were transferred, or histories are compared: if that may be a result of the last run, the next one need
    /// not wait.
    ///
    /// Offers and wants alone do not count: where nobody has the entries, the same would be offered again at once.
    mutating func brought() {
        guard isRipening else { return }
        fruitless = 0
        notBefore = 0
    }

    /// The run is over and both sides are quiet again: nothing more results from it.
    mutating func ripened() {
        isRipening = false
    }
}
