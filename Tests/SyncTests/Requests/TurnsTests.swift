import Testing

@testable import Sync

struct TurnsTests {
    private func drain(_ turns: inout Turns<String>) -> [String] {
        var all: [String] = []
        while let next = turns.popFirst() { all.append(next) }
        return all
    }

    @Test func `One of each identity after the other`() {
        var turns = Turns<String>()
        for number in 0..<4 { turns.add("a\(number)", of: 1, rank: 0) }
        turns.add("b0", of: 2, rank: 0)
        turns.add("b1", of: 2, rank: 0)
        turns.add("c0", of: 3, rank: 0)
        #expect(drain(&turns) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
    }

    @Test func `Within a turn the least rank is first`() {
        var turns = Turns<String>()
        for (owner, rank) in [(1, 5), (2, 3), (3, 9), (4, 3)] as [(UInt64, Int64)] {
            turns.add("\(owner)", of: owner, rank: rank)
        }
        #expect(drain(&turns) == ["2", "4", "1", "3"])
    }

    @Test func `Who comes late waits for one turn`() {
        var turns = Turns<String>()
        for number in 0..<1_000 { turns.add("flood \(number)", of: 1, rank: -1_000) }
        for _ in 0..<100 { _ = turns.popFirst() }
        turns.add("late", of: 2, rank: 0)
        let next = [turns.popFirst(), turns.popFirst()]
        #expect(next.contains("late"))
    }

    @Test func `What was taken out in vain keeps its turn`() {
        var turns = Turns<String>()
        for number in 0..<500 { turns.add("flood \(number)", of: 1, rank: -1_000) }
        let lot = turns.popFirst(256)
        // It comes while the lot is being read, of which only the first could be.
        turns.add("late", of: 2, rank: 0)
        turns.putBack(lot.dropFirst())
        #expect(turns.popFirst() == "late")
        #expect(turns.popFirst() == "flood 1")
        #expect(turns.count == 498)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Nothing is lost and each identity keeps its order`(seed: UInt64) {
        var chance = Chance(seed: seed)
        var turns = Turns<[UInt64]>()
        var added: UInt64 = 0
        var next: [UInt64: UInt64] = [:]
        var popped: UInt64 = 0
        for _ in 0..<20_000 {
            if chance.next() % 5 < 3 {
                let owner = chance.next() % 20 * (chance.next() % 20)
                turns.add([owner, added], of: owner, rank: 0)
                added += 1
            } else if let element = turns.popFirst() {
                popped += 1
                #expect(element[1] >= next[element[0]] ?? 0, "seed \(seed)")
                next[element[0]] = element[1] + 1
            }
        }
        #expect(turns.count == Int(added - popped), "seed \(seed)")
    }
}
