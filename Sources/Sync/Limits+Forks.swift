/// Settlements, fork evidence and the comparison of histories (`protocol/sync.md` §9).
extension Limits {
    /// Bytes of settlements and fork evidence that wait to be checked, shared by all peers (`Shares`): 70,000 of the
    /// usual size.
    ///
    /// As many again may wait, found true, for their identity's quota.
    static let waitingWordBytes = 33_554_432
    /// Part of them that one session may have in any case: a thousand of the usual size. So all sessions together may
    /// exceed `waitingWordBytes` by as much again.
    static let waitingWordBytesPerSession = waitingWordBytes / sessionsCount
    /// Settlements and evidence checked in one batch: up to a thousand signatures, some 50 ms.
    static let wordsPerBatch = 256
    /// Bytes that a settlement, a piece of evidence or a finding counts for in a transaction.
    ///
    /// About as much as the largest evidence takes in memory, so that while a disk is full a thousand wait in the
    /// transaction, and the rest in bounded queues.
    static let wordBatchBytes = 4_096
    /// Bytes of settlements and evidence in one message.
    static let wordMessageBytes = 524_288
    /// Cost of a settlement or piece of evidence in its identity's quota for that kind (`quotaBurstBytes`; the quota
    /// for chunks is another).
    ///
    /// That allows 1,024 at once; a staircase of evidence, of which every step is news, comes to one a second.
    static let wordQuotaBytes = 65_536
    /// Logs for which a peer's last word on settlements and forks is kept; some 200 bytes each.
    static let heardMarksCount = 65_536
    /// Logs whose histories are compared with one peer at once; the own log's comparison comes on top.
    static let disputesCount = prefixesUnanswered - 1
    /// Logs that wait to be compared with one peer; some 300 bytes each. What does not fit a later comparison finds.
    static let postponedDisputesCount = 8_192
    /// Logs for which a peer's history differs from entries that wait for the store; some 60 bytes each. Of more logs
    /// its offer is dropped until it offers anew.
    static let undecidedLogsCount = 8_192
    /// Comparisons of one log with one peer until something new is known of the log. A guess.
    static let disputesPerLogCount = 8
    /// First differences found between two histories that wait for the next transaction; a kilobyte or two each.
    static let findingsCount = 1_024
}
