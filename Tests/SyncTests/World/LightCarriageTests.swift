import Entries
import Simulation
import Sodium
import Testing

@Suite struct LightCarriageTests {
    private func authors(_ count: UInt64) -> [Author] {
        (0..<count).map { Author(seed: 1, device: $0, network: NetworkID(name: "campus")) }
    }

    private func take(_ chunks: [VerifiedChunk], into store: LightStore) throws -> TakeReport {
        var batch = TakeBatch()
        batch.chunks = chunks.map { .init(chunk: $0, source: NodeID(raw: .zero)) }
        return try store.take(batch)
    }

    @Test func `Any order leaves the first sixteen logs of an identity`() throws {
        var authors = authors(20)
        let chunks = authors.indices.map { authors[$0].write("\($0)", at: UInt64($0)) }
        let orders = [Array(chunks), chunks.reversed(), Array(chunks[10...] + chunks[..<10])]
        for order in orders {
            let store = LightStore()
            var forgotten: Set<LogID> = []
            for chunk in order { forgotten.formUnion(try take([chunk], into: store).forgotten) }
            #expect(forgotten == Set(authors[16...].map(\.log)))
            let state = try store.begin(.random())
            #expect(Set(state.frontier.map(\.log)) == Set(authors[..<16].map(\.log)))
            #expect(store.stored(authors[19].log) == 0)
        }
    }

    @Test func `The own log is kept and does not count`() throws {
        var authors = authors(17)
        let store = LightStore()
        _ = try store.append(authors[16].write("own", at: 1))
        let chunks = authors.indices.dropLast().map { authors[$0].write("\($0)", at: UInt64($0)) }
        #expect(try take(chunks, into: store).forgotten == [authors[16].log])
        #expect(store.stored(authors[16].log) == 1 && store.size(authors[16].log) == 0)
        #expect(throws: LightStoreError.doesNotFit) { try store.append(authors[16].write("more", at: 2)) }
    }
}
