internal import Sodium

/// A ground of a chunk: the compact range it is checked over, and the proof expected of its root (`protocol/log.md`
/// §6).
struct ChunkGround {
    let range: LogRange
    let part: Part
    let expectation: Expectation
    /// Whether the log has a gap.
    let hasGap: Bool

    /// Where the entries are stored.
    enum Part {
        /// Behind the stored entries.
        case stored
        /// Behind the settled history that is fetched beside the stored one.
        case side
        /// Into the gap.
        case gap
    }

    enum Expectation {
        case head(Signature)
        case settled(KnownRoot)
        case cut(KnownRoot)
        case gap(KnownRoot)
    }

    /// All grounds for a chunk; none if it names a known root of an unknown size. Several known roots may have one
    /// size.
    static func all(for chunk: UnverifiedChunk, over prefix: LogPrefix) -> [ChunkGround] {
        if case .head(let signature) = chunk.proof {
            return [
                ChunkGround(
                    range: prefix.range,
                    part: .stored,
                    expectation: .head(signature),
                    hasGap: prefix.gap != nil
                )
            ]
        }
        var grounds: [ChunkGround] = []
        if let gap = prefix.gap, gap.end == chunk.size, let known = gap.known {
            grounds.append(ChunkGround(range: gap.before, part: .gap, expectation: .gap(known), hasGap: true))
        }
        if let settled = prefix.settled, settled.size == chunk.size {
            let expectation = Expectation.settled(settled)
            grounds.append(
                ChunkGround(
                    range: prefix.side ?? prefix.range,
                    part: prefix.side == nil ? .stored : .side,
                    expectation: expectation,
                    hasGap: prefix.gap != nil
                )
            )
        }
        if let cut = prefix.cut, cut.size == chunk.size {
            grounds.append(
                ChunkGround(range: prefix.range, part: .stored, expectation: .cut(cut), hasGap: prefix.gap != nil)
            )
        }
        return grounds
    }

    /// Whether the chunk may leave entries out: only behind the stored entries, and of a log without a gap.
    var mayLeaveOut: Bool { part == .stored && !hasGap }

    /// Whether a chunk that begins at `begin`, the entries left out included, stands on this ground.
    ///
    /// One that begins before the ground's end could hide a fork in the overlap: it is asked for again from there on.
    func fits(_ begin: UInt64, leavingOut left: LogRange?) -> Bool {
        range.bounds.upperBound == begin && (left == nil || mayLeaveOut)
    }

    /// The log's prefix once the chunk is stored.
    func prefix(
        _ known: LogPrefix,
        _ certificate: SignedCertificate,
        tip: LogRange,
        left: LogRange?,
        right: LogRange
    ) -> LogPrefix {
        let gap =
            switch part {
            case .gap: LogGap(before: tip, rest: right)
            case .stored, .side: left.flatMap { LogGap(before: range, rest: $0) } ?? known.gap
            }
        return LogPrefix(
            certificate: certificate,
            range: part == .stored ? tip : known.range,
            cut: known.cut,
            settled: known.settled,
            side: part == .side ? tip : known.side,
            gap: gap
        )
    }

    /// The proof that holds for the root; nil if none does.
    func proof(
        _ root: Bytes32,
        _ chunk: UnverifiedChunk,
        network: NetworkID,
        device: DeviceID
    ) -> VerifiedChunk.Proof? {
        switch expectation {
        case .head(let signature):
            let head = Head(log: chunk.log, size: chunk.size, root: root, signature: signature)
            return head.isValid(network: network, device: device) ? .head(head) : nil
        case .settled(let known): return root == known.root ? .settled(known) : nil
        case .cut(let known): return root == known.root ? .cut(known) : nil
        case .gap(let known): return root == known.root ? .gap(known) : nil
        }
    }

    var disputed: DisputedChunk.Proof {
        switch expectation {
        case .head(let signature): .head(signature)
        case .settled(let known), .cut(let known), .gap(let known): .known(known.root)
        }
    }
}
