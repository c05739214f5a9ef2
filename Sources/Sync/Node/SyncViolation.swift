package import Entries

/// Breach of the protocol by a peer; its number goes into the Goodbye that this node sends (`protocol/sync.md` §12).
package enum SyncViolation: UInt32, Error, Hashable, Sendable, CaseIterable {
    /// A handshake message of another length, or that does not decrypt: another protocol, another network, a changed
    /// bit.
    case handshake = 1
    /// A transport message that does not decrypt, or of a length that no transport message has: it costs no penalty,
    /// since anybody on the way could have changed it.
    case decryption = 2
    /// A message of length 0 or above 1 MiB.
    case messageLength = 3
    /// A message of a known type whose body is no Protocol Buffers message.
    case malformedMessage = 4
    /// An id, hash, signature or certificate of the wrong length.
    case wrongFieldLength = 5
    /// More items in a list than its bound.
    case tooManyItems = 6
    /// A number out of its range: a size of 0 or beyond 2³² − 1, a port beyond 65,535.
    case impossibleNumber = 7
    /// A message before Hello.
    case helloMissing = 8
    /// A second Hello in a session.
    case secondHello = 9
    /// A Hello with an empty range of versions.
    case impossibleVersions = 10
    /// More bytes of chunks and bodies than the credit allowed.
    case overCredit = 11
    /// An answer to no question.
    case unaskedAnswer = 12
    /// A change number below an earlier one of the session.
    case numberWentBack = 13
    /// A Compare from the side that was dialled, or a page with impossible bounds or order.
    case impossiblePage = 14
    /// A chunk without entries.
    case emptyChunk = 15
    /// A chunk without the certificate that was asked for, or a push from entry 0 without one.
    case certificateMissing = 16
    /// A certificate not signed by its root key, or of another log.
    case badCertificate = 17
    /// A certificate of another network.
    case foreignNetwork = 18
    /// Entries that do not decode.
    case malformedEntries = 19
    /// Another number of proof nodes than the bounds ask for.
    case wrongNodeCount = 20
    /// A proof that does not hold: a wrong entry, a wrong node or a forged head.
    case badProof = 21
    /// A claimed history whose nodes or proof do not hold (`protocol/sync.md` §9).
    case falseFork = 22
    /// A body whose hash is not the entry's, from a peer of version 1.
    case wrongBody = 23
    /// More questions than may wait for their answers.
    case tooManyQuestions = 24
    /// Fork evidence that proves nothing, or is another log's.
    case falseEvidence = 25
    /// A settlement that the root key of the log's writer did not sign.
    case badSettlement = 26
    /// A message of a reconciliation that Negentropy V1 does not allow.
    case malformedReconciliation = 27
    /// A reconciliation begun by the side that was dialled, a stage or a round out of turn, or an item asked for that
    /// was not listed.
    case impossibleReconciliation = 28

    /// The violation that the verifier's finding amounts to.
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
