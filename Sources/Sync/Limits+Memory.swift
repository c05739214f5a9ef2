/// Bytes of memory that the limits add up to.
extension Limits {
    /// Memory of one session, its queue apart: an incomplete message, as received and deciphered; chunks and bodies not
    /// stored yet, as received and verified; and what it asked for, offered and announced.
    package static let sessionMemoryBytes =
        2 * maximumMessageBytes + 2 * Int(creditWindowBytes)
        + (wantsUnanswered + bodiesUnanswered + milestonesCount) * 64
        + 2 * wantedLogsPerSessionCount * 150 + heardMarksCount * 200 + postponedDisputesCount * 300
        + undecidedLogsCount * 60
        + reconciliationFindings * 100 + resumedBytes

    /// Memory of connections whose node id is not known yet: a Noise message each, and for the few that may await their
    /// Hello, an incomplete Hello.
    package static func strangerMemoryBytes(_ strangers: Int) -> Int {
        2 * (strangers * maximumNoiseMessageBytes + min(strangers, strangersCount) * maximumMessageBytes)
    }

    /// Memory of the queues of that many sessions: a queue exceeds its limit by up to one answer.
    package static func queuedMemoryBytes(_ sessions: Int) -> Int {
        min(sessions * (queueHardBytes + 2 * maximumMessageBytes), queueTotalBytes + queueHardBytes)
    }

    /// Memory bounded for all peers together: answers of the store, batches beside the credit, logs that are offered or
    /// have gaps, wanted bodies, settlements and fork evidence, writers, cursors, bans and addresses.
    package static let sharedMemoryBytes =
        readingsCount * (readBytes + maximumMessageBytes) + 2 * batchBytes
        + (wantedLogsCount + patientWantsCount) * 150 + gapsCount * 150 + wantedBodiesCount * 150
        + 4 * waitingWordBytes + (2 * forgottenLogsCount + writersCount) * 50
        + (peerCursorsCount + 2 * penaltiesCount + learnedPeersCount) * 200
}
