import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// A log of the vectors: what its device signed, as a peer would send it.
struct VectorLog {
    let certificate: SignedCertificate
    private let key: SigningKey
    var entries: [Entry]

    init(certificate: String, seed: [UInt8], network: NetworkID, entries: [Entry] = []) throws {
        let bytes = try hex(certificate)
        self.certificate = try SignedCertificate(verifying: bytes, network: network)
        var seed = seed
        guard let key = SigningKey(seed: SecretBytes(moving: &seed)),
            key.publicKey == self.certificate.certificate.device.raw
        else { throw Malformed(text: certificate) }
        self.key = key
        self.entries = entries
    }

    var log: LogID { certificate.log }
    var identity: IdentityID { certificate.certificate.identity }
    private var network: NetworkID { certificate.certificate.network }

    /// Entries [start, end) under the head that covers `size` of them, checked as a receiver checks it.
    ///
    /// Those in `withheld` come without their body, and those from `left` up to the first one are left out.
    func chunk(
        _ bounds: Range<Int>,
        size: Int? = nil,
        withheld: Set<Int> = [],
        left: Int? = nil
    ) throws -> VerifiedChunk {
        let size = size ?? bounds.upperBound
        let root = range(0..<size).root ?? .zero
        let head = Head(signing: log, size: UInt64(size), root: root, network: network, with: key)
        var raw = unverified(bounds, size: size, proof: .head(head.signature), withheld: withheld)
        let begin = left ?? bounds.lowerBound
        if begin < bounds.lowerBound {
            raw.left = range(begin..<bounds.lowerBound).nodes
            raw.askedFrom = UInt64(begin)
        }
        let prefix = LogPrefix(certificate: nil, range: range(0..<begin))
        return try #require(ChunkVerifier(network: network).verify(raw, over: prefix).verified)
    }

    /// All entries under a root that the receiver knows, over what it has; nil if that does not prove them to it.
    func knownChunk(over prefix: LogPrefix) -> VerifiedChunk? {
        let raw = unverified(0..<entries.count, size: entries.count, proof: .known)
        return ChunkVerifier(network: network).verify(raw, over: prefix).verified
    }

    /// The next entry, by the store that writes this log.
    func write(_ payload: Payload, at now: UInt64, in store: EntryStore) throws -> Entry {
        try store.registerOwnLog(certificate)
        let own = try store.append(payload, with: key, at: now, publication: .cleared)
        return try #require(own.chunk.entries.last)
    }

    private func unverified(
        _ bounds: Range<Int>,
        size: Int,
        proof: ChunkProof,
        withheld: Set<Int> = []
    ) -> UnverifiedChunk {
        let sent = entries[bounds].map { entry in
            withheld.contains(Int(entry.header.sequence)) ? Entry(withheld: entry.header) : entry
        }
        return UnverifiedChunk(
            log: log,
            certificate: certificate.bytes,
            start: UInt64(bounds.lowerBound),
            count: UInt64(bounds.count),
            size: UInt64(size),
            proof: proof,
            entries: EntryCoding.encode(sent),
            right: range(bounds.upperBound..<size).nodes
        )
    }

    private func range(_ bounds: Range<Int>) -> LogRange {
        var range = LogRange(at: UInt64(bounds.lowerBound))
        for entry in entries[bounds] { range.append(leaf: entry.id.raw) }
        return range
    }
}
