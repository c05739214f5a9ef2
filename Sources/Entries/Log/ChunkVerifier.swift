package import Sodium

/// Entries that are proven to stand in their log, under a signed head or a root that is known: what may be stored.
///
/// Made by `ChunkVerifier` and by the log's own author, nowhere else.
package struct VerifiedChunk: Hashable, Sendable {
    package let certificate: SignedCertificate
    package let proof: Proof
    package let entries: [Entry]
    /// Compact range of [0, n), n being the end of what the receiver has: what this was checked over.
    package let base: LogRange
    /// Compact range of [0, end), end being the entry after the last of `entries`.
    package let tip: LogRange
    /// Interior nodes of the tree that the entries complete, from `EntryLimits.lowestKeptLevel` up.
    package let completed: [TreeNode]
    /// Compact range of [end, size).
    package let right: LogRange
    /// Sequence number of the first entry.
    package let start: UInt64
    /// Compact range of [n, start), n being the end of what the receiver has, where the entries there were left out.
    package let left: LogRange?

    /// What is known of the log once this is stored: where a chunk behind it is checked.
    package let prefix: LogPrefix

    package enum Proof: Hashable, Sendable {
        case head(Head)
        /// The settled branch, whichever is stored.
        case settled(KnownRoot)
        /// The part that two branches have in common.
        case cut(KnownRoot)
        /// What was left out of the stored history.
        case gap(KnownRoot)

        package var size: UInt64 {
            switch self {
            case .head(let head): head.size
            case .settled(let known), .cut(let known), .gap(let known): known.size
            }
        }
    }

    package var log: LogID { certificate.log }
    /// Nil if a known root proves the entries.
    package var head: Head? {
        switch proof {
        case .head(let head): head
        case .settled, .cut, .gap: nil
        }
    }
    /// The head that proves the entries and reaches beyond them.
    package var pending: PendingHead? {
        reachesHead ? nil : head.map { PendingHead(head: $0, right: right) }
    }
    /// Size of the log under what proves this.
    package var size: UInt64 { proof.size }
    /// The entry after the last.
    package var end: UInt64 { tip.bounds.upperBound }
    /// True if the last entry that the proof covers is here: only then may a head be passed on (D8).
    package var reachesHead: Bool {
        switch proof {
        case .head, .settled, .cut: end == size
        case .gap: false
        }
    }

    /// Whether it takes the place of what lies behind a gap of a log of which `size` entries count (`protocol/sync.md` §5): all of
    /// what follows before it, up to a head there, or newer entries behind a gap of their own.
    package func fits(inPlaceBehind gap: LogGap, of size: UInt64) -> Bool {
        guard case .head = proof, reachesHead, base == gap.before else { return false }
        return left == nil ? end <= gap.end : end > size
    }

    fileprivate init(
        certificate: SignedCertificate,
        proof: Proof,
        entries: [Entry],
        base: LogRange,
        tip: LogRange,
        completed: [TreeNode],
        right: LogRange,
        start: UInt64,
        left: LogRange?,
        prefix: LogPrefix
    ) {
        self.certificate = certificate
        self.proof = proof
        self.entries = entries
        self.base = base
        self.tip = tip
        self.completed = completed
        self.right = right
        self.start = start
        self.left = left
        self.prefix = prefix
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
        var completed = CompletedNodes(from: prefix.bounds.upperBound)
        for entry in entries { tip.append(leaf: entry.id.raw) { completed.add($0, $1) } }
        guard let root = tip.root else { preconditionFailure("a log's range starts at 0") }
        self.init(
            certificate: certificate,
            proof: .head(
                Head(
                    signing: certificate.log,
                    size: tip.bounds.upperBound,
                    root: root,
                    network: certificate.certificate.network,
                    with: device
                )
            ),
            entries: entries,
            base: prefix,
            tip: tip,
            completed: completed.nodes,
            right: LogRange(at: tip.bounds.upperBound),
            start: prefix.bounds.upperBound,
            left: nil,
            prefix: LogPrefix(certificate: certificate, range: tip)
        )
    }
}

/// Checks chunks against signed heads and known roots: certificate, proof, hash and signature, and nothing of what entries mean (D9).
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
        var left: LogRange?
        if !chunk.left.isEmpty {
            // Nobody was asked to leave anything out, by what is known here.
            guard let from = chunk.askedFrom else { return .doesNotFit }
            guard from < chunk.start, let range = LogRange(bounds: from..<chunk.start, nodes: chunk.left) else {
                throw .wrongNodeCount
            }
            left = range
        }
        guard let certificate = try certificate(of: chunk, known: prefix.certificate) else {
            return .certificateMissing
        }
        let grounds = ChunkGround.all(for: chunk, over: prefix)
        guard !grounds.isEmpty else { return .unknownRoot }
        // A chunk that begins before the prefix's end cannot be told from a fork inside the overlap: it is asked for
        // anew from where this node stands.
        let begin = left?.bounds.lowerBound ?? chunk.start
        let fitting = grounds.filter { $0.range.bounds.upperBound == begin && (left == nil || $0.mayLeaveOut) }
        guard !fitting.isEmpty else { return .doesNotFit }

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
        var own = left ?? LogRange(at: begin)
        var completed = CompletedNodes(from: chunk.start)
        for entry in entries { own.append(leaf: entry.id.raw) { completed.add($0, $1) } }
        let device = certificate.certificate.device
        for ground in fitting {
            var tip = ground.range
            var joined = completed
            guard tip.append(own, completed: { joined.add($0, $1) }) else { throw .wrongNodeCount }
            var whole = tip
            guard whole.append(right), let root = whole.root else { throw .wrongNodeCount }
            guard let proof = ground.proof(root, chunk, network: network, device: device) else { continue }
            // What nothing that counts would lie behind is not left out: the sender does not know of it yet.
            guard left == nil || prefix.mayLeaveOut(before: chunk.start) else { return .unknownRoot }
            return .verified(
                VerifiedChunk(
                    certificate: certificate,
                    proof: proof,
                    entries: entries,
                    base: ground.range,
                    tip: tip,
                    completed: joined.nodes,
                    right: right,
                    start: chunk.start,
                    left: left,
                    prefix: ground.prefix(prefix, certificate, tip: tip, left: left, right: right)
                )
            )
        }
        // With no prefix of one's own there is nothing that a fork could explain.
        guard begin > 0, let disputed = fitting.first(where: { $0.part == .stored })?.disputed else {
            guard case .known = chunk.proof else { throw .badProof }
            // Another settlement, or other evidence, is in force where it came from: words that cross are nobody's fault.
            return .unknownRoot
        }
        var rest = own
        _ = rest.append(right)
        return .prefixDiffers(
            DisputedChunk(log: chunk.log, size: chunk.size, proof: disputed, device: device, rest: rest)
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
