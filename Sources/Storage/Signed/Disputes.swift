internal import Entries
internal import GRDB

/// What this store can show of a history that somebody else's differs from.
struct Disputes {
    private let nodes: TreeNodes

    init(_ db: Database) throws {
        nodes = try TreeNodes(db)
    }

    func prefixProof(of log: LogState, end: UInt64) throws -> PrefixProof? {
        guard end <= log.storedEnd, let head = log.head, head.size >= end else { return nil }
        return PrefixProof(
            end: end,
            nodes: try nodes.covering(0..<end, of: log),
            size: head.size,
            right: try nodes.covering(end..<head.size, of: log),
            proof: .head(head.signature)
        )
    }
}
