import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// The tree against a sorted list.
struct FingerprintTreeTests {
    private func item(_ number: UInt64, seconds: UInt32) -> TimedItem {
        TimedItem(seconds: seconds, log: UInt32(number), id: Author.bytes(number, "item"))
    }

    private func check(_ tree: FingerprintTree, _ model: [TimedItem], _ chance: inout Chance, seed: UInt64) {
        #expect(tree.count == model.count, "seed \(seed)")
        var all = FingerprintSum()
        for item in model { all.insert(item.id) }
        #expect(tree.sum == all, "seed \(seed)")
        for _ in 0..<20 {
            let first = Int(chance.next() % UInt64(model.count + 1))
            let second = Int(chance.next() % UInt64(model.count + 1))
            let places = min(first, second)..<max(first, second)
            var sum = FingerprintSum()
            for item in model[places] { sum.insert(item.id) }
            #expect(tree.sum(of: places) == sum, "seed \(seed)")
            var visited: [TimedItem] = []
            tree.visit(places) { item in
                visited.append(item)
                return true
            }
            #expect(visited == Array(model[places]), "seed \(seed)")
            guard let place = places.first else { continue }
            #expect(tree[place] == model[place], "seed \(seed)")
            #expect(tree.place(of: NegentropyBound(at: model[place])) == place, "seed \(seed)")
            let time = NegentropyBound(timestamp: UInt64(model[place].seconds), length: 0, id: .zero)
            #expect(tree.place(of: time) == model.firstIndex { $0.seconds >= model[place].seconds }, "seed \(seed)")
        }
        #expect(tree.place(of: .end) == model.count)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `It answers as a sorted list would`(seed: UInt64) {
        var chance = Chance(seed: seed)
        // Of few times and of many, from nothing and from a list.
        let times = [3, 1_000, 1 << 30][Int(seed) % 3] as UInt64
        var model = (0..<1_500).map { item($0, seconds: UInt32(chance.next() % times)) }
        var tree = FingerprintTree(seed == 1 ? [] : model)
        if seed == 1 { model = [] }
        model.sort()
        for number in 10_000..<16_000 as Range<UInt64> {
            let isGrowing = (number / 1_500) % 2 == 0
            if chance.next() % 10 < (isGrowing ? 8 : 2) || model.isEmpty {
                let new = item(number, seconds: UInt32(chance.next() % times))
                tree.insert(new)
                model.insert(new, at: model.firstIndex { $0 > new } ?? model.count)
            } else {
                let old = model.remove(at: Int(chance.next() % UInt64(model.count)))
                let isGone = tree.remove(old)
                #expect(isGone, "seed \(seed)")
                let again = tree.remove(old)
                #expect(!again, "seed \(seed)")
            }
            if number % 500 == 0 { check(tree, model, &chance, seed: seed) }
        }
        while let last = model.popLast() {
            let isGone = tree.remove(last)
            #expect(isGone)
        }
        #expect(tree.count == 0 && tree.sum == FingerprintSum())
        #expect(tree.place(of: .end) == 0)
    }

    @Test func `An old place is left for a new one`() {
        // As logs do: each time the oldest goes to the end.
        var chance = Chance(seed: 4)
        var model = (0..<5_000).map { item($0, seconds: UInt32($0)) }
        var tree = FingerprintTree(model)
        for number in 5_000..<20_000 as Range<UInt64> {
            let old = model[Int(number - 5_000)]
            let new = item(number, seconds: UInt32(number))
            let isGone = tree.remove(old)
            #expect(isGone)
            tree.insert(new)
            model.append(new)
        }
        check(tree, Array(model.suffix(5_000)), &chance, seed: 4)
    }

    @Test func `A copy keeps what was`() {
        var chance = Chance(seed: 6)
        let model = (0..<3_000).map { item($0, seconds: UInt32($0 % 700)) }
        var tree = FingerprintTree(model)
        let snapshot = tree
        for number in 3_000..<6_000 as Range<UInt64> {
            tree.insert(item(number, seconds: UInt32(number % 700)))
            let isGone = tree.remove(model[Int(number) - 3_000])
            #expect(isGone)
        }
        check(snapshot, model.sorted(), &chance, seed: 6)
        let now = (3_000..<6_000).map { item($0, seconds: UInt32($0 % 700)) }
        check(tree, now.sorted(), &chance, seed: 6)
    }
}
