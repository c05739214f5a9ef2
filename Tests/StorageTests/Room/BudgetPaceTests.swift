import Entries
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// The order in which bodies give way while a store works, and how much of that is done at once.
@Suite struct BudgetPaceTests {
    private static let mebibyte = 1_048_576

    /// Bodies that may give way, as the file has them.
    private struct Body: Comparable {
        let key: Int64
        let isFollowed: Bool
        let time: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.isFollowed ? 1 : 0, left.time, left.key) < (right.isFollowed ? 1 : 0, right.time, right.key)
        }
    }

    private func bodies(_ store: EntryStore, _ own: Device) throws -> [Body] {
        try store.writer.read { db in
            let ranking = try EvictionRanking.read(db)
            return try Prepared(
                db,
                """
                SELECT entries.key, logs.identity, entries.time FROM entries JOIN logs ON logs.number = entries.key >> 32
                WHERE body IS NOT NULL AND flags & 1 = 1 AND logs.identity <> ?
                """
            ).all(ranking.own) { columns in
                Body(
                    key: columns.integer(0),
                    isFollowed: ranking.followed.contains(columns.integer(1)),
                    time: columns.integer(2)
                )
            }
        }
    }

    @Test func `Nothing newer gives way before something older that is there`() throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        try store.keep(within: DiskBudget(bytes: 3 * Self.mebibyte)) { 1_000_000 }
        let own = try Device(person: 99)
        try store.registerOwnLog(own.certificate)
        let devices = try (0..<8).map { try Device(person: UInt8($0 + 1)) }
        var before: [Body] = []
        var rounds = 0
        for number in 0..<400 {
            if number % 40 == 20 {
                let whom = devices[random.below(devices.count)].identity
                try own.follow(random.chance(3) ? .withdrawn : .following, whom, time: UInt64(number))
                try store.take(own.chunk(own.size - 1..<own.size))
                before = try bodies(store, own)
            }
            let device = devices[random.below(devices.count)]
            let size = device.size
            for _ in 0..<(1 + random.below(8)) {
                let text = String(repeating: "x", count: 100 + random.below(12_000))
                // A whole log comes at once, and one is as old as the other.
                try device.post(text, time: UInt64(random.below(900_000)))
            }
            try store.take(device.chunk(size..<device.size))
            let after = try bodies(store, own)
            let kept = Set(after.map(\.key))
            let newestGone = before.filter { !kept.contains($0.key) }.max()
            if let newestGone, let oldest = after.min() {
                rounds += 1
                #expect(newestGone < oldest)
            }
            before = after
        }
        #expect(rounds > 5)
        let use = try store.roomUse()
        #expect(use.usedBytes <= 3 * Self.mebibyte)
        // It does not evict much more than it has to.
        #expect(use.usedBytes > 3 * Self.mebibyte / 2)
    }

    @Test func `Room is made for a while at once, and the rest behind what is written next`() throws {
        let store = try EntryStore.inMemory()
        let budget = DiskBudget(bytes: 8 * Self.mebibyte)
        try store.keep(within: budget, pace: BudgetPace(atEase: .zero, pressed: .zero)) { 1_000_000 }
        let device = try Device(person: 1)
        func post(_ count: Int) throws {
            let text = String(repeating: "y", count: 3_000)
            for _ in 0..<count { try device.post(text, time: UInt64(device.size)) }
            try store.take(device.chunk(device.size - count..<device.size))
        }
        func isFull() throws -> Bool { try store.roomUse().usedBytes > budget.highBytes }
        func turns() -> Int { store.keeping.withLock { $0?.turns } ?? 0 }
        while try !isFull() { try post(16) }
        #expect(turns() == 1)
        while try isFull(), turns() < 50 {
            let before = turns()
            try post(1)
            #expect(turns() == before + 1)
        }
        // A lot in each: more than two are to go, and less than ten.
        #expect((3..<10).contains(turns()))
        #expect(store.keeping.withLock { $0?.order.looks } == 1)
    }

    @Test func `In danger room is made for longer, as long as something may give way`() throws {
        let budget = DiskBudget(bytes: 4 * Self.mebibyte)
        for (pressed, isKept) in [(Duration.seconds(600), true), (.zero, false)] {
            let store = try EntryStore.inMemory()
            try store.keep(within: budget, pace: BudgetPace(atEase: .zero, pressed: pressed)) { 1_000_000 }
            let device = try Device(person: 1)
            var highest = 0
            for number in 0..<40 {
                for _ in 0..<16 { try device.post(String(repeating: "z", count: 20_000), time: UInt64(number)) }
                try store.take(device.chunk(device.size - 16..<device.size))
                highest = max(highest, try store.roomUse().usedBytes)
            }
            #expect((highest <= budget.bytes) == isKept)
        }
    }
}
