import Entries
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Storage

/// One log on three nodes: what each of them hears comes in every order.
@Suite struct HealingScenariosTests {
    /// What happens to a log, and what all nodes make of it.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        /// Of each branch: which one it leaves, after how many entries, and for how many of its own.
        let branches: [(of: Int, keep: Int, own: Int)]
        /// What each node hears of by itself.
        let heard: [[Event]]
        let size: UInt64
        let cut: UInt64?
        let settled: UInt64?
        let branch: Int

        var testDescription: String { name }

        init(
            _ name: String,
            _ branches: [(of: Int, keep: Int, own: Int)],
            _ heard: [[Event]],
            size: UInt64,
            of branch: Int = 0,
            cut: UInt64? = nil,
            settled: UInt64? = nil
        ) {
            self.name = name
            self.branches = branches
            self.heard = heard
            self.size = size
            self.cut = cut
            self.settled = settled
            self.branch = branch
        }
    }

    enum Event: Sendable {
        /// Entries [0, count) of a branch, under its head of a size.
        case branch(Int, Int, head: Int)
        case evidence(Int, Int)
        case settlement(Int, Int, serial: UInt64)
        /// Of a history that nobody has.
        case settlementOfNothing(Int, serial: UInt64)
    }

    static let scenarios: [Scenario] = [
        Scenario(
            "an early fork",
            [(0, 0, 5), (0, 0, 3)],
            [[.branch(0, 5, head: 5)], [.branch(1, 3, head: 3)], []],
            size: 0,
            cut: 0
        ),
        Scenario(
            "a late fork",
            [(0, 0, 8), (0, 6, 3)],
            [[.branch(0, 8, head: 8)], [.branch(1, 9, head: 9)], []],
            size: 6,
            cut: 6
        ),
        Scenario(
            "three branches",
            [(0, 0, 8), (0, 6, 3), (0, 3, 6)],
            [[.branch(0, 8, head: 8)], [.branch(1, 9, head: 9)], [.branch(2, 9, head: 9)]],
            size: 3,
            cut: 3
        ),
        Scenario(
            "a fork below a fork",
            [(0, 0, 8), (0, 6, 3), (0, 2, 2)],
            [
                [.branch(0, 8, head: 8), .evidence(0, 1)], [.evidence(0, 1)],
                [.branch(2, 4, head: 4), .evidence(0, 1)],
            ],
            size: 2,
            cut: 2
        ),
        Scenario(
            "a fork inside a pending range",
            [(0, 0, 9), (0, 4, 3)],
            [[.branch(0, 6, head: 9)], [.branch(1, 7, head: 7)], []],
            size: 4,
            cut: 4
        ),
        Scenario(
            "evidence that is shown to one",
            [(0, 0, 8), (0, 5, 3)],
            [[.evidence(0, 1)], [.branch(0, 8, head: 8)], []],
            size: 5,
            cut: 5
        ),
        Scenario(
            "evidence of branches that nobody has",
            [(0, 0, 8), (0, 5, 3), (0, 2, 7)],
            [[.evidence(0, 1)], [.branch(2, 9, head: 9)], []],
            size: 5,
            of: 2,
            cut: 5
        ),
        Scenario(
            "a settlement before, between and after the evidence",
            [(0, 0, 8), (0, 5, 3)],
            [
                [.branch(0, 8, head: 8), .evidence(0, 1), .settlement(0, 7, serial: 1)],
                [.branch(1, 8, head: 8), .evidence(0, 1), .settlement(0, 7, serial: 1)],
                [.evidence(0, 1), .settlement(0, 7, serial: 1)],
            ],
            size: 7,
            settled: 7
        ),
        Scenario(
            "a settlement of another branch than is held",
            [(0, 0, 8), (0, 3, 6)],
            [
                [.branch(0, 8, head: 8), .settlement(1, 9, serial: 1)], [.branch(0, 8, head: 8)],
                [.branch(1, 9, head: 9)],
            ],
            size: 9,
            of: 1,
            settled: 9
        ),
        Scenario(
            "two settlements",
            [(0, 0, 8), (0, 5, 4)],
            [
                [.branch(0, 8, head: 8), .settlement(0, 8, serial: 1)],
                [.branch(1, 9, head: 9), .settlement(1, 7, serial: 2)],
                [.settlement(1, 7, serial: 2), .settlement(0, 8, serial: 1)],
            ],
            size: 7,
            of: 1,
            settled: 7
        ),
        Scenario(
            "two settlements with one serial",
            [(0, 0, 8), (0, 5, 4)],
            [
                [.branch(0, 8, head: 8), .settlement(0, 8, serial: 1)],
                [.branch(1, 9, head: 9), .settlement(1, 7, serial: 1)],
                [.settlement(1, 7, serial: 1), .settlement(0, 8, serial: 1)],
            ],
            size: 7,
            of: 1,
            settled: 7
        ),
        Scenario(
            "a settlement larger than anything that exists",
            [(0, 0, 8)],
            [[.branch(0, 5, head: 5), .settlementOfNothing(99, serial: 1)], [.branch(0, 8, head: 8)], []],
            size: 8,
            settled: 99
        ),
        Scenario(
            "a settlement of a history that nobody has, below what is held",
            [(0, 0, 8)],
            [[.branch(0, 8, head: 8)], [.settlementOfNothing(4, serial: 1)], [.branch(0, 3, head: 3)]],
            size: 4,
            settled: 4
        ),
        Scenario(
            "a settlement at size 0",
            [(0, 0, 8), (0, 5, 3)],
            [[.branch(0, 8, head: 8), .settlement(0, 0, serial: 1)], [.branch(1, 8, head: 8)], [.evidence(0, 1)]],
            size: 0,
            settled: 0
        ),
        Scenario(
            "a settlement that another one takes back",
            [(0, 0, 8)],
            [
                [.branch(0, 8, head: 8), .settlement(0, 0, serial: 1)], [.settlement(0, 6, serial: 2)],
                [.branch(0, 8, head: 8)],
            ],
            size: 6,
            settled: 6
        ),
    ]

    @Test(arguments: scenarios) func `Light nodes agree, whatever each hears first`(_ scenario: Scenario) throws {
        try run(scenario) { LightStore() }
    }

    @Test(arguments: scenarios) func `Full nodes agree, whatever each hears first`(_ scenario: Scenario) throws {
        try run(scenario) { FullStore(.memory, network: Device.network) }
    }

    /// The delete stands beyond the cut: what it erased is asked for again, and shown.
    @Test func `A delete that is itself retracted leaves the post where it was`() throws {
        let device = try Device(person: 1)
        let trunk = try (0..<3).map { Payload.post(try Post(salt: .test, text: "\($0)")) }
        let first = ForkedLog(device, [(of: 0, keep: 0, then: trunk)]).branches[0][1].id
        let log = ForkedLog(
            device,
            [
                (of: 0, keep: 0, then: trunk + [.delete(try Delete(entries: [first]))]),
                (of: 0, keep: 3, then: trunk),
            ]
        )
        for order in Self.orders(of: 3) {
            let stores: [any WorldStore] = (0..<3).map { _ in FullStore(.memory, network: Device.network) }
            _ = try stores[order[0]].take(TakeBatch(log.chunk(0, 0..<4, size: 4)))
            _ = try stores[order[1]].take(TakeBatch(log.chunk(1, 0..<6, size: 6)))
            let erased = try #require(stores[order[0]] as? FullStore).open()
            #expect(try erased.text(of: first) == nil)
            var random = SeededRandom(seed: 1)
            let town = ForkedTown(log)
            try town.converge(stores, &random)
            for case let store as FullStore in stores {
                #expect(try store.open().text(of: first) == "1")
                try town.expectFold(of: store.open(), town.items(of: store), "\(order)")
            }
        }
    }

    private func run(_ scenario: Scenario, _ makeStore: () -> any WorldStore) throws {
        let log = try log(of: scenario)
        let town = ForkedTown(log)
        let known = log.known(scenario.branch, Int(scenario.size))
        for order in 0..<6 {
            let stores = (0..<3).map { _ in makeStore() }
            for (node, events) in scenario.heard.enumerated() {
                // Each node in another order than its neighbours.
                for event in Self.orders(of: events.count)[(order + node) % Self.orders(of: events.count).count] {
                    for batch in try batches(events[event], of: log) { _ = try stores[node].take(batch) }
                }
            }
            var random = SeededRandom(seed: UInt64(order))
            try town.converge(stores, &random)
            for store in stores {
                let item = try #require(town.items(of: store).first)
                #expect(item.size == scenario.size && item.root == known.root, "\(order)")
                #expect(item.cut == scenario.cut && item.settled?.size == scenario.settled, "\(order)")
                if let full = store as? FullStore { try town.expectFold(of: full.open(), [item], "\(order)") }
            }
        }
    }

    private func log(of scenario: Scenario) throws -> ForkedLog {
        var number = 0
        return ForkedLog(
            try Device(person: 1),
            try scenario.branches.map { branch in
                let own = try (0..<branch.own).map { _ in
                    number += 1
                    return Payload.post(try Post(salt: .test, text: "\(number)"))
                }
                return (of: branch.of, keep: branch.keep, then: own)
            }
        )
    }

    private func batches(_ event: Event, of log: ForkedLog) throws -> [TakeBatch] {
        let certificate = log.device.certificate
        let settlement = { (known: KnownRoot, serial: UInt64) in
            let signed = try Device.settlement(log.device.person, log.log, known, serial: serial)
            return [TakeBatch(SettlementArrival(signed: signed, certificate: certificate, source: .peer))]
        }
        switch event {
        case .branch(let branch, let count, let head):
            return try [0..<count / 2, count / 2..<count].map { TakeBatch(try log.chunk(branch, $0, size: head)) }
        case .evidence(let first, let second):
            let evidence = try #require(log.evidence(first, second))
            return [TakeBatch(EvidenceArrival(evidence: evidence, certificate: certificate, source: .peer))]
        case .settlement(let branch, let size, let serial): return try settlement(log.known(branch, size), serial)
        case .settlementOfNothing(let size, let serial):
            return try settlement(KnownRoot(size: UInt64(size), root: NetworkID(name: "nothing").raw), serial)
        }
    }

    private static func orders(of count: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return orders(of: count - 1).flatMap { shorter in
            (0..<count).map { place in shorter[..<place] + [count - 1] + shorter[place...] }
        }
    }
}
