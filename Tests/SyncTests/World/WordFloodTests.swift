import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Words in the name of an identity that has spent its quota: they hold up nobody's log but its own.
struct WordFloodTests {
    private let town: Town
    private let stranger: Stranger
    /// Devices of one root key, of which each is settled.
    private let spenders: [ForkedWriter]

    init() throws {
        town = try Town(nodes: 1, seed: 912)
        try town.startAll()
        stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        let count = Int(Limits.quotaBurstBytes) / Limits.wordQuotaBytes + 200
        let network = town.network
        spenders = (0..<UInt64(count)).map { number in
            ForkedWriter(author: Author(seed: 5_000, device: number, network: network))
        }
    }

    /// Settles a log of each device with nothing, more of them than the quota allows.
    private func spend() {
        for start in stride(from: 0, to: spenders.count, by: 100) {
            for spender in spenders[start..<min(start + 100, spenders.count)] {
                stranger.send(.changes(spender.saying(settlement: spender.settlement(0, 0).bytes)))
            }
            stranger.run(milliseconds: 50)
        }
        stranger.run(milliseconds: 200)
    }

    private func victim() throws -> (LogID, LightStore) {
        var author = Author(seed: 5_001, network: town.network)
        let store = LightStore()
        _ = try store.append(author.write("mine", at: 1))
        return (author.log, store)
    }

    @Test func `Words in anothers name hold up nobodys log`() throws {
        spend()
        #expect(town.violations(0).isEmpty)
        let (log, store) = try victim()
        let last = try #require(spenders.last)
        let words = Words(
            settlement: last.settlement(0, 0, serial: 2).bytes,
            evidence: nil,
            certificate: last.author.certificate.bytes
        )
        let item = LogSize(log: log, size: 1)
        let lie = HeldLog(item: item, root: Author.bytes(3, "root"), words: words)
        stranger.send(.changes(Changes(logs: [item], number: nil, held: [lie])))
        stranger.run(milliseconds: 200)
        #expect(town.violations(0) == [.badCertificate], "it is looked at, whoever has spent what")
        let honest = Stranger(town.world, seed: 78)
        honest.serve(store)
        honest.greet(Stranger.hello(version: 2))
        honest.send(.changes(Changes(logs: [item], number: 1)))
        honest.run(milliseconds: 1_000)
        #expect(town.stores[0].size(log) == 1)
    }

    @Test func `Words that wait for their quota come through and hold up nothing`() throws {
        spend()
        let machine = try #require(town.world.nodes[0].machine)
        let known = machine.status.logs
        #expect(known < spenders.count, "the quota is spent")
        let late = try #require(spenders.last { machine.standings[$0.log] == nil })
        #expect(!machine.wordQueue.isBusy(late.log))
        // Of what waits the last is kept.
        stranger.send(.changes(late.saying(settlement: late.settlement(0, 0, serial: 9).bytes)))
        for _ in 0..<10 {
            // Who says nothing is taken for dead.
            stranger.send(.credit(1))
            stranger.run(milliseconds: 30_000)
        }
        let after = try #require(town.world.nodes[0].machine)
        #expect(after.status.logs == spenders.count)
        #expect(after.standings[late.log]?.settlement?.serial == 9)
        #expect(after.wordQueue.isIdle)
        #expect(town.violations(0).isEmpty && stranger.isOpen)
    }

    @Test func `What is said of a log is remembered when it was checked`() throws {
        var words = spenders[0].settlement(0, 0).bytes
        words[207] ^= 1
        stranger.send(.changes(spenders[0].saying(settlement: words)))
        // They have come, and nobody has looked at them yet.
        town.world.run(milliseconds: 5)
        var machine = try #require(town.world.nodes[0].machine)
        #expect(machine.wordQueue.isBusy(spenders[0].log))
        #expect(machine.links.values.allSatisfy { $0.heardMarks.isEmpty })
        stranger.run(milliseconds: 300)
        machine = try #require(town.world.nodes[0].machine)
        #expect(machine.links.values.allSatisfy { $0.heardMarks.isEmpty })
        #expect(town.violations(0) == [.badSettlement])
    }
}
