package import Entries

/// What a peer did that no honest peer does; the number goes into its Goodbye (`protocol/sync.md` §12).
package enum SyncViolation: UInt32, Error, Hashable, Sendable, CaseIterable {
    /// A handshake message that does not fit: another protocol, another network, a changed bit.
    case handshake = 1
    /// A transport message whose tag does not fit, or whose length no transport message has.
    case decryption = 2
    /// A message of length 0 or above 1 MiB.
    case messageLength = 3
    /// The body of a known type is no Protocol Buffers message.
    case malformedMessage = 4
    /// An id, a hash, a signature or a certificate that has not its length.
    case wrongFieldLength = 5
    /// More items in a list than its bound.
    case tooManyItems = 6
    /// A number out of its range: a size of 0 or beyond 2³² − 1, a port beyond 65,535.
    case impossibleNumber = 7
    /// Something else came first.
    case helloMissing = 8
    /// A session has one Hello.
    case secondHello = 9
    /// The range of versions is empty.
    case impossibleVersions = 10
    /// More bytes of chunks and bodies than were allowed.
    case overCredit = 11
    /// An answer that no question asked for.
    case unaskedAnswer = 12
    /// The number of a change went back.
    case numberWentBack = 13
    /// A comparison asked for by the side that was dialled, or a page whose bounds or order are impossible.
    case impossiblePage = 14
    /// A chunk without entries.
    case emptyChunk = 15
    /// A chunk of an unknown log without the certificate that was asked for.
    case certificateMissing = 16
    /// A certificate whose signature is not the root's, or that is another log's.
    case badCertificate = 17
    /// A certificate of another network.
    case foreignNetwork = 18
    /// Entries that do not unpack.
    case malformedEntries = 19
    /// Not as many nodes beside the entries as the bounds ask for.
    case wrongNodeCount = 20
    /// The signature does not cover what was sent: a wrong entry, a wrong node or a forged head.
    case badProof = 21
    /// A chunk that differs from what is held, with a history that does not lead to it.
    case falseFork = 22
    /// A body whose hash is not the entry's.
    case wrongBody = 23
    /// A question asked again before it was answered, or more of them than are answered at once.
    case tooManyQuestions = 24
    /// Fork evidence that proves nothing, or is another log's.
    case falseEvidence = 25
    /// A settlement that the root key of the log's writer did not sign.
    case badSettlement = 26
    /// A message of a reconciliation that Negentropy V1 does not allow.
    case malformedReconciliation = 27
    /// A reconciliation begun by the side that was dialled, a stage or a round out of turn, or an item asked for that was
    /// not listed.
    case impossibleReconciliation = 28

    /// The number of what the verifier found.
    package init(_ violation: ChunkViolation) {
        switch violation {
        case .impossibleBounds: self = .impossibleNumber
        case .emptyChunk: self = .emptyChunk
        case .certificate(.foreignNetwork): self = .foreignNetwork
        case .certificate(.wrongLength): self = .wrongFieldLength
        case .certificate(.badSignature): self = .badCertificate
        case .certificateOfAnotherLog: self = .badCertificate
        case .wrongNodeCount: self = .wrongNodeCount
        case .entries: self = .malformedEntries
        case .badProof: self = .badProof
        }
    }
}
