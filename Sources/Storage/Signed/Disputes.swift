internal import Entries
internal import GRDB

/// Builds proofs of a stored history, for a peer whose history differs (`protocol/sync.md` §9).
struct Disputes {
    private let nodes: TreeNodes

    init(_ db: Database) throws {
        nodes = try TreeNodes(db)
    }

    /// The stored history up to `end`, hidden entries too, proven by the settled root, a head, or the root at the cut.
    func prefixProof(of log: LogState, end: UInt64) throws -> PrefixProof? {
        guard log.knows(end) else { return nil }
        let standing = log.isJudged ? try nodes.standing(of: log) : nil
        // The settled root first: only by this proof a peer with another history learns where to leave it.
        if let standing, standing.isComplete, standing.size >= end {
            return try proof(of: log, end: end, .known, nodes.range(end..<standing.size, of: log))
        }
        if let head = log.head, head.size >= end {
            return try proof(of: log, end: end, .head(head.signature), nodes.range(end..<head.size, of: log))
        }
        if let standing, standing.isProvenToCut, let cut = log.cut, cut.size >= end {
            return try proof(of: log, end: end, .known, nodes.range(end..<cut.size, of: log))
        }
        guard let pending = log.pending,
            let right = try pending.right(after: nodes.range(end..<log.storedEnd, of: log))
        else { return nil }
        return try proof(of: log, end: end, .head(pending.head.signature), right)
    }

    private func proof(of log: LogState, end: UInt64, _ proof: ChunkProof, _ right: LogRange) throws -> PrefixProof? {
        PrefixProof(
            end: end,
            nodes: try nodes.covering(0..<end, of: log),
            size: right.bounds.upperBound,
            right: right.nodes,
            proof: proof
        )
    }
}
