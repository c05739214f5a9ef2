import Entries
import Simulation
import TestSupport
import Testing

/// The state is a function of the set: 3,000 random histories, each met in other orders, batches and repetitions.
struct FoldPropertyTests {
    @Test func `Order, duplicates, batches and merges leave the same state`() throws {
        var random = SeededRandom.announced()
        for round in 0..<3_000 {
            let history = try FoldHistory(&random)
            let counted = history.counted
            let state = FoldState(counted)

            let again = counted + (0..<counted.count / 2).map { _ in counted[random.below(counted.count)] }
            let other = FoldState(again.shuffled(using: &random))
            #expect(other == state, "round \(round)")
            #expect(history.answers(of: other) == history.answers(of: state), "round \(round)")

            var batches = [FoldState](repeating: FoldState(), count: 1 + random.below(5))
            for one in again.shuffled(using: &random) {
                batches[random.below(batches.count)].insert(one.entry, by: one.identity)
            }
            var merged = FoldState()
            for batch in batches.shuffled(using: &random) { merged.merge(batch) }
            #expect(merged == state, "round \(round)")
            merged.merge(state)
            #expect(merged == state, "round \(round)")
        }
    }

    @Test func `A body that comes late, or never because it was deleted, leaves the same state`() throws {
        var random = SeededRandom.announced()
        for round in 0..<1_000 {
            let counted = try FoldHistory(&random).counted
            let state = FoldState(counted)
            let late = counted.map(\.withheld).shuffled(using: &random) + counted.shuffled(using: &random)
            #expect(FoldState(late) == state, "round \(round)")

            let erased = counted.map { one in
                state.isCovered(one.entry.id, by: one.identity) ? one.withheld : one
            }
            #expect(FoldState(erased.shuffled(using: &random)) == state, "round \(round)")
        }
    }
}
