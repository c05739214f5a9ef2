/// Times after which a peer is asked again, or dropped.
extension Limits {
    /// From the connection to the peer's Hello: four round trips of the slowest link, many times over.
    static let greetingDeadlineMilliseconds: UInt64 = 10_000
    /// Between two KeepAlives.
    static let keepAliveMilliseconds: UInt64 = 30_000
    /// Time without a byte after which a connection is dropped as half open: three KeepAlives missed.
    package static let idleTimeoutMilliseconds: UInt64 = 90_000
    /// From the last activity on a link to the KeepAlive with `quiet`, so that a burst brings one KeepAlive. A guess.
    static let quietDelayMilliseconds: UInt64 = 200
    /// How long a closing connection may take to send its last bytes.
    package static let closeLingerSeconds = 1
    /// First delay from a comparison that brought nothing to the next; it doubles to a day.
    static let comparisonRetryMilliseconds = 1_000
    /// First wait between two older ends of one log, as long as its gap starts at the same place. A guess.
    static let olderRetryMilliseconds = 3_600_000

    /// Silence after which the side that is asked to reconcile answers, although it is still fetching what the stage
    /// before found.
    static let reconciliationPatienceMilliseconds: UInt64 = 10_000
    /// Time after which it answers in any case, before the asker's own deadline (`slowProgressMilliseconds`).
    static let reconciliationDelayMilliseconds: UInt64 = 90_000
    /// Time within which a stage's next message has to come, or its snapshot is not kept.
    static let reconciliationIdleMilliseconds: UInt64 = 120_000
    /// Longest life of a stage's snapshot, 128 rounds of some 4 s: items that change meanwhile are in memory twice.
    static let reconciliationStageMilliseconds: UInt64 = 600_000
    /// Rate at which a peer pays for the bytes of its reconciliation's questions and answers before a new stage begins:
    /// half a megabyte a second.
    static let reconciliationBytesPerMillisecond: UInt64 = 524
    /// Debt up to which a stage begins at once: 8 MB, ten thousand differences all over a million logs. Above it the
    /// stage waits.
    static let reconciliationBurstMilliseconds: UInt64 = 16_000
    /// Longest such wait, below the peer's own deadline (`progressDeadlineMilliseconds`).
    static let reconciliationWaitMilliseconds: UInt64 = 15_000
    /// Interval at which fingerprints are compared although traffic never ceases.
    static let comparisonMaximumMilliseconds: UInt64 = 3_600_000
    /// Least time between two changes of the own scope: each ends every connection. A guess.
    static let scopeChangeMilliseconds: UInt64 = 10_000
}
