package import Sodium

/// What a peer did that no honest peer does; a line in `protocol/` and a vector for each.
package enum ChunkViolation: Error, Hashable, Sendable {
    /// A size beyond 2³² − 1, or a chunk that reaches past its own head.
    case impossibleBounds
    case emptyChunk
    case certificate(CertificateError)
    /// The certificate is another log's.
    case certificateOfAnotherLog
    /// The nodes beside the entries are not as many as the bounds ask for.
    case wrongNodeCount
    case entries(EntryCodingError)
    /// The head's signature is not the device's over what entries and nodes amount to, nor can a fork explain it.
    case badProof
}

/// What came of checking a chunk.
package enum ChunkOutcome: Hashable, Sendable {
    case verified(VerifiedChunk)
    /// The chunk begins beyond what is held, or brings nothing beyond it.
    case doesNotFit
    /// A log that is not known, and no certificate with it.
    case certificateMissing
    /// Under the receiver's own prefix the head's signature does not hold: a lie, or a fork of the writer
    /// (`protocol/sync.md`, Forks); the sender's prefix tells.
    case prefixDiffers(DisputedChunk)
    /// It is said to end in a known root, and the receiver knows none of that size (any more): nobody's fault.
    case unknownRoot
    case violation(ChunkViolation)
}

/// A chunk that did not verify over the receiver's prefix, kept until the sender has shown its own.
package struct DisputedChunk: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64
    package let proof: Proof
    package let device: DeviceID
    /// Compact range of [start, size): the entries, then the nodes beside them.
    package let rest: LogRange

    package enum Proof: Hashable, Sendable {
        case head(Signature)
        /// The root that the receiver knows.
        case known(Bytes32)
    }

    /// What the sender's compact range of [0, start) makes of it.
    package enum Verdict: Hashable, Sendable {
        /// The sender's branch is signed by the writer: the writer forked, and nobody else is to blame.
        case writerForked
        /// No history of the writer's leads there.
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
