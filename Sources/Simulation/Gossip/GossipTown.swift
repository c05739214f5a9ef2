import Entries
import Sodium
import Sync

/// A network of *light* nodes: the views and the tree of each are the node's own machines, and nothing else is.
///
/// There is no store, no channel and no entry: a broadcast is a number, and holding it is a bit. Connections are there when
/// they are needed, lose nothing and keep the order; a way between two nodes takes 10 to 60 ms, always the same. The same seed
/// does the same.
package struct GossipTown: Sendable {
    /// How an entry goes from node to node.
    package enum Spreading: String, CaseIterable, Sendable {
        /// Plumtree.
        case tree
        /// Plumtree, and a new link begins with the names of what is here of the last minute, as a node's first list does
        /// (`protocol/sync.md` §4).
        case lists
        /// To every neighbour but the one it came from.
        case flood
        /// Not at all: every cycle each node compares with its neighbours, and what differs is fetched.
        case compare
    }

    struct Resident: Sendable {
        var views: HyParView
        var tree = Plumtree()
        var isAlive = true
        var wakeAt = UInt64.max
    }

    /// How others learn that nodes are gone.
    package enum Failing: String, CaseIterable, Sendable {
        /// Their neighbours hear of it after 200 ms: processes that die, whose connections the system resets.
        case reset
        /// Who sends to them hears of it 200 ms later, and nobody else: hosts that lose power.
        case silent
    }

    enum Letter: Sendable {
        case membership(MembershipMessage)
        case push(broadcast: Int, hops: UInt32)
        case offers([HeadOffer])
        case graft(HeadOffer?)
        case prune
        case alive
        /// Of the receiver itself, as are the next two: `from` could not be reached.
        case failed
        case wake
        case cycle
        /// It begins with `from`.
        case join
    }

    struct Delivery: Sendable {
        let to: UInt32
        let from: UInt32
        let letter: Letter
    }

    package static let joinMilliseconds: UInt64 = 5
    static let resetMilliseconds: UInt64 = 200

    package let seed: UInt64
    package var spreading = Spreading.tree
    package internal(set) var traffic = GossipTraffic()
    var residents: [Resident]
    var broadcasts: [Broadcast] = []
    /// Those before were measured.
    var firstOpen = 0
    var wheel = TimeWheel<Delivery>()
    private var chance: WorldChance

    /// Nodes that join one after the other, 5 ms apart, each by way of one that is there already.
    package init(nodes: Int, seed: UInt64) {
        self.seed = seed
        chance = WorldChance(seed: seed)
        residents = (0..<UInt32(nodes)).map { node in
            Resident(views: HyParView(own: Self.name(node), seed: seed &+ UInt64(node) &* 0x9E37_79B9_7F4A_7C15))
        }
        plan(.cycle, to: 0, from: 0, at: GossipLimits.cycleMilliseconds)
    }

    package var now: UInt64 { wheel.now }
    package var alive: [UInt32] { residents.indices.lazy.filter { residents[$0].isAlive }.map(UInt32.init) }

    /// All nodes join; then so many cycles go by.
    package mutating func grow(cycles: UInt64) {
        for node in 1..<max(residents.count, 1) {
            let contact = UInt32.random(in: 0..<UInt32(node), using: &chance)
            let moment = now + Self.joinMilliseconds
            plan(.join, to: UInt32(node), from: contact, at: moment)
            let first = UInt64.random(in: 0..<GossipLimits.cycleMilliseconds, using: &chance)
            plan(.cycle, to: UInt32(node), from: UInt32(node), at: moment + first)
            run(until: moment)
        }
        run(until: now + cycles * GossipLimits.cycleMilliseconds)
    }

    /// This share of all nodes fails in the same instant.
    package mutating func fail(share: Double, _ failing: Failing) {
        var order = alive
        order.shuffle(using: &chance)
        for node in order.prefix(Int((Double(residents.count) * share).rounded())) {
            residents[Int(node)].isAlive = false
        }
        guard failing == .reset else { return }
        for node in alive {
            for neighbour in residents[Int(node)].views.active.map(Self.node) where !residents[Int(neighbour)].isAlive {
                plan(.failed, to: node, from: neighbour, at: now + Self.resetMilliseconds)
            }
        }
    }

    /// A node that is alive, by chance.
    package mutating func anybody() -> UInt32 {
        while true {
            let node = UInt32.random(in: 0..<UInt32(residents.count), using: &chance)
            if residents[Int(node)].isAlive { return node }
        }
    }

    package mutating func run(until end: UInt64) {
        while let delivery = wheel.pop(until: end) { take(delivery) }
    }

    /// The author's own node has a new entry; which broadcast it is.
    package mutating func broadcast(from author: UInt32) -> Int {
        broadcasts.append(Broadcast(of: author, among: residents.count, at: now))
        let number = broadcasts.count - 1
        switch spreading {
        case .tree, .lists: perform(.wrote(Self.head(number)), at: author)
        case .flood: flood(number, from: author, except: author)
        case .compare: break
        }
        return number
    }

    mutating func plan(_ letter: Letter, to node: UInt32, from other: UInt32, at moment: UInt64) {
        wheel.plan(Delivery(to: node, from: other, letter: letter), at: moment)
    }

    /// Over a connection that is there, or is opened.
    mutating func send(_ letter: Letter, to node: UInt32, from sender: UInt32) {
        if residents[Int(node)].isAlive {
            plan(letter, to: node, from: sender, at: now + latency(sender, node))
        } else {
            plan(.failed, to: sender, from: node, at: now + Self.resetMilliseconds)
        }
    }

    /// The same both ways, and always: what is sent earlier arrives earlier.
    private func latency(_ one: UInt32, _ other: UInt32) -> UInt64 {
        var pair = WorldChance(seed: seed ^ UInt64(min(one, other)) << 32 ^ UInt64(max(one, other)))
        return 10 + pair.next() % 51
    }

    // MARK: Names

    static func name(_ node: UInt32) -> NodeID { NodeID(raw: bytes(node)) }
    static func node(_ name: NodeID) -> UInt32 { UInt32(truncatingIfNeeded: name.raw.prefix64) }
    static func head(_ broadcast: Int) -> LogSize { LogSize(log: LogID(raw: bytes(0)), size: UInt64(broadcast)) }

    private static func bytes(_ number: UInt32) -> Bytes32 {
        var bytes = Bytes32()
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: UInt64(number).bigEndian, as: UInt64.self) }
        return bytes
    }
}
