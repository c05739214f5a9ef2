import Entries
import Sodium
import Sync

/// A simulated network of *light* nodes, each with the real membership and broadcast machines and nothing else.
///
/// There is no store, no channel and no entry: a broadcast is a number, and holding it is a bit. Connections exist on
/// demand, lose nothing and keep the order; one way between two nodes takes 10 to 60 ms, constant for each pair. The
/// same seed gives the same run.
package struct GossipTown: Sendable {
    /// How an entry spreads.
    package enum Spreading: String, CaseIterable, Sendable {
        /// Plumtree.
        case tree
        /// Plumtree, and a new link begins with offers of the last minute's entries, as a node's first list does
        /// (`protocol/sync.md` §4).
        case lists
        /// A push to every neighbour except the sender.
        case flood
        /// No push: every cycle each node compares with its neighbours and fetches the differences.
        case compare
    }

    struct Resident: Sendable {
        var views: HyParView
        var tree = Plumtree()
        var isAlive = true
        var wakeAt = UInt64.max
    }

    /// How other nodes learn of failed ones.
    package enum Failing: String, CaseIterable, Sendable {
        /// Neighbours learn after 200 ms: processes that die, whose connections the system resets.
        case reset
        /// A node that sends to a failed one learns 200 ms later, no other does: hosts that lose power.
        case silent
    }

    enum Letter: Sendable {
        case membership(MembershipMessage)
        case push(broadcast: Int, hops: UInt32)
        case offers([HeadOffer])
        case graft(HeadOffer?)
        case prune
        case alive
        /// A local event: `from` could not be reached.
        case failed
        /// A local event: the tree's timer.
        case wake
        /// A local event: a membership cycle begins.
        case cycle
        /// A local event: the node joins the network through `from`.
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
    /// Index of the first broadcast that has not been measured.
    var firstOpen = 0
    var wheel = TimeWheel<Delivery>()
    private var chance: Chance

    /// Creates the nodes; `grow` lets all but the first join.
    package init(nodes: Int, seed: UInt64) {
        self.seed = seed
        chance = Chance(seed: seed)
        residents = (0..<UInt32(nodes)).map { node in
            Resident(views: HyParView(own: Self.name(node), seed: seed &+ UInt64(node) &* 0x9E37_79B9_7F4A_7C15))
        }
        plan(.cycle, to: 0, from: 0, at: GossipLimits.cycleMilliseconds)
    }

    package var now: UInt64 { wheel.now }
    package var alive: [UInt32] { residents.indices.lazy.filter { residents[$0].isAlive }.map(UInt32.init) }

    /// Lets the nodes join, 5 ms apart, each through a random one that has joined; then runs for this many cycles.
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

    /// Fails this share of all nodes at the same instant.
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

    /// A random node that is alive.
    package mutating func anybody() -> UInt32 {
        while true {
            let node = UInt32.random(in: 0..<UInt32(residents.count), using: &chance)
            if residents[Int(node)].isAlive { return node }
        }
    }

    package mutating func run(until end: UInt64) {
        while let delivery = wheel.pop(until: end) { take(delivery) }
    }

    /// Starts the broadcast of a new entry at the author's node; returns its number.
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

    /// Sends over a connection, which is opened if there is none; a failed receiver is reported to the sender.
    mutating func send(_ letter: Letter, to node: UInt32, from sender: UInt32) {
        if residents[Int(node)].isAlive {
            plan(letter, to: node, from: sender, at: now + latency(sender, node))
        } else {
            plan(.failed, to: sender, from: node, at: now + Self.resetMilliseconds)
        }
    }

    /// One-way latency in milliseconds, the same both ways and constant, so that messages keep their order.
    private func latency(_ one: UInt32, _ other: UInt32) -> UInt64 {
        var pair = Chance(seed: seed ^ UInt64(min(one, other)) << 32 ^ UInt64(max(one, other)))
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
