import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct RequestRoundsTests {
    private let nodes = (0..<3).map { NodeID(raw: Author.bytes($0, "node")) }

    @Test func `A round is over once every ready node that shares the log was asked`() {
        var rounds = RequestRounds(asked: AskedNodes(nodes[0]))
        #expect(!rounds.isOver(ready: [], isShared: { _ in true }), "with nobody there it goes on")
        #expect(!rounds.isOver(ready: nodes, isShared: { _ in true }))
        #expect(!rounds.isOver(ready: nodes, isShared: { $0 != nodes[1] }))
        rounds.asked.note(nodes[2], ready: nodes)
        #expect(rounds.isOver(ready: nodes, isShared: { $0 != nodes[1] }))
        _ = rounds.end(now: 0, base: 8_000)
        #expect(!rounds.isOver(ready: nodes, isShared: { $0 != nodes[1] }), "it is over already")
        rounds.begin()
        #expect(!rounds.isOver(ready: [nodes[0]], isShared: { _ in true }), "nobody was asked in the next one")
    }

    @Test func `The wait between two rounds doubles until it begins anew`() {
        var rounds = RequestRounds()
        var waits: [UInt64] = []
        for _ in 0..<3 {
            waits.append(rounds.end(now: 0, base: 8_000))
            rounds.begin()
        }
        #expect(waits == [8_000, 16_000, 32_000])
        #expect(rounds.count == 3)
        rounds.restart()
        let first = rounds.end(now: 0, base: 8_000)
        #expect(first == 8_000)
        #expect(rounds.due == 8_000)
    }

    @Test func `Only a node that is gone may end the rounds of all`() {
        let before = [nodes[0], nodes[1]]
        #expect(!RequestRounds.mayBeOver(ready: before, before: before))
        #expect(!RequestRounds.mayBeOver(ready: nodes, before: before), "whoever comes was not asked")
        #expect(RequestRounds.mayBeOver(ready: [nodes[0]], before: before))
        #expect(RequestRounds.mayBeOver(ready: before, before: []))
    }
}
