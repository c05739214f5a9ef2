import Entries
import Sodium

/// A protocol message with every length and bound checked (`protocol/sync.md` §2).
enum Message: Equatable {
    case hello(Hello)
    case ownLog(OwnLogAnswer)
    case changes(Changes)
    case want([RangeWant])
    case chunks(Chunks)
    case prefixWanted(PrefixQuestion)
    case prefix(PrefixAnswer)
    case bodiesWanted([BodyPlace])
    case bodies([BodyAnswer])
    case keepAlive(KeepAlive)
    case compare(ComparePage)
    case comparison(ComparisonAnswer)
    case peersWanted
    case peers([HeardPeer])
    case credit(UInt64)
    case goodbye(Goodbye)
    case reconcile(Reconcile)
    case itemsWanted(ItemsQuestion)
    case items(Items)
    case nodesWanted(NodesQuestion)
    case nodes(NodesAnswer)
    case branch(Branching)

    /// Whether it leaves a quiet link quiet (`protocol/sync.md` §10).
    var isIdle: Bool {
        switch self {
        case .keepAlive, .credit, .goodbye, .peers, .peersWanted, .hello, .branch: true
        case .ownLog, .changes, .want, .chunks, .prefixWanted, .prefix, .bodiesWanted, .bodies, .compare, .comparison,
            .reconcile, .itemsWanted, .items, .nodesWanted, .nodes:
            false
        }
    }
}

/// The size and root that the sender holds of the receiver's own log.
struct OwnLogAnswer: Hashable {
    let log: LogID
    /// 0: nothing is held, and the root is 32 zero bytes.
    let size: UInt64
    let root: Bytes32
}

/// How new entries are sent over a link (`protocol/sync.md` §6).
package enum Branching: Hashable, Sendable {
    case pushed
    case named
}

struct Changes: Hashable {
    let logs: [LogSize]
    /// The change number up to which everything has been announced; nil: more is to come.
    let number: UInt64?
    /// Statements on those of the logs that have words.
    var held: [HeldLog] = []
}

struct Chunks: Hashable {
    var chunks: [UnverifiedChunk] = []
    var number: UInt64?
    var lacking: [LogID] = []
    /// Logs whose gap the sender cannot fill: answers to a Want with `until`.
    var lackingBefore: [LogID] = []
}

struct PrefixQuestion: Hashable {
    let log: LogID
    let end: UInt64
}

struct PrefixAnswer: Hashable {
    let log: LogID
    let end: UInt64
    let nodes: [Bytes32]
    /// The log's size under the proof, from version 2 on.
    var size: UInt64 = 0
    /// The head's signature, from version 2 on; nil where the root at `size` is known.
    var signature: Signature?
    /// The compact range of [end, size), from version 2 on.
    var right: [Bytes32] = []
}

struct KeepAlive: Hashable {
    let fingerprint: Fingerprint
    let count: UInt64
    let number: UInt64
    let activity: Activity
    let request: Request

    enum Activity: Hashable {
        case quiet
        case busy
    }

    enum Request: Hashable {
        case answer
        case nothing
    }
}

/// A peer's address as another peer told it; only a hint.
struct HeardPeer: Hashable {
    let address: PeerAddress
    let node: NodeID
}
