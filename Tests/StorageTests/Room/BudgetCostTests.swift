import Entries
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// What a budget costs depends on what comes in, not on what is there.
@Suite struct BudgetCostTests {
    private static let budget = DiskBudget(bytes: 8 * 1_048_576)

    /// Where a body lies.
    private struct Place {
        let number: Int64
        let bytes: Int
    }

    private func places(_ store: EntryStore) throws -> [Int64: Place] {
        try store.writer.read { db in
            let bodies = "SELECT key, number, length(payload) FROM entries JOIN bodies ON number = body"
            let rows = try Prepared(db, bodies).all { columns in
                (columns.integer(0), Place(number: columns.integer(1), bytes: columns.count(2)))
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// Bytes of the bodies that lie somewhere else than before.
    private func moved(_ before: [Int64: Place], _ after: [Int64: Place]) -> Int {
        before.reduce(0) { sum, body in
            guard let place = after[body.key], place.number != body.value.number else { return sum }
            return sum + body.value.bytes
        }
    }

    /// Stores `count` posts of one device, none so long that a part of it lies in pages of its own.
    private func take(
        _ count: Int,
        from device: Device,
        into store: EntryStore,
        _ random: inout SeededRandom,
        time: (inout SeededRandom) -> UInt64
    ) throws -> Int {
        var bytes = 0
        for _ in 0..<count {
            let length = 3_000 + random.below(900)
            try device.post(String(repeating: "x", count: length), time: time(&random))
            bytes += length
        }
        try store.take(device.chunk(device.size - count..<device.size))
        return bytes
    }

    @Test(arguments: [BudgetPace.standard, BudgetPace(atEase: .zero, pressed: .zero)])
    func `Posts older than all that come last give way alone, and nothing else is moved`(pace: BudgetPace) throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        try store.keep(within: Self.budget, pace: pace) { 10_000_000 }
        let others = try (0..<6).map { try Device(person: UInt8($0 + 1)) }
        let strangers = try (0..<3).map { try Device(person: UInt8($0 + 11)) }
        var time: UInt64 = 1_000_000
        while try store.roomUse().usedBytes < Self.budget.lowBytes - 1_600_000 {
            _ = try take(8, from: random.pick(others), into: store, &random) { _ in
                time += 1
                return time
            }
        }
        let before = try places(store)
        #expect(before.count > 500)
        var came = 0
        time = 0
        while came < 6_000_000 {
            came += try take(18, from: random.pick(strangers), into: store, &random) { _ in
                time += 1
                return time
            }
        }
        let after = try places(store)
        let use = try store.roomUse()
        #expect(use.evictedBodies > 900)
        #expect(use.usedBytes <= Self.budget.bytes)
        #expect(before.keys.allSatisfy { after[$0] != nil }, "not more was evicted than had to be")
        // Those that share a stretch with the first strangers' posts.
        #expect(moved(before, after) <= 400_000)
    }

    @Test func `However what gives way lies, not more is moved than twice what came`() throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        try store.keep(within: Self.budget) { 10_000_000 }
        let devices = try (0..<8).map { try Device(person: UInt8($0 + 1)) }
        var (came, moved, turns) = (0, 0, 0)
        var before: [Int64: Place] = [:]
        while came < 2 * Self.budget.bytes {
            came += try take(8, from: random.pick(devices), into: store, &random) { UInt64($0.below(1_000_000)) }
            let now = store.keeping.withLock { $0?.turns } ?? 0
            guard now != turns else { continue }
            turns = now
            let after = try places(store)
            moved += self.moved(before, after)
            before = after
        }
        #expect(turns > 20)
        #expect(moved > 0)
        #expect(moved <= 2 * came)
        #expect(try store.roomUse().usedBytes <= Self.budget.bytes)
    }

    /// Bytes of the bodies that are here.
    private func held(_ store: EntryStore) throws -> Int {
        try places(store).values.reduce(0) { $0 + $1.bytes }
    }

    @Test func `Where whole logs come, each with times from all over, not much more gives way than has to`() throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        let budget = DiskBudget(bytes: 24 * 1_048_576)
        try store.keep(within: budget) { 10_000_000 }
        let devices = try (0..<60).map { try Device(person: UInt8($0 + 1)) }
        var came = 0
        for device in devices {
            for _ in 0..<8 {
                let before = came
                came += try take(40, from: device, into: store, &random) { UInt64($0.below(1_000_000)) }
                guard before > budget.bytes else { continue }
                // One such post fills six sevenths of its page; the rest of the other half is what is dead, and the
                // entries.
                #expect(try held(store) > budget.lowBytes / 2)
                #expect(store.keeping.withLock { $0?.deadBytes ?? .max } <= budget.deadBytes)
                #expect(try store.roomUse().usedBytes <= budget.bytes)
            }
        }
        #expect(came > 2 * budget.bytes)
    }
}
