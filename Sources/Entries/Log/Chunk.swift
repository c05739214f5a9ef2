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
    package let signature: Signature
    /// Packed entries.
    package let entries: [UInt8]
    /// Compact range of [start + count, size).
    package let right: [Bytes32]

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
        self.log = log
        self.certificate = certificate
        self.start = start
        self.count = count
        self.size = size
        self.signature = signature
        self.entries = entries
        self.right = right
    }
}

/// What the receiver knows of a log before a chunk of it is checked.
package struct LogPrefix: Hashable, Sendable {
    /// Known once the log's certificate was verified.
    package let certificate: SignedCertificate?
    /// Compact range of [0, n), n being the first entry that is not held.
    package let range: LogRange

    package init(certificate: SignedCertificate?, range: LogRange) {
        self.certificate = certificate
        self.range = range
    }

    /// Nothing is known of the log.
    package static let none = LogPrefix(certificate: nil, range: LogRange())
}

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
    case violation(ChunkViolation)
}

/// A chunk that did not verify over the receiver's prefix, kept until the sender has shown its own.
package struct DisputedChunk: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64
    package let signature: Signature
    package let device: DeviceID
    /// Compact range of [start, size): the entries, then the nodes beside them.
    package let rest: LogRange

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
        let head = Head(log: log, size: size, root: root, signature: signature)
        return head.isValid(network: network, device: device) ? .writerForked : .lie
    }
}

/// Entries that are proven to stand in their log under a signed head: what may be stored and passed on.
///
/// Made by `ChunkVerifier` and by the log's own author, nowhere else.
package struct VerifiedChunk: Hashable, Sendable {
    package let certificate: SignedCertificate
    package let head: Head
    package let entries: [Entry]
    /// Compact range of [0, end), end being the entry after the last of `entries`.
    package let tip: LogRange
    /// Sequence number of the first entry.
    package let start: UInt64

    package var log: LogID { head.log }
    /// The entry after the last.
    package var end: UInt64 { tip.bounds.upperBound }
    /// True if the head's last entry is here: only then may the head be passed on (D8).
    package var reachesHead: Bool { end == head.size }

    fileprivate init(certificate: SignedCertificate, head: Head, entries: [Entry], tip: LogRange, start: UInt64) {
        self.certificate = certificate
        self.head = head
        self.entries = entries
        self.tip = tip
        self.start = start
    }

    /// The author's own next entries, signed here and now.
    ///
    /// `prefix` is the compact range of everything written so far; the entries are in order, at least one, and the first
    /// stands at the prefix's end.
    package init(
        authoring entries: [Entry],
        after prefix: LogRange,
        certificate: SignedCertificate,
        with device: SigningKey
    ) {
        precondition(device.publicKey == certificate.certificate.device.raw, "a device writes its own log")
        precondition(entries.first?.header.sequence == prefix.bounds.upperBound, "the next entry follows the last")
        var tip = prefix
        for entry in entries { tip.append(leaf: entry.id.raw) }
        guard let root = tip.root else { preconditionFailure("a log's range starts at 0") }
        self.init(
            certificate: certificate,
            head: Head(
                signing: certificate.log,
                size: tip.bounds.upperBound,
                root: root,
                network: certificate.certificate.network,
                with: device
            ),
            entries: entries,
            tip: tip,
            start: prefix.bounds.upperBound
        )
    }
}

/// Checks chunks against signed heads: certificate, proof, hash and signature, and nothing of what entries mean (D9).
package struct ChunkVerifier: Sendable {
    package let network: NetworkID

    package init(network: NetworkID) {
        self.network = network
    }

    /// Checks one chunk over the receiver's own prefix; one that does not begin where the prefix ends does not fit.
    ///
    /// Of a log whose certificate is known, the one that the sender gave is not read.
    package func verify(_ chunk: UnverifiedChunk, over prefix: LogPrefix) -> ChunkOutcome {
        do throws(ChunkViolation) {
            return try check(chunk, over: prefix)
        } catch {
            return .violation(error)
        }
    }

    private func check(_ chunk: UnverifiedChunk, over prefix: LogPrefix) throws(ChunkViolation) -> ChunkOutcome {
        guard chunk.size <= EntryLimits.maximumLogEntries, chunk.start <= chunk.size,
            chunk.count <= chunk.size - chunk.start
        else { throw .impossibleBounds }
        guard chunk.count > 0 else { throw .emptyChunk }
        let end = chunk.start + chunk.count
        guard let right = LogRange(bounds: end..<chunk.size, nodes: chunk.right) else { throw .wrongNodeCount }
        guard let certificate = try certificate(of: chunk, known: prefix.certificate) else {
            return .certificateMissing
        }
        let held = prefix.range.bounds.upperBound
        // A chunk that begins before the prefix's end cannot be told from a fork inside the overlap: it is asked for
        // anew from where this node stands.
        guard chunk.start == held else { return .doesNotFit }

        let entries: [Entry]
        do {
            entries = try EntryCoding.decode(
                chunk.entries[...],
                count: Int(chunk.count),
                log: chunk.log,
                start: chunk.start
            )
        } catch {
            throw .entries(error)
        }
        var tip = prefix.range
        for entry in entries { tip.append(leaf: entry.id.raw) }
        var whole = tip
        guard whole.append(right), let root = whole.root else { throw .wrongNodeCount }
        let head = Head(log: chunk.log, size: chunk.size, root: root, signature: chunk.signature)
        let device = certificate.certificate.device
        guard head.isValid(network: network, device: device) else {
            // With no prefix of one's own there is nothing that a fork could explain.
            guard held > 0 else { throw .badProof }
            var rest = LogRange(at: chunk.start)
            for entry in entries { rest.append(leaf: entry.id.raw) }
            _ = rest.append(right)
            return .prefixDiffers(
                DisputedChunk(
                    log: chunk.log,
                    size: chunk.size,
                    signature: chunk.signature,
                    device: device,
                    rest: rest
                )
            )
        }
        return .verified(
            VerifiedChunk(certificate: certificate, head: head, entries: entries, tip: tip, start: chunk.start)
        )
    }

    private func certificate(
        of chunk: UnverifiedChunk,
        known: SignedCertificate?
    ) throws(ChunkViolation) -> SignedCertificate? {
        if let known { return known }
        guard let bytes = chunk.certificate else { return nil }
        do {
            let certificate = try SignedCertificate(verifying: bytes, network: network)
            guard certificate.log == chunk.log else { throw ChunkViolation.certificateOfAnotherLog }
            return certificate
        } catch let error as CertificateError {
            throw .certificate(error)
        } catch {
            throw .certificateOfAnotherLog
        }
    }
}
