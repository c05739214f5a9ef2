import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Whoever votes chooses the ids that the votes point to.
@Suite struct TargetCostTests {
    /// Rounds of the database's virtual machine, in thousands, while votes on these ids are stored.
    private func cost(of targets: [EntryID]) throws -> Int {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        for start in stride(from: 0, to: targets.count, by: 1_000) {
            let choices = targets[start..<start + 1_000].map { Vote.Choice(post: $0, value: .up) }
            device.write(.vote(try Vote(choices: choices)), time: 1)
        }
        let rounds = try store.rounds { try store.take(device.chunk()) }
        #expect(try store.state().frontier.map(\.item.size) == [UInt64(targets.count / 1_000)])
        return rounds
    }

    @Test func `Ids that begin alike cost no more than others`() throws {
        var random = SeededRandom.announced()
        let start = random.bytes(31)
        let others = (0..<6_000).map { _ in EntryID(raw: random.bytes32()) }
        let alike = try others.map { id in EntryID(raw: try #require(Bytes32(start[..<24] + id.raw.bytes.suffix(8)))) }
        let (usual, chosen) = (try cost(of: others), try cost(of: alike))
        #expect(chosen < 2 * usual, "\(chosen) and \(usual) thousand rounds")
    }
}
