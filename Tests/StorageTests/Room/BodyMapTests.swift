import Entries
import GRDB
import TestSupport
import Testing

@testable import Storage

/// The account of dead bodies is what the table says, whatever happened to it.
@Suite struct BodyMapTests {
    private static let stretchBytes = 200_000

    private func sums(_ map: BodyMap) -> [Int] {
        map.stretches.reduce(into: [0, 0, 0]) { sums, stretch in
            sums[0] += stretch.bytes
            sums[1] += stretch.deadBytes
            sums[2] += stretch.liveRows
        }
    }

    /// As counted from the beginning.
    private func counted(_ rows: BodyRows) throws -> BodyMap {
        var map = BodyMap(stretchBytes: Self.stretchBytes)
        var all = BodyMap.Portion.all
        let isAll = try map.learn(rows, &all)
        #expect(isAll)
        return map
    }

    @Test func `What was noted is what would be counted`() throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        try store.transaction(.replicated) { try BodyIndex.make($0) }
        let devices = try (1...5).map { try Device(person: UInt8($0)) }
        var map = BodyMap(stretchBytes: Self.stretchBytes)
        for round in 0..<80 {
            let device = random.pick(devices)
            let size = device.size
            for _ in 0..<(1 + random.below(60)) {
                let length = random.chance(8) ? random.below(40_000) : random.below(2_000)
                try device.post(String(repeating: "x", count: length), time: UInt64(random.below(1_000)))
            }
            var isErased = false
            if random.chance(4), let erased = device.entries[..<size].randomElement(using: &random) {
                try device.delete(erased.id, time: 1_000)
                isErased = true
            }
            try store.take(device.chunk(size..<device.size))
            try store.transaction(.replicated) { db in
                let rows = try BodyRows(db)
                var isKnown = false
                while !isKnown {
                    var portion = BodyMap.Portion(
                        rows: 1 + random.below(100),
                        bytes: 1 + random.below(99_000),
                        cutBytes: 1 + random.below(9_000)
                    )
                    isKnown = try map.learn(rows, &portion)
                }
                if isErased {
                    var isCounted = false
                    while !isCounted {
                        var portion = BodyMap.Portion(rows: 1 + random.below(100), bytes: .max, cutBytes: .max)
                        isCounted = try map.recount(rows, stretches: 2, &portion)
                    }
                }
                var candidates = try EvictionCandidate.list(
                    .all,
                    EvictionRanking.read(db),
                    now: 1_000_000,
                    limit: 10_000,
                    db
                )[...]
                if random.chance(2) { candidates = candidates.shuffled(using: &random)[...] }
                let dead = try BodyEviction(db).evict(&candidates, bytes: random.below(80_000)).bodies
                try map.note(dead: dead, rows)
                if random.chance(2), let index = map.stretches.indices.randomElement(using: &random) {
                    _ = try map.clear(index, rows, moving: random.pick([2, 30, .max]))
                }
                let price = BodyMap.Price(
                    cost: random.pick([8, 32]),
                    measure: random.chance(2) ? .each : .together
                )
                while let index = map.ripest(price) {
                    _ = try map.clear(index, rows, moving: random.pick([2, 30, .max]))
                }
                #expect(map.ripeBytes(price) == 0)
                var all = BodyMap.Portion.all
                _ = try map.learn(rows, &all)
                let fresh = try counted(rows)
                #expect(sums(map) == sums(fresh), "round \(round)")
                #expect(map.stretches.last?.last == fresh.stretches.last?.last)
            }
        }
        for device in devices {
            let held = try store.bodies((0..<device.size).map { device.place($0) }, byteLimit: .max)
            for (body, entry) in zip(held, device.entries) where body.payload != nil {
                #expect(body.payload == entry.payload)
            }
        }
        #expect(try store.writer.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `Dead bodies are freed in the middle of the table, and no other is moved`() throws {
        let store = try EntryStore.inMemory()
        let devices = try (1...3).map { try Device(person: UInt8($0)) }
        for device in devices {
            for number in 0..<400 { try device.post(String(repeating: "x", count: 1_000), time: UInt64(number)) }
            try store.take(device.chunk())
        }
        try store.transaction(.replicated) { db in
            try BodyIndex.make(db)
            let rows = try BodyRows(db)
            var map = BodyMap(stretchBytes: Self.stretchBytes)
            var portion = BodyMap.Portion.all
            _ = try map.learn(rows, &portion)
            let middle = try #require(try LogTable(db).log(devices[1].log)).number
            let all = try EvictionCandidate.list(.all, EvictionRanking.read(db), now: 1_000, limit: 9_999, db)
            var candidates = all.filter { $0.key.log == middle }[...]
            let before = try FileRoom(db).usedBytes
            let dead = try BodyEviction(db).evict(&candidates, bytes: .max).bodies
            #expect(dead.count == 400)
            try map.note(dead: dead, rows)
            var moved = 0
            while let index = map.ripest(.init(cost: 8, measure: .each)) {
                moved += try map.clear(index, rows, moving: .max).movedBytes
            }
            // At most the others' part of the two stretches in which theirs begin and end.
            #expect(moved <= 2 * Self.stretchBytes)
            let after = try FileRoom(db).usedBytes
            #expect(before - after > 300_000)
        }
    }
}
