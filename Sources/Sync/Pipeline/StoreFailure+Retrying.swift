/// How often the pipeline tries again what the store could not do, and when.
extension StoreFailure {
    /// Whether the failure counts as permanent after so many before it.
    func isLasting(after failures: Int) -> Bool {
        switch self {
        case .passing: false
        case .damaged: true
        case .unexplained: failures + 1 >= Limits.unexplainedFailuresCount
        }
    }

    /// Milliseconds until the next try, after so many failures before the last one.
    static func retryDelay(after failures: Int) -> UInt64 {
        Backoff.milliseconds(
            failures: failures,
            base: Limits.takeRetryMilliseconds,
            maximum: Limits.takeRetryMaximumMilliseconds
        )
    }
}
