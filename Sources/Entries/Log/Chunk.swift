package import Sodium

/// Consecutive entries of one log as they came from a peer: nothing about them is known to be true
/// (`protocol/log.md`, Chunk).
package struct UnverifiedChunk: Hashable, Sendable {
    package let log: LogID
    /// Certificate and signature, 200 bytes, where the sender gave them.
    package let certificate: [UInt8]?
    /// Sequence number of the first entry.
    package let start: UInt64
    package let count: UInt64
    /// Size of the log under the head that proves this.
    package let size: UInt64
    package let proof: ChunkProof
    /// Packed entries.
    package let entries: [UInt8]
    /// Compact range of [start + count, size).
    package let right: [Bytes32]
    /// Compact range of [`askedFrom`, start), where the sender left out what lies there.
    package var left: [Bytes32] = []
    /// The entry from which the newest were asked for, if this answers that; not on the wire.
    package var askedFrom: UInt64?

    package init(
        log: LogID,
        certificate: [UInt8]?,
        start: UInt64,
        count: UInt64,
        size: UInt64,
        proof: ChunkProof,
        entries: [UInt8],
        right: [Bytes32]
    ) {
        self.log = log
        self.certificate = certificate
        self.start = start
        self.count = count
        self.size = size
        self.proof = proof
        self.entries = entries
        self.right = right
    }

    /// The signature of the head that is said to prove this; nil if a known root is.
    package var signature: Signature? {
        switch proof {
        case .head(let signature): signature
        case .known: nil
        }
    }

    /// A chunk under a head.
    package init(
        log: LogID,
        certificate: [UInt8]?,
        start: UInt64,
        count: UInt64,
        size: UInt64,
        signature: Signature,
        entries: [UInt8],
        right: [Bytes32]
    ) {
        self.init(
            log: log,
            certificate: certificate,
            start: start,
            count: count,
            size: size,
            proof: .head(signature),
            entries: entries,
            right: right
        )
    }
}

/// What is said to stand behind the root that entries and nodes amount to.
package enum ChunkProof: Hashable, Sendable {
    /// The device signed it.
    case head(Signature)
    /// The receiver knows it, of the log's settlement if the size is the settled one, else of its fork evidence.
    case known
}
