import Entries
import Simulation
import Sodium
import Testing

/// What does not come live is seen, though a comparison brings it later.
@Suite struct LiveCheckerTests {
    private let log = LogID(raw: Author.bytes(3, "log"))

    @Test func `A post that is everywhere is right`() {
        #expect(LiveChecker.look(log, of: 1, before: 4, at: [0: 5, 1: 5, 2: 5]) == [])
        #expect(LiveChecker.look(log, of: 1, before: 0, at: [1: 1]) == [])
    }

    @Test func `A node that has not got a post is named`() {
        let found = LiveChecker.look(log, of: 1, before: 4, at: [0: 5, 1: 5, 2: 4, 7: 0])
        #expect(found.map { $0.prefix(7) } == ["node 2 ", "node 7 "], "\(found)")
    }

    @Test func `A writer that cannot write is named`() {
        #expect(LiveChecker.look(log, of: 1, before: 5, at: [0: 5, 1: 5, 2: 5]).count == 1)
        #expect(LiveChecker.look(log, of: 1, before: 0, at: [0: 0, 2: 0]).count == 1)
    }
}
