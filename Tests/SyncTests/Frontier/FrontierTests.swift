import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// The frontier in memory against the simplest thing that could be one.
struct FrontierTests {
    private func row(
        _ log: UInt64,
        owner: UInt64? = nil,
        size: UInt64,
        number: UInt64,
        time: UInt64 = 0,
        source: NodeID? = nil
    ) -> FrontierRow {
        FrontierRow(
            identity: IdentityID(raw: Author.bytes(owner ?? log, "identity")),
            item: FrontierItem(
                log: LogID(raw: Author.bytes(log, "log")),
                size: size,
                root: Author.bytes(log * 1_000 + size, "root")
            ),
            time: time,
            number: number,
            source: source
        )
    }

    @Test(arguments: [1, 2, 3])
    func `It answers as a list of rows would`(seed: UInt64) {
        var chance = Chance(seed: seed)
        var frontier = Frontier([], number: 0)
        var model: [LogID: FrontierRow] = [:]
        for number in 1...UInt64(3_000) {
            let row = row(chance.next() % 400, size: number, number: number, time: chance.next() % 1_000_000_000)
            frontier.apply(row)
            model[row.log] = row
            if chance.next() % 5 == 0, let gone = model.keys.min() {
                frontier.remove(gone)
                model[gone] = nil
            }
            guard number % 250 == 0 else { continue }
            var sum = FingerprintSum()
            for row in model.values { sum.insert(row.item.id) }
            #expect(frontier.fingerprint == sum.fingerprint, "seed \(seed)")
            let after = chance.next() % number
            let changed = frontier.changed(after: after, limit: .max)
            let expected = model.values.filter { $0.number > after }.sorted { $0.number < $1.number }.map(\.log)
            #expect(changed.logs.map(frontier.id) == expected, "seed \(seed)")
            #expect(changed.through == number)
            var ids: [LogID] = []
            var last: LogID?
            while true {
                let page = frontier.page(after: last, limit: 37)
                ids += page.logs.map(frontier.id)
                last = page.logs.last.map(frontier.id) ?? last
                if page.isLast { break }
            }
            #expect(ids == model.keys.sorted(), "seed \(seed)")
            let newest = frontier.newestFirst(now: 500_000_000).map { model[frontier.id($0)]?.time ?? 0 }
            let clamped = newest.map { min($0 / 1_000, 500_000) }
            #expect(clamped == clamped.sorted(by: >), "seed \(seed)")
        }
        #expect(frontier.count == model.count)
        for row in model.values { #expect(frontier.size(of: row.log) == row.size) }
        #expect(frontier.size(of: LogID(raw: .zero)) == 0)
    }

    @Test(arguments: [11, 12, 13])
    func `A part is what a frontier of its rows alone would be`(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var frontier = Frontier([], number: 0)
        var model: [LogID: FrontierRow] = [:]
        let people = Set((0..<UInt64(60)).map { IdentityID(raw: Author.bytes($0 * 3, "identity")) })
        var part: PartID?
        for number in 1...UInt64(2_000) {
            if number == 500 { part = frontier.open(.identities(people)) }
            let row = row(chance.next() % 200, size: number, number: number, time: chance.next() % 1_000_000_000)
            frontier.apply(row)
            model[row.log] = row
            if chance.next() % 5 == 0, let gone = model.keys.min() {
                frontier.remove(gone)
                model[gone] = nil
            }
            guard number % 250 == 0, number > 500 else { continue }
            let rows = model.values.filter { people.contains($0.identity) }
            var sum = FingerprintSum()
            for row in rows { sum.insert(row.item.id) }
            #expect(frontier.sum(of: part).fingerprint == sum.fingerprint, "seed \(seed)")
            #expect(frontier.tree(of: part).count == rows.count, "seed \(seed)")
            #expect(Set(frontier.newestFirst(now: 0, in: part).map(frontier.id)) == Set(rows.map(\.log)))
            let after = chance.next() % number
            let changed = rows.filter { $0.number > after }.sorted { $0.number < $1.number }
            #expect(frontier.changed(after: after, in: part, limit: .max).logs.map(frontier.id) == changed.map(\.log))
            var paged: [LogID] = []
            var place = after
            while place < number {
                let page = frontier.changed(after: place, in: part, limit: 7)
                #expect(page.through > place, "seed \(seed)")
                paged += page.logs.map(frontier.id)
                place = page.through
            }
            #expect(paged == changed.map(\.log), "seed \(seed)")
            #expect(frontier.number(of: part) >= rows.map(\.number).max() ?? 0 && frontier.number(of: part) <= number)
            #expect(frontier.open(.identities(people)) == part, "the same scope is the same part")
            frontier.close(part)
        }
        frontier.close(part)
        let id = try #require(part)
        #expect(frontier.tree(of: id).count == 0, "what nobody uses is dropped")
        #expect(frontier.open(.everything) == nil)
    }

    @Test(arguments: [21, 22])
    func `A part that is opened at any time has all logs of its people`(seed: UInt64) {
        var chance = Chance(seed: seed)
        var frontier = Frontier([], number: 0)
        var owners: [UInt64: UInt64] = [:]
        for number in 1...UInt64(6_000) {
            let log = chance.next() % 20_000
            frontier.apply(row(log, owner: log % 500, size: number, number: number))
            owners[log] = log % 500
            guard chance.next() % 100 == 0 else { continue }
            let people = Set((0..<chance.next() % 40).map { _ in chance.next() % 600 })
            let part = frontier.open(.identities(Set(people.map { IdentityID(raw: Author.bytes($0, "identity")) })))
            let logs = owners.filter { people.contains($0.value) }.map { LogID(raw: Author.bytes($0.key, "log")) }
            #expect(frontier.tree(of: part).count == logs.count, "seed \(seed)")
            #expect(Set(frontier.newestFirst(now: 0, in: part).map(frontier.id)) == Set(logs), "seed \(seed)")
            frontier.close(part)
        }
    }

    @Test func `A page between two logs costs no new order of all`() {
        var frontier = Frontier([], number: 0)
        var ids: [LogID] = []
        for number in 1...UInt64(3_000) {
            let row = row(number, size: 1, number: number)
            frontier.apply(row)
            ids.append(row.log)
            guard number % 100 == 0 else { continue }
            ids.sort()
            let (after, through) = (ids[ids.count / 4], ids[ids.count / 2])
            for bounds in [
                PageBounds(after: nil, through: nil), PageBounds(after: after, through: nil),
                PageBounds(after: nil, through: through), PageBounds(after: after, through: through),
                PageBounds(after: through, through: after),
            ] {
                let expected = ids.filter { id in
                    bounds.after.map { id > $0 } ?? true && bounds.through.map { id <= $0 } ?? true
                }
                let logs = frontier.logs(within: bounds)
                #expect(logs.map(frontier.id) == expected)
            }
        }
        #expect(frontier.sorted.count == 2_200, "merged in once more than 1,024 had come")
    }

    @Test func `A change that is told late goes to its place`() {
        var frontier = Frontier([], number: 0)
        for number in [1, 2, 4, 5, 3] as [UInt64] { frontier.apply(row(number, size: 1, number: number)) }
        #expect(frontier.changed(after: 0, limit: 10).logs.map { frontier.number($0) } == [1, 2, 3, 4, 5])
        #expect(frontier.number == 5)
    }

    @Test func `A page of changes ends at its last number`() {
        var frontier = Frontier([], number: 0)
        for number in 1...UInt64(10) { frontier.apply(row(number, size: 1, number: number)) }
        let page = frontier.changed(after: 2, limit: 3)
        #expect(page.logs.map { frontier.number($0) } == [3, 4, 5])
        #expect(page.through == 5)
        #expect(frontier.changed(after: 10, limit: 3).through == 10)
    }

    @Test func `What came from a peer is known as that`() {
        let peer = NodeID(raw: Author.bytes(1, "peer"))
        var frontier = Frontier([row(1, size: 1, number: 1, source: peer), row(2, size: 1, number: 2)], number: 2)
        #expect(frontier.isFrom(frontier.peerNumber(peer), 0))
        #expect(!frontier.isFrom(frontier.peerNumber(peer), 1))
        #expect(!frontier.isFrom(frontier.peerNumber(NodeID(raw: .zero)), 0))
        frontier.apply(row(1, size: 2, number: 3))
        #expect(!frontier.isFrom(frontier.peerNumber(peer), 0))
    }

    @Test func `A million logs take a hundred megabytes`() {
        // What one log adds, in the flat arrays, in the order of owners, and in the index at its least favourable load.
        let perLog = 32 + 32 + 4 + 4 + 8 + 8 + 2 + (8 + 4 + 4) + 4 + 3 * 4
        #expect(perLog * 1_000_000 <= 125_000_000)
    }
}
