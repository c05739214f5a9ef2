import Entries
import Sodium

/// A log as somebody holds it (`protocol/sync.md §9`); only its size is said to a peer of version 1.
struct HeldLog: Hashable {
    let item: LogSize
    /// Tree root at that size, which tells two branches of one size apart; 32 zero bytes at 0.
    let root: Bytes32?
    /// Nil if there is neither a settlement nor fork evidence.
    var words: Words?

    /// What root keys and forks say of it.
    struct Words: Hashable {
        /// 208 bytes.
        let settlement: [UInt8]?
        let evidence: [UInt8]?
        /// 200 bytes; nil of the end of an account.
        let certificate: [UInt8]?

        var count: Int { (settlement?.count ?? 0) + (evidence?.count ?? 0) + (certificate?.count ?? 0) }
    }

    var log: LogID { item.log }
    /// About what it takes in a message, never less.
    var wireBytes: Int { 96 + (words?.count ?? 0) }
}

/// Asks for nodes below one that the receiver has shown.
struct NodesQuestion: Hashable {
    let log: LogID
    /// Level 1 to 31.
    let place: TreePlace
}

struct NodesAnswer: Hashable {
    let log: LogID
    let place: TreePlace
    /// None: not here.
    let hashes: [Bytes32]
}

extension PrefixAnswer {
    /// The range with its proof; nil if the nodes are not as many as the bounds ask for.
    var selfContained: PrefixProof? {
        PrefixProof(
            end: end,
            nodes: nodes,
            size: size,
            right: right,
            proof: signature.map { .head($0) } ?? .known
        )
    }

    /// What version 2 says.
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
