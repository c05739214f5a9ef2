/// What the limits come to in bytes of memory.
extension Limits {
    /// One session's, what waits to be written apart: a message that is not whole, as it came and deciphered; what came and is not
    /// stored, as it came and checked; what it asked for, offered and said.
    package static let sessionMemoryBytes =
        2 * maximumMessageBytes + 2 * Int(creditWindowBytes)
        + (wantsUnanswered + bodiesUnanswered + milestonesCount) * 64
        + 2 * wantedLogsPerSessionCount * 150 + heardMarksCount * 200 + postponedDisputesCount * 300
        + undecidedLogsCount * 60
        + reconciliationFindings * 100 + resumedBytes

    /// Of so many connections that have not said who they are: a Noise message, and of the few that may wait for their Hello to be
    /// whole, that too.
    package static func strangerMemoryBytes(_ strangers: Int) -> Int {
        2 * (strangers * maximumNoiseMessageBytes + min(strangers, strangersCount) * maximumMessageBytes)
    }

    /// What waits for the network, for so many peers: a queue goes one answer beyond its limit.
    package static func queuedMemoryBytes(_ sessions: Int) -> Int {
        min(sessions * (queueHardBytes + 2 * maximumMessageBytes), queueTotalBytes + queueHardBytes)
    }

    /// What is bounded for all peers together: answers of the store, the batches beside the credit, logs that are offered or
    /// have gaps, bodies, words of root keys and evidence, and names.
    package static let sharedMemoryBytes =
        readingsCount * (readBytes + maximumMessageBytes) + 2 * batchBytes
        + (wantedLogsCount + patientWantsCount) * 150 + gapsCount * 150 + wantedBodiesCount * 150
        + 4 * waitingVerdictBytes + (2 * forgottenLogsCount + writersCount) * 50
        + (peerCursorsCount + 2 * penaltiesCount + learnedPeersCount) * 200
}
