package import Sodium

/// A violation by the sender of a chunk; each has a line in `protocol/` and a vector.
package enum ChunkViolation: Error, Hashable, Sendable {
    /// A size above 2³² − 1, or entries beyond the proving size.
    case impossibleBounds
    case emptyChunk
    case certificate(CertificateError)
    /// The certificate is of another log.
    case certificateOfAnotherLog
    /// The number of nodes in the compact ranges does not follow from the bounds.
    case wrongNodeCount
    case entries(EntryCodingError)
    /// The root is not signed by the device, and no fork can explain it.
    case badProof
}

/// The result of verifying a chunk.
package enum ChunkOutcome: Hashable, Sendable {
    case verified(VerifiedChunk)
    /// The chunk does not begin where this node's entries end, or brings nothing new.
    case doesNotFit
    /// The log is unknown, and the chunk has no certificate.
    case certificateMissing
    /// The signature does not hold over this node's prefix: the sender lied or the writer forked; the sender's prefix
    /// tells which (`protocol/log.md` §6, Disputes).
    case prefixDiffers(DisputedChunk)
    /// The chunk refers to a known root that is not known here, or not any more; no violation.
    case unknownRoot
    case violation(ChunkViolation)
}

/// A chunk that failed over the receiver's prefix, kept until the sender has shown its own prefix.
package struct DisputedChunk: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64
    package let proof: Proof
    package let device: DeviceID
    /// Compact range of [start, size): of the entries, and the nodes to their right.
    package let rest: LogRange

    package enum Proof: Hashable, Sendable {
        case head(Signature)
        /// The known root that was expected.
        case known(Bytes32)
    }

    /// The result of checking the chunk over the sender's prefix.
    package enum Verdict: Hashable, Sendable {
        /// The sender's branch is proven: the writer forked, and the sender is not to blame.
        case writerForked
        /// The sender's branch is not proven.
        case lie
    }

    package func judge(prefix nodes: [Bytes32], network: NetworkID) -> Verdict {
        guard var range = LogRange(bounds: 0..<rest.bounds.lowerBound, nodes: nodes), range.append(rest),
            let root = range.root
        else { return .lie }
        switch proof {
        case .head(let signature):
            let head = Head(log: log, size: size, root: root, signature: signature)
            return head.isValid(network: network, device: device) ? .writerForked : .lie
        case .known(let expected): return root == expected ? .writerForked : .lie
        }
    }
}
