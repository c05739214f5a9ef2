import Entries
import Sodium

/// A log as some node holds it, with its words (`protocol/sync.md` §9); a peer of version 1 is told only the size.
struct HeldLog: Hashable {
    let item: LogSize
    /// Tree root at `item.size`, which tells apart two branches of one size; 32 zero bytes at 0.
    let root: Bytes32?
    /// Nil if there is neither a settlement nor fork evidence.
    var words: Words?

    var log: LogID { item.log }
    /// An upper estimate of its bytes in a message.
    var wireBytes: Int { 96 + (words?.count ?? 0) }
}

/// Asks for tree nodes below one that the receiver has shown.
struct NodesQuestion: Hashable {
    let log: LogID
    /// Level 1 to 31.
    let place: TreePlace
}

struct NodesAnswer: Hashable {
    let log: LogID
    let place: TreePlace
    /// Empty: the sender has not got them.
    let hashes: [Bytes32]
}

extension PrefixAnswer {
    /// The range with its proof; nil if the number of nodes does not fit the bounds.
    var selfContained: PrefixProof? {
        PrefixProof(
            end: end,
            nodes: nodes,
            size: size,
            right: right,
            proof: signature.map { .head($0) } ?? .known
        )
    }

    /// The answer in version 2.
    init(log: LogID, _ proof: PrefixProof) {
        let signature: Signature? =
            switch proof.proof {
            case .head(let signature): signature
            case .known: nil
            }
        self.init(
            log: log,
            end: proof.end,
            nodes: proof.prefix.nodes,
            size: proof.size,
            signature: signature,
            right: proof.right.nodes
        )
    }
}
