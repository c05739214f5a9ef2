package import Entries
internal import Sync

/// What is wrong with a bundle at one place; the names are the verdicts of `protocol/bundle.md` §3.
package enum BundleFault: String, Error, Hashable, Sendable, Codable {
    /// The file ends before its closing frame, or within a frame.
    case truncated
    /// A length of 0 or above 1 MiB.
    case frameLength
    /// The closing frame has not its length.
    case malformedClosing
    /// Not as many frames as the closing frame says.
    case wrongCount
    /// The bytes are not those that were written.
    case wrongHash
    /// Something follows the closing frame.
    case trailingBytes

    // Of a Chunks message: the names of `protocol/sync.md` §12.
    case malformedMessage, wrongFieldLength, tooManyItems, impossibleNumber, emptyChunk, certificateMissing
    case badCertificate, foreignNetwork, malformedEntries, wrongNodeCount, badProof
    // Of a Changes message, beside these.
    case falseEvidence, badSettlement

    init(_ violation: SyncViolation) {
        self = BundleFault(rawValue: "\(violation)") ?? .malformedMessage
    }

    init(_ violation: ChunkViolation) {
        self.init(SyncViolation(violation))
    }
}

/// Where in a file something stands.
package struct BundlePlace: Hashable, Sendable {
    /// Number of the frame, from 1.
    package let frame: UInt64
    /// Of the frame's first byte, from 0.
    package let offset: UInt64
}

/// Why a file is not taken at all.
package enum BundleRefusal: Error, Hashable, Sendable {
    case notABundle
    /// A later program made it.
    case newerVersion(UInt8)
    /// It is another network's: nothing of it can count here.
    case otherNetwork(NetworkID)
    /// The file cannot be read.
    case unreadable(SystemError)
}
