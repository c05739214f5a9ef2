package import Entries
internal import Sync

/// A fault in a bundle; the names are the verdicts of `protocol/bundle.md` §3.
package enum BundleFault: String, Error, Hashable, Sendable, Codable {
    /// The file ends before its closing frame, or within a frame.
    case truncated
    /// A length of 0 or above 1 MiB.
    case frameLength
    /// The closing frame has a wrong length.
    case malformedClosing
    /// The number of frames differs from the one in the closing frame.
    case wrongCount
    /// The hash differs from the one in the closing frame.
    case wrongHash
    /// Bytes follow the closing frame.
    case trailingBytes

    // In a Chunks message: the names of `protocol/sync.md` §12.
    case malformedMessage, wrongFieldLength, tooManyItems, impossibleNumber, emptyChunk, certificateMissing
    case badCertificate, foreignNetwork, malformedEntries, wrongNodeCount, badProof
    // In a Changes message, besides those.
    case falseEvidence, badSettlement

    init(_ violation: SyncViolation) {
        switch violation {
        case .wrongFieldLength: self = .wrongFieldLength
        case .tooManyItems: self = .tooManyItems
        case .impossibleNumber: self = .impossibleNumber
        case .emptyChunk: self = .emptyChunk
        case .certificateMissing: self = .certificateMissing
        case .badCertificate: self = .badCertificate
        case .foreignNetwork: self = .foreignNetwork
        case .malformedEntries: self = .malformedEntries
        case .wrongNodeCount: self = .wrongNodeCount
        case .badProof: self = .badProof
        case .falseEvidence: self = .falseEvidence
        case .badSettlement: self = .badSettlement
        // The others are of a conversation, or of messages that no bundle has.
        case .malformedMessage, .handshake, .decryption, .messageLength, .helloMissing, .secondHello,
            .impossibleVersions, .overCredit, .unaskedAnswer, .numberWentBack, .impossiblePage, .falseFork, .wrongBody,
            .tooManyQuestions, .malformedReconciliation, .impossibleReconciliation:
            self = .malformedMessage
        }
    }

    init(_ violation: ChunkViolation) {
        self.init(SyncViolation(violation))
    }
}

/// A position in a bundle.
package struct BundlePlace: Hashable, Sendable {
    /// Number of the frame, from 1.
    package let frame: UInt64
    /// Offset of the frame's first byte, from 0.
    package let offset: UInt64
}

/// Why a bundle is refused as a whole.
package enum BundleRefusal: Error, Hashable, Sendable {
    case notABundle
    /// A later version wrote it.
    case newerVersion(UInt8)
    /// It belongs to another network, so nothing in it counts here.
    case otherNetwork(NetworkID)
    /// The file cannot be read.
    case unreadable(SystemError)
}
