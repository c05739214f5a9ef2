package import Sodium

/// Consecutive entries of one log with their proof, as received and not verified (`protocol/log.md` §6).
package struct UnverifiedChunk: Hashable, Sendable {
    package let log: LogID
    /// Certificate with signature, 200 bytes, if the sender included it.
    package let certificate: [UInt8]?
    /// Sequence number of the first entry.
    package let start: UInt64
    package let count: UInt64
    /// n: size of the tree whose root proves the chunk.
    package let size: UInt64
    package let proof: ChunkProof
    /// Packed entries.
    package let entries: [UInt8]
    /// Compact range of [start + count, size).
    package let right: [Bytes32]
    /// Compact range of [`askedFrom`, start), if the sender left those entries out.
    package var left: [Bytes32] = []
    /// `from` of the Want with `newest` that this answers; not on the wire.
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

    /// Signature of the head that proves the chunk; nil if a known root does.
    package var signature: Signature? {
        switch proof {
        case .head(let signature): signature
        case .known: nil
        }
    }

    /// A chunk proven by a head.
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

/// What proves the root that entries and nodes give.
package enum ChunkProof: Hashable, Sendable {
    /// The device's signature.
    case head(Signature)
    /// A root that the receiver knows: of the settlement if the size is the settled one, else of the fork evidence.
    case known
}
