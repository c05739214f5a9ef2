import Entries
import Simulation
import Sodium
import Testing

/// One node's views, by what it is told.
@Suite struct HyParViewTests {
    private func name(_ number: UInt64) -> NodeID {
        var bytes = Bytes32()
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: number.bigEndian, as: UInt64.self) }
        return NodeID(raw: bytes)
    }

    private func node(neighbours: UInt64, seed: UInt64 = 1) -> HyParView {
        var node = HyParView(own: name(0), seed: seed)
        for number in 0..<neighbours { _ = node.received(.received(.join, from: name(number + 1))) }
        return node
    }

    private func expectWellFormed(_ node: HyParView, sourceLocation: SourceLocation = #_sourceLocation) {
        let all = node.active + node.passive
        #expect(node.active.count <= GossipLimits.activeViewCount, sourceLocation: sourceLocation)
        #expect(node.passive.count <= GossipLimits.passiveViewCount, sourceLocation: sourceLocation)
        #expect(Set(all).count == all.count, sourceLocation: sourceLocation)
        #expect(!all.contains(node.own), sourceLocation: sourceLocation)
    }

    @Test func `A newcomer becomes a neighbour and its name walks from every other`() {
        var node = node(neighbours: 2)
        let effects = node.received(.received(.join, from: name(9)))
        #expect(
            effects == [
                .up(name(9)), .send(.accept, to: name(9)),
                .send(.forwardJoin(name(9), hopsLeft: 6), to: name(1)),
                .send(.forwardJoin(name(9), hopsLeft: 6), to: name(2)),
            ]
        )
    }

    @Test func `A full view makes room and tells who left`() {
        var node = node(neighbours: 5)
        let effects = node.received(.received(.neighbour(.high), from: name(9)))
        let dropped = effects.compactMap { effect -> NodeID? in
            if case .down(let dropped) = effect { dropped } else { nil }
        }
        #expect(dropped.count == 1)
        #expect(dropped.first.map { effects.contains(.send(.disconnect, to: $0)) } == true)
        #expect(node.active.contains(name(9)))
        #expect(node.passive == dropped)
        expectWellFormed(node)
    }

    @Test func `Who asks without need is taken only where there is room`() {
        var full = node(neighbours: 5)
        #expect(full.received(.received(.neighbour(.low), from: name(9))) == [.send(.reject, to: name(9))])
        var roomy = node(neighbours: 4)
        #expect(
            roomy.received(.received(.neighbour(.low), from: name(9))) == [.up(name(9)), .send(.accept, to: name(9))]
        )
    }

    @Test func `A walk that ends asks the newcomer`() {
        var node = node(neighbours: 3)
        let end = node.received(.received(.forwardJoin(name(9), hopsLeft: 0), from: name(1)))
        #expect(end == [.send(.neighbour(.high), to: name(9))])
        // It is a neighbour once it says so, and not before.
        #expect(!node.active.contains(name(9)))
        #expect(node.received(.received(.accept, from: name(9))) == [.up(name(9))])
    }

    @Test func `A walk leaves the name where three hops are left`() {
        var node = node(neighbours: 3)
        _ = node.received(.received(.forwardJoin(name(9), hopsLeft: 4), from: name(1)))
        #expect(node.passive.isEmpty)
        let effects = node.received(.received(.forwardJoin(name(9), hopsLeft: 3), from: name(1)))
        #expect(node.passive == [name(9)])
        guard case .send(.forwardJoin(let newcomer, hopsLeft: 2), let next) = effects.first else {
            Issue.record("not passed on: \(effects)")
            return
        }
        #expect(newcomer == name(9))
        #expect([name(2), name(3)].contains(next))
    }

    @Test func `A failed neighbour is replaced from the passive view`() {
        var node = node(neighbours: 2)
        _ = node.received(.received(.forwardJoin(name(9), hopsLeft: 3), from: name(1)))
        let effects = node.received(.failed(name(1)))
        #expect(effects == [.down(name(1)), .send(.neighbour(.low), to: name(9))])
        // Who does not answer at all is forgotten.
        _ = node.received(.failed(name(9)))
        #expect(!node.passive.contains(name(9)))
    }

    @Test func `A node without neighbours asks with priority`() {
        var node = node(neighbours: 2)
        _ = node.received(.received(.forwardJoin(name(9), hopsLeft: 3), from: name(1)))
        _ = node.received(.received(.disconnect, from: name(1)))
        _ = node.received(.received(.reject, from: name(9)))
        let effects = node.received(.failed(name(2)))
        #expect(effects == [.down(name(2))])
        // Everybody has refused since the last cycle: the next one asks anew.
        let turn = node.received(.cycle)
        #expect(turn.contains { if case .send(.neighbour(.high), _) = $0 { true } else { false } })
    }

    @Test func `Who takes this node for a neighbour and is none is told so`() {
        var node = node(neighbours: 3)
        let effects = node.received(.received(.shuffle(origin: name(8), hopsLeft: 4, sample: []), from: name(9)))
        #expect(effects.first == .send(.disconnect, to: name(9)))
        #expect(node.received(.received(.accept, from: name(9))) == [.send(.disconnect, to: name(9))])
    }

    @Test func `A shuffle that ends is answered to its origin with as many`() {
        var node = node(neighbours: 3)
        let names = (20..<27).map(name)
        _ = node.received(.received(.shuffle(origin: name(7), hopsLeft: 0, sample: names), from: name(1)))
        #expect(Set(node.passive) == Set(names + [name(7)]))
        let effects = node.received(
            .received(.shuffle(origin: name(8), hopsLeft: 0, sample: [name(30)]), from: name(1))
        )
        guard case .send(.shuffleReply(let answer), let origin) = effects.first else {
            Issue.record("not answered: \(effects)")
            return
        }
        #expect(origin == name(8))
        #expect(answer.count == 2)
    }

    @Test func `What nobody asked for is not taken`() {
        var node = node(neighbours: 3)
        #expect(node.received(.received(.shuffleReply([name(9)]), from: name(1))) == [])
        #expect(node.passive.isEmpty)
        _ = node.received(.cycle)
        _ = node.received(.received(.shuffleReply([name(9)]), from: name(1)))
        _ = node.received(.received(.shuffleReply([name(10)]), from: name(1)))
        #expect(node.passive == [name(9)])
    }

    @Test func `What breaks a bound is not taken`() {
        let many = (20..<28).map(name)
        let bad: [MembershipMessage] = [
            .shuffle(origin: name(9), hopsLeft: 0, sample: many),
            .shuffle(origin: name(9), hopsLeft: 7, sample: []),
            .shuffle(origin: name(9), hopsLeft: -1, sample: []),
            .shuffleReply(many),
            .forwardJoin(name(9), hopsLeft: 7),
            .forwardJoin(name(9), hopsLeft: -1),
        ]
        for message in bad {
            var node = node(neighbours: 3)
            _ = node.received(.cycle)
            let before = node.active
            #expect(node.received(.received(message, from: name(1))) == [.violation(name(1))], "\(message)")
            #expect(node.active == before)
            #expect(node.passive.isEmpty)
        }
    }

    @Test func `A node takes nothing from itself nor itself from others`() {
        var node = node(neighbours: 3)
        #expect(node.received(.received(.join, from: name(0))) == [])
        #expect(node.received(.join(name(0))) == [])
        #expect(node.received(.received(.forwardJoin(name(0), hopsLeft: 0), from: name(1))) == [])
        _ = node.received(.received(.shuffle(origin: name(7), hopsLeft: 0, sample: [name(0), name(0)]), from: name(1)))
        expectWellFormed(node)
    }

    @Test func `A peer that makes up newcomers makes nobody dial them all`() {
        var node = node(neighbours: 5)
        var asked = 0
        for number in 100..<1_100 {
            let effects = node.received(.received(.forwardJoin(name(UInt64(number)), hopsLeft: 0), from: name(1)))
            asked += effects.count
        }
        #expect(asked == 2 * GossipLimits.activeViewCount)
    }

    @Test func `A flood of walks stops until the next cycle`() {
        var node = node(neighbours: 5)
        let flood = { (node: inout HyParView) in
            (0..<2_000).count { number in
                let walk = MembershipMessage.shuffle(origin: name(UInt64(9_000 + number)), hopsLeft: 6, sample: [])
                return !node.received(.received(walk, from: name(1))).isEmpty
            }
        }
        // The five that joined spent theirs.
        #expect(flood(&node) == GossipLimits.walksPerCycle - 5)
        _ = node.received(.cycle)
        #expect(flood(&node) == GossipLimits.walksPerCycle)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `Whatever comes the views keep their bounds`(seed: UInt64) {
        var chance = Dice(seed: seed)
        var node = HyParView(own: name(0), seed: seed)
        func somebody() -> NodeID { name(UInt64.random(in: 0..<60, using: &chance)) }
        func names() -> [NodeID] { (0..<Int.random(in: 0...9, using: &chance)).map { _ in somebody() } }
        for _ in 0..<3_000 {
            let message: MembershipMessage =
                switch UInt64.random(in: 0..<9, using: &chance) {
                case 0: .join
                case 1: .forwardJoin(somebody(), hopsLeft: Int.random(in: -1...8, using: &chance))
                case 2: .neighbour(.high)
                case 3: .neighbour(.low)
                case 4: .accept
                case 5: .reject
                case 6: .disconnect
                case 7: .shuffle(origin: somebody(), hopsLeft: Int.random(in: -1...8, using: &chance), sample: names())
                default: .shuffleReply(names())
                }
            let before = Set(node.active)
            let effects =
                switch UInt64.random(in: 0..<20, using: &chance) {
                case 0: node.received(.cycle)
                case 1: node.received(.failed(somebody()))
                case 2: node.received(.join(somebody()))
                default: node.received(.received(message, from: somebody()))
                }
            // What is told of neighbours is what changed.
            var told = before
            for effect in effects {
                switch effect {
                case .up(let other): #expect(told.insert(other).inserted, "seed \(seed)")
                case .down(let other): #expect(told.remove(other) != nil, "seed \(seed)")
                case .send(_, let other): #expect(other != node.own, "seed \(seed)")
                case .violation: break
                }
            }
            #expect(told == Set(node.active), "seed \(seed)")
            expectWellFormed(node)
        }
    }
}

/// SplitMix64: what these tests roll.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
