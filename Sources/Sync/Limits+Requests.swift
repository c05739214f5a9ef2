/// What is asked for, and how much an identity may bring in a time (`protocol/node.md` §3).
extension Limits {
    // MARK: Requests

    /// Logs with a known writer that are asked of one peer at once, and as many again whose writer is unknown: a flood
    /// of logs that may be anybody's does not delay known writers. Both fit `wantsUnanswered`.
    static let wantsInFlightPerPeer = 1_024
    /// Logs of one known identity among them: an eighth, so that one identity leaves room for the rest.
    static let wantsInFlightPerIdentity = 128
    /// Newest entries of a log that are asked for first where more are missing.
    ///
    /// The newest page many times over, and one or two messages of posts of the usual length, so that the first of many
    /// writers is readable after one round. A guess.
    package static let windowEntries: UInt64 = 1_024
    /// Logs whose gap one peer is asked to fill at once: each answer is a stream of its own, and they share the credit.
    static let gapsInFlightPerPeer = 8
    /// Logs whose gaps are asked for at a time, over all peers; the others wait in the store until the next start.
    static let gapsCount = 262_144
    /// First delay until a gap that nobody filled is asked for again; it doubles to a day, as for bodies.
    static let gapRetryMilliseconds = 60_000
    /// Rounds in vain, each over all ready peers, after which a gap is not expected to be filled: 15 minutes at least.
    /// A guess.
    static let gapForlornRounds = 5
    /// Logs of which peers offer more than is held, over all peers; about 150 bytes each.
    ///
    /// A session may bring half of what the others leave (`Shares`). What does not fit a later comparison finds.
    static let wantedLogsCount = 262_144
    /// Part of them that one session may bring in any case: all sessions together may exceed `wantedLogsCount` by twice
    /// as many again. A guess.
    static let wantedLogsPerSessionCount = 8_192
    /// Patient wants: logs of which nobody could supply what was offered, over all peers; asked for again and again.
    static let patientWantsCount = 16_384
    /// Patient wants that came from the offers of one peer.
    static let patientWantsPerPeerCount = 1_024
    /// Attempts after which a patient want is given up, most of a day (`protocol/node.md` §3); then a comparison has to
    /// find it anew.
    static let patientWantAttempts = 16
    /// Rounds over all peers that a patient want makes in any case, before it is given up.
    static let patientWantRounds = 3
    /// Time for which a log is asked for without a window after what lay behind its gap was dropped. A guess.
    static let wholeLogMilliseconds: UInt64 = 1_020_000
    /// Time for which a log whose window was dropped in favour of one peer's history is asked of that peer alone. A
    /// guess.
    static let successorMilliseconds: UInt64 = 30_000
    /// Logs for which one peer is asked at once for a substitute (`Substitute`): a history that may replace what lies
    /// behind a gap. A guess.
    static let substitutesCount = 64
    /// Pairs of log and node for which the last request for a substitute is remembered; some 100 bytes each. A guess.
    static let substituteTriesCount = 4_096
    /// Logs of which it is remembered when an older end was asked for; some 100 bytes each. A guess.
    static let olderTriesCount = 4_096
    /// Logs that the store does not carry, as far as they are remembered: 50 bytes each.
    static let forgottenLogsCount = 65_536
    /// Logs without a complete head whose writer is remembered: 50 bytes each.
    static let writersCount = 65_536
    /// First time for which offers of a log that is not carried are ignored: 10 minutes, doubling to a day. A guess.
    static let forgottenMilliseconds = 600_000
    /// Deadline of a peer that owes an answer and sends no part of one (`protocol/sync.md` §5, Waiting); then it is
    /// dropped.
    static let progressDeadlineMilliseconds: UInt64 = 20_000
    /// Deadline of a peer that owes an answer while bytes still come: 256 KiB at 2 KB/s.
    static let slowProgressMilliseconds: UInt64 = 120_000
    /// Rate at which a peer that still sends earns more time for one answer that others could give too: 1 s beyond the
    /// first 20 s for each of this many bytes, up to `slowProgressMilliseconds` in all. The same 2 KB/s.
    static let slowBytesPerSecond: UInt64 = 2_048
    /// Rate at which such a peer earns more time than that, up to `steadyProgressMilliseconds` in all: eight peers that
    /// share a line of 64 KiB/s.
    ///
    /// A peer that wants to keep 2,048 logs from this node pays that much for it, and for half an hour at most, with
    /// each connection.
    static let steadyBytesPerSecond: UInt64 = 8_192
    /// Longest time for which one answer is awaited of a peer that sends steadily, before others are asked.
    static let steadyProgressMilliseconds: UInt64 = 1_800_000
    /// Interval between two searches for overdue answers.
    static let overdueLookMilliseconds: UInt64 = 10_000
    /// Logs that are asked for anew in each of them, of those that somebody was asked for in vain: a guess, so that
    /// going through them takes a millisecond or two.
    static let lacksPassedAtOnce = 1_024
    /// First delay until a patient want is asked for again; it doubles to a day.
    static let wantRetryMilliseconds = 1_000
    /// Time until a patient want is looked at again that was due while no ready peer may be asked for it, unless a
    /// session ends before. A guess.
    static let wantHeldUpMilliseconds = 60_000
    /// First delay until a body that nobody had is asked for again; it doubles to a day.
    static let bodyRetryMilliseconds = 60_000
    /// Longest of the delays that double to a day.
    static let retryMaximumMilliseconds = 86_400_000
    /// Nodes remembered to have been asked for one body or gap: twice as many as may be connected at once.
    static let askedNodesCount = 2 * sessionsCount
    /// Bodies wanted, over all logs; more wait in the store until the next start.
    static let wantedBodiesCount = 131_072
    /// Bodies wanted of one identity's logs, among them.
    static let wantedBodiesPerIdentityCount = 8_192
    /// Bodies asked of one peer at once: eight of the largest messages at worst.
    static let bodiesInFlightPerPeer = 128

    // MARK: Reconciliation (`protocol/sync.md` §13)

    /// Items of the first stage: changes made while a peer was away are among the newest (`protocol/sync.md` §13).
    static let reconciliationStageItems = 1_024
    /// Growth of the stages: each covers this many times the items of the one before.
    static let reconciliationStageFactor = 8
    /// Frontiers whose sizes differ by more than this factor are listed, not reconciled: most of the larger is missing,
    /// and finding that out costs four times the bytes of listing it.
    static let reconciliationSizeFactor: UInt64 = 4
    /// Rounds of one reconciliation stage: at most 16 MiB each way, and half a million ids. Differences found by then
    /// are exchanged; a later run finds the rest.
    static let reconciliationRounds: UInt32 = 128
    /// Differences after which a stage is given up: 5 MB of items of this side's, sent in one go.
    static let reconciliationFindings = 65_536

    // MARK: Quotas: they delay, and never refuse

    /// Looks, one each `overdueLookMilliseconds`, after which those that were asked for a log in vain have their turn
    /// again though somebody is asked for it: two minutes, as long as a slow answer may take.
    static let lackLooksWhileAsked = 12

    /// Bytes that an identity may bring at once. A guess: more than any person's whole history, so that a first
    /// synchronisation is not slowed, and a flood is.
    static let quotaBurstBytes: Int64 = 67_108_864
    /// Bytes that an identity may bring each second once its burst is spent. A guess.
    static let quotaBytesPerSecond: Int64 = 65_536
    /// Quotas (`Quotas`) up to which none is looked at in order to forget it, full or not. A guess.
    static let quotasUnsweptCount = 4_096
    /// Quota charged for each entry that has to be counted anew, because its identity took back something that counted:
    /// a million of them, some 30 s of work, are paid for in 17 minutes.
    static let recountQuotaBytes: UInt64 = 64
}
