package import Sodium

/// Entries whose place in their log is proven by a signed head or a known root: these may be stored.
///
/// Made only by `ChunkVerifier` and by the log's own author.
package struct VerifiedChunk: Hashable, Sendable {
    package let certificate: SignedCertificate
    package let proof: Proof
    package let entries: [Entry]
    /// Compact range of [0, n) that the chunk was checked over; n is the end of its ground (`protocol/log.md` §6).
    package let base: LogRange
    /// Compact range of [0, end), `end` being the entry after the last one.
    package let tip: LogRange
    /// Interior nodes that the entries complete, from `EntryLimits.lowestKeptLevel` up.
    package let completed: [TreeNode]
    /// Compact range of [end, size).
    package let right: LogRange
    /// Sequence number of the first entry.
    package let start: UInt64
    /// Compact range of the left-out entries [n, start); nil if none were left out.
    package let left: LogRange?

    /// The log's prefix once this is stored, over which the next chunk is checked.
    package let prefix: LogPrefix

    package enum Proof: Hashable, Sendable {
        case head(Head)
        /// Root of the settlement; another branch may be stored.
        case settled(KnownRoot)
        /// Root of the fork evidence: the common part of both branches.
        case cut(KnownRoot)
        /// Root at the end of the gap in the stored history.
        case gap(KnownRoot)

        package var size: UInt64 {
            switch self {
            case .head(let head): head.size
            case .settled(let known), .cut(let known), .gap(let known): known.size
            }
        }
    }

    package var log: LogID { certificate.log }
    /// The head that proves the entries; nil if a known root does.
    package var head: Head? {
        switch proof {
        case .head(let head): head
        case .settled, .cut, .gap: nil
        }
    }
    /// The proving head, if it reaches beyond these entries.
    package var pending: PendingHead? {
        reachesHead ? nil : head.map { PendingHead(head: $0, right: right) }
    }
    /// Size of the proving head or known root.
    package var size: UInt64 { proof.size }
    /// The entry after the last.
    package var end: UInt64 { tip.bounds.upperBound }
    /// Whether the last entry under the proof is here; only then is the head held and passed on (`protocol/sync.md`
    /// §1).
    package var reachesHead: Bool {
        switch proof {
        case .head, .settled, .cut: end == size
        case .gap: false
        }
    }

    /// Whether this replaces what is behind a gap of a log with `size` counted entries (`protocol/sync.md` §5): all
    /// entries from the gap's start to a head within the gap, or newer entries behind a gap of their own.
    package func fits(inPlaceBehind gap: LogGap, of size: UInt64) -> Bool {
        guard case .head = proof, reachesHead, base == gap.before else { return false }
        return end <= gap.end || left != nil && end > size
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

    /// The author's next entries, with a new signed head.
    ///
    /// `prefix` is the compact range of all entries written so far; `entries` has at least one entry, in order, and the
    /// first follows the prefix.
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

/// Verifies chunks against signed heads and known roots. Reads certificate, proof, hash and signature, never the
/// meaning of an entry (`protocol/log.md` §1).
package struct ChunkVerifier: Sendable {
    package let network: NetworkID

    package init(network: NetworkID) {
        self.network = network
    }

    /// Verifies a chunk over the receiver's prefix; one that does not begin at the end of a ground does not fit.
    ///
    /// If the log's certificate is known, the chunk's is not read.
    package func verify(_ chunk: UnverifiedChunk, over prefix: LogPrefix) -> ChunkOutcome {
        do throws(ChunkViolation) {
            return try check(chunk, over: prefix)
        } catch {
            return .violation(error)
        }
    }

    /// The rules of `protocol/log.md` §6, in the order of its table: that decides of two faults which one is told.
    private func check(_ chunk: UnverifiedChunk, over prefix: LogPrefix) throws(ChunkViolation) -> ChunkOutcome {
        guard let form = try Self.form(of: chunk) else { return .doesNotFit }
        guard let certificate = try certificate(of: chunk, known: prefix.certificate) else {
            return .certificateMissing
        }
        let grounds = ChunkGround.all(for: chunk, over: prefix)
        guard !grounds.isEmpty else { return .unknownRoot }
        let fitting = grounds.filter { $0.fits(form.begin, leavingOut: form.left) }
        guard !fitting.isEmpty else { return .doesNotFit }
        let entries = try Self.entries(of: chunk)
        return try prove(entries, of: chunk, form, on: fitting, over: prefix, certificate)
    }

    /// The compact ranges on both sides of a chunk's entries.
    private struct Form {
        /// Of the entries left out; nil if none were.
        let left: LogRange?
        /// Of what follows under the proof.
        let right: LogRange
        /// The first entry that it is about, one left out included.
        let begin: UInt64
    }

    /// Checks bounds and numbers of nodes; nil if entries were left out otherwise than was asked for.
    private static func form(of chunk: UnverifiedChunk) throws(ChunkViolation) -> Form? {
        guard chunk.size <= EntryLimits.maximumLogEntries, chunk.start <= chunk.size,
            chunk.count <= chunk.size - chunk.start
        else { throw .impossibleBounds }
        guard chunk.count > 0 else { throw .emptyChunk }
        let end = chunk.start + chunk.count
        guard let right = LogRange(bounds: end..<chunk.size, nodes: chunk.right) else { throw .wrongNodeCount }
        guard !chunk.left.isEmpty else { return Form(left: nil, right: right, begin: chunk.start) }
        // As far as is known here, nobody was asked to leave entries out, or from another place: what a push has
        // answered meanwhile may be answered once more.
        guard let from = chunk.askedFrom, from < chunk.start,
            let left = LogRange(bounds: from..<chunk.start, nodes: chunk.left)
        else { return nil }
        return Form(left: left, right: right, begin: from)
    }

    private static func entries(of chunk: UnverifiedChunk) throws(ChunkViolation) -> [Entry] {
        do throws(EntryCodingError) {
            return try EntryCoding.decode(
                chunk.entries[...],
                count: Int(chunk.count),
                log: chunk.log,
                start: chunk.start
            )
        } catch {
            throw .entries(error)
        }
    }

    /// Computes the root on each ground that fits, and looks for one whose proof holds.
    private func prove(
        _ entries: [Entry],
        of chunk: UnverifiedChunk,
        _ form: Form,
        on grounds: [ChunkGround],
        over prefix: LogPrefix,
        _ certificate: SignedCertificate
    ) throws(ChunkViolation) -> ChunkOutcome {
        var own = form.left ?? LogRange(at: form.begin)
        var completed = CompletedNodes(from: chunk.start)
        for entry in entries { own.append(leaf: entry.id.raw) { completed.add($0, $1) } }
        let device = certificate.certificate.device
        for ground in grounds {
            var tip = ground.range
            var joined = completed
            guard tip.append(own, completed: { joined.add($0, $1) }) else { throw .wrongNodeCount }
            var whole = tip
            guard whole.append(form.right), let root = whole.root else { throw .wrongNodeCount }
            guard let proof = ground.proof(root, chunk, network: network, device: device) else { continue }
            // Leaving entries out is allowed only if entries beyond them count: the sender does not know the cut or
            // settlement yet.
            guard form.left == nil || prefix.mayLeaveOut(before: chunk.start) else { return .unknownRoot }
            return .verified(
                VerifiedChunk(
                    certificate: certificate,
                    proof: proof,
                    entries: entries,
                    base: ground.range,
                    tip: tip,
                    completed: joined.nodes,
                    right: form.right,
                    start: chunk.start,
                    left: form.left,
                    prefix: ground.prefix(prefix, certificate, tip: tip, left: form.left, right: form.right)
                )
            )
        }
        // Without a prefix here no fork can explain a wrong root.
        guard form.begin > 0, let disputed = grounds.first(where: { $0.part == .stored })?.disputed else {
            guard case .known = chunk.proof else { throw .badProof }
            // The sender has another settlement or other evidence in force: messages that cross are no violation.
            return .unknownRoot
        }
        _ = own.append(form.right)
        return .prefixDiffers(
            DisputedChunk(log: chunk.log, size: chunk.size, proof: disputed, device: device, rest: own)
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
