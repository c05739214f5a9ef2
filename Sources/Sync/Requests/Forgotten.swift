import Entries

/// Logs that the store does not carry (`protocol/identity.md` §6): offers of one are ignored for a while, or it would
/// be fetched and forgotten again and again.
struct Forgotten {
    /// For how long offers of a log are ignored.
    private struct Rest {
        var until: UInt64
        /// Refusals in a row.
        var times: Int
    }

    private var logs: [LogID: Rest] = [:]

    var count: Int { logs.count }

    func contains(_ log: LogID, now: UInt64) -> Bool {
        guard let rest = logs[log] else { return false }
        return now < rest.until
    }

    /// The store has refused or forgotten the log: the time doubles with each.
    mutating func insert(_ log: LogID, now: UInt64) {
        let times = logs[log]?.times ?? 0
        if logs.count >= Limits.forgottenLogsCount, logs[log] == nil {
            logs = logs.filter { $0.value.until > now }
            // At the bound, all are forgotten: the store refuses them once more.
            if logs.count >= Limits.forgottenLogsCount { logs = [:] }
        }
        let wait = Backoff.milliseconds(
            failures: times,
            base: Limits.forgottenMilliseconds,
            maximum: Limits.retryMaximumMilliseconds
        )
        logs[log] = Rest(until: now + wait, times: times + 1)
    }

    /// The log is carried again.
    mutating func remove(_ log: LogID) {
        logs[log] = nil
    }
}
