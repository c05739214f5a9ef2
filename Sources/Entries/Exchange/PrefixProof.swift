package import Sodium

/// A node's compact range of [0, end) of a log, with its proof (`protocol/log.md` §6, Disputes).
package struct PrefixProof: Hashable, Sendable {
    /// Compact range of [0, end).
    package let prefix: LogRange
    /// Compact range of [end, size).
    package let right: LogRange
    package let proof: ChunkProof

    package var end: UInt64 { prefix.bounds.upperBound }
    package var size: UInt64 { right.bounds.upperBound }

    /// Nil if the numbers of nodes do not follow from the bounds.
    package init?(end: UInt64, nodes: [Bytes32], size: UInt64, right: [Bytes32], proof: ChunkProof) {
        guard end <= size, let prefix = LogRange(bounds: 0..<end, nodes: nodes),
            let right = LogRange(bounds: end..<size, nodes: right)
        else { return nil }
        self.prefix = prefix
        self.right = right
        self.proof = proof
    }

    /// The result of verifying a prefix.
    package enum Verdict: Hashable, Sendable {
        case proven(ForkFinding.Proof)
        /// The known root of that size is another one here, or none: treated as no answer.
        case unknownRoot
        /// The device did not sign this history.
        case lie
    }

    /// Verifies a peer's prefix; `known` is what this node knows of the log.
    package func judge(log: LogID, network: NetworkID, device: DeviceID, known: LogPrefix) -> Verdict {
        var whole = prefix
        guard whole.append(right), let root = whole.root, size > 0 else { return .lie }
        switch proof {
        case .head(let signature):
            let head = Head(log: log, size: size, root: root, signature: signature)
            return head.isValid(network: network, device: device) ? .proven(.head(size: size, signature)) : .lie
        case .known:
            let end = KnownRoot(size: size, root: root)
            if known.settled == end { return .proven(.settled(size: size)) }
            if known.cut == end { return .proven(.cut(size: size)) }
            return .unknownRoot
        }
    }
}
