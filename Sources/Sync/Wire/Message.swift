import Entries
import Sodium

/// A protocol message with every length and bound checked (`protocol/sync.md §2`).
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
}

/// The type number of a message; unknown ones belong to later versions.
enum MessageType: UInt8, CaseIterable {
    case hello = 1
    case ownLog = 2
    case changes = 3
    case want = 4
    case chunks = 5
    case prefixWanted = 6
    case prefix = 7
    case bodiesWanted = 8
    case bodies = 9
    case keepAlive = 10
    case compare = 11
    case comparison = 12
    case peersWanted = 13
    case peers = 14
    case credit = 15
    case goodbye = 16
    case reconcile = 18
    case itemsWanted = 19
    case nodesWanted = 20
    case nodes = 21
    case items = 22
    case branch = 23

    /// The protocol version that introduced the message.
    var version: UInt32 {
        switch self {
        case .hello, .ownLog, .changes, .want, .chunks, .prefixWanted, .prefix, .bodiesWanted, .bodies, .keepAlive,
            .compare, .comparison, .peersWanted, .peers, .credit, .goodbye:
            1
        case .reconcile, .itemsWanted, .items, .nodesWanted, .nodes, .branch: 2
        }
    }
}

/// The first message of each side: versions, features, scope and cursor (`protocol/sync.md §3`).
struct Hello: Hashable {
    var version: UInt32 = Self.newestVersion
    var oldestVersion: UInt32 = Self.oldestVersion
    let store: StoreID
    let number: UInt64
    /// The cursor that the sender holds of the receiver.
    let cursor: Cursor?
    let ownLog: LogID?
    /// The scope of the sender.
    var scope = Scope.everything
    let agent: String
    let listenPort: UInt16?
    let credit: UInt64
    /// Items of the sender's frontier within its own scope; 0 from a peer of version 1.
    var logs: UInt64 = 0

    /// Feature numbers that the sender names.
    var features: Set<UInt32> = []

    /// The feature number of windows.
    static let windows: UInt32 = 1

    static let newestVersion: UInt32 = 2
    static let oldestVersion: UInt32 = 1
    /// The feature number of scopes, from version 2 on.
    static let scopes: UInt32 = 2

    /// The feature number of branches, from version 2 on.
    static let branches: UInt32 = 3

    var understandsScopes: Bool { version >= 2 && features.contains(Self.scopes) }
}

/// The size and root that the sender holds of the receiver's own log.
struct OwnLogAnswer: Hashable {
    let log: LogID
    /// 0: nothing is held, and the root is 32 zero bytes.
    let size: UInt64
    let root: Bytes32
}

/// How new entries are sent over a link (`protocol/sync.md §6`).
package enum Branching: Hashable, Sendable {
    case pushed
    case named
}

struct Changes: Hashable {
    let logs: [LogSize]
    /// The change number up to which everything has been announced; nil: more is to come.
    let number: UInt64?
    /// Statements on those of the logs that have words.
    var verdicts: [HeldLog] = []
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

/// The bounds (after, through] of a page of the frontier; nil: the beginning, or the end.
struct PageBounds: Hashable {
    let after: LogID?
    let through: LogID?

    /// Whether the logs ascend and lie within the bounds.
    func hold(_ logs: [LogSize]) -> Bool {
        var last = after
        for item in logs {
            if let last, item.log <= last { return false }
            last = item.log
        }
        guard let last, let through else { return true }
        return last <= through
    }
}

struct ComparePage: Hashable {
    let page: UInt32
    let bounds: PageBounds
    let logs: [LogSize]
}

struct ComparisonAnswer: Hashable {
    let page: UInt32
    let logs: [LogSize]
}

/// A peer's address as another peer told it; only a hint.
struct HeardPeer: Hashable {
    let address: PeerAddress
    let node: NodeID
}
