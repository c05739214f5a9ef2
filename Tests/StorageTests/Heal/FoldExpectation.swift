import Entries
import Simulation
import Testing

@testable import Storage

extension ForkedTown {
    /// Asks a store for what the oracle makes of its items: the feed, each post, the fingerprint, before and after a
    /// rebuild.
    func expectFold(of store: EntryStore, _ items: [FrontierItem], _ place: Comment) throws {
        let oracle = try oracle(items)
        #expect(try store.feed() == oracle.feed(at: .max, for: nil), place)
        for branch in logs.flatMap(\.branches) {
            for entry in branch { try expect(store, entry.id, oracle, place) }
        }
        var sum = FingerprintSum()
        for item in items { sum.insert(item.id) }
        #expect(try store.reader.fingerprint().fingerprint == sum.fingerprint, place)
        let dump = try store.derivedDump()
        _ = try store.rebuild()
        #expect(try store.derivedDump() == dump, place)
    }

    private func expect(_ store: EntryStore, _ id: EntryID, _ oracle: FoldState, _ place: Comment) throws {
        let row = try store.reader.post(id, reader: nil)
        let view = oracle.post(id)
        #expect((row == nil) == (view == nil), place)
        guard let row, let view else { return }
        let tallies = oracle.tallies(id)
        #expect(row.up == tallies.up && row.down == tallies.down, place)
        #expect(row.author == oracle.profile(row.identity).name, place)
        switch (row.content, view.content) {
        case (.shown(let text), .shown(let expected)): #expect(text.text == expected.text, place)
        case (.deleted, .deleted), (.wanted, .wanted): break
        default: Issue.record("\(row.content) is not \(view.content), \(place)")
        }
    }
}
