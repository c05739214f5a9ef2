import Entries
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// The file and its log stay under the budget while more comes than fits, and erased words leave no trace in either.
@Suite struct FileBudgetTests {
    private static let mebibyte = 1_048_576
    private static let budget = DiskBudget(bytes: 12 * mebibyte)

    private func size(_ home: TestHome) -> Int {
        ["", "-wal"].reduce(0) { sum, ending in
            let facts = try? FileManager.default.attributesOfItem(atPath: home.path + ending)
            return sum + ((facts?[.size] as? Int) ?? 0)
        }
    }

    /// Posts of some hundred bytes to some ten thousand, about `bytes` of them, in chunks; `body` after each. Each post
    /// is newer than those before.
    private func pour(
        _ bytes: Int,
        from devices: [Device],
        into store: EntryStore,
        _ random: inout SeededRandom,
        word: String = "word",
        then body: () throws -> Void = {}
    ) throws {
        var poured = 0
        var time = devices.reduce(1_000) { max($0, $1.entries.last?.header.time ?? 0) }
        while poured < bytes {
            let device = devices[random.below(devices.count)]
            let start = device.size
            for _ in 0..<(1 + random.below(20)) {
                let length = random.below(8) == 0 ? random.below(60_000) : 100 + random.below(900)
                time += 1
                try device.post("\(word) \(String(repeating: "x", count: length))", time: time)
                poured += length
            }
            try store.take(device.chunk(start..<device.size))
            try body()
        }
    }

    @Test func `The disk stays under the budget while eight times as much comes`() throws {
        let home = try TestHome()
        let store = try home.open()
        try store.keep(within: Self.budget) { 1_000_000 }
        var random = SeededRandom.announced()
        let devices = try (0..<12).map { try Device(person: UInt8($0 + 1)) }
        var highest = 0
        try pour(8 * Self.budget.bytes, from: devices, into: store, &random) {
            highest = max(highest, size(home))
        }
        #expect(highest <= Self.budget.bytes)
        #expect(highest > Self.budget.bytes / 2, "the room is used")
        let use = try store.roomUse()
        #expect(use.evictedBodies > 0)
        #expect(use.usedBytes <= Self.budget.highBytes)
        // Equal frontiers: another store without a budget holds the same.
        let other = try EntryStore.inMemory()
        for device in devices where device.size > 0 { try other.take(device.chunk()) }
        #expect(try store.reader.fingerprint().fingerprint == other.reader.fingerprint().fingerprint)
        let integrity = try store.writer.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(integrity == "ok")
        // What is left are the newest.
        let isHeld = try store.bodies(newestFirst(of: devices), byteLimit: .max).map { $0.payload != nil }
        let held = isHeld.prefix { $0 }
        #expect(held.count > 100)
        #expect(!isHeld.dropFirst(held.count).contains(true), "nothing older than what was evicted")
    }

    /// Short posts of many writers, of any age, lie in pages of many others: what is moved or evicted touches a page of
    /// its own for each.
    @Test func `The disk stays under the budget while short posts of many come`() throws {
        let home = try TestHome()
        let store = try home.open()
        let budget = DiskBudget(bytes: 24 * Self.mebibyte)
        try store.keep(within: budget) { 1_000_000_000 }
        var random = SeededRandom.announced()
        let devices = try (0..<240).map { try Device(person: UInt8($0 + 1)) }
        var posts = 0
        while posts < 90_000 {
            try store.take(shortPosts(900, devices, &random))
            posts += 900
        }
        let highest = try #require(store.keeping.withLock { $0 }).mostBytes
        #expect(highest <= budget.bytes, "\(highest) of \(budget.bytes)")
        #expect(try store.roomUse().evictedBodies > 10_000)
    }

    /// Posts of some hundred bytes, of a device and time each of them at random.
    private func shortPosts(_ count: Int, _ devices: [Device], _ random: inout SeededRandom) throws -> TakeBatch {
        var batch = TakeBatch()
        for _ in 0..<(count / 30) {
            let device = devices[random.below(devices.count)]
            let start = device.size
            for _ in 0..<30 {
                let text = String(repeating: "x", count: 100 + random.below(150))
                try device.post(text, time: UInt64(1_000 + random.below(900_000_000)))
            }
            batch.chunks.append(.init(chunk: try device.chunk(start..<device.size), source: .peer))
        }
        return batch
    }

    /// A person's pager may be such a reader: the log cannot begin anew, and takes what eviction writes.
    @Test func `While somebody reads for long, little is evicted at once`() throws {
        let home = try TestHome()
        let store = try home.open()
        let budget = DiskBudget(bytes: 12 * Self.mebibyte)
        try store.keep(within: budget, pace: BudgetPace(atEase: .seconds(600), pressed: .seconds(600))) {
            1_000_000_000
        }
        var random = SeededRandom.announced()
        let devices = try (0..<60).map { try Device(person: UInt8($0 + 1)) }
        func keeping() throws -> BudgetKeeping { try #require(store.keeping.withLock { $0 }) }
        while try keeping().turns == 0 { try store.take(shortPosts(900, devices, &random)) }
        let reader = try DatabaseQueue(path: home.path)
        try reader.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM entries")
            while store.wal.waiting * 4_096 <= budget.reserveBytes / 2 {
                try store.take(shortPosts(900, devices, &random))
            }
            var turns = try keeping().turns
            for _ in 0..<8 {
                try store.take(shortPosts(900, devices, &random))
                let now = try keeping().turns
                #expect(now - turns <= 1)
                turns = now
            }
            try db.execute(sql: "COMMIT")
        }
        // All that was put off is done then.
        try store.take(shortPosts(30, devices, &random))
        #expect(try store.roomUse().usedBytes <= budget.highBytes)
    }

    @Test func `What a transaction needs is what it writes and what the file grows by, wherever the log begins`() throws
    {
        let home = try TestHome()
        let store = try home.open()
        try store.keep(within: DiskBudget(bytes: StorageLimits.smallestBudgetBytes)) { 1_000_000_000 }
        var random = SeededRandom.announced()
        let devices = try (0..<60).map { try Device(person: UInt8($0 + 1)) }
        try store.take(shortPosts(300, devices, &random))
        var most = 0
        for _ in 0..<4 {
            #expect(try store.writer.writeWithoutTransaction { try store.scrub($0) })
            let before = try store.roomUse().usedBytes
            try store.take(shortPosts(3_000, devices, &random))
            // Frames have a header of 24 bytes, the log one of 32.
            let wal = try FileManager.default.attributesOfItem(atPath: home.path + "-wal")[.size] as? Int
            let written = (try #require(wal) - 32) / 4_120 * 4_096
            most = max(most, written + (try store.roomUse().usedBytes) - before)
            #expect(store.keeping.withLock { $0?.mostNeeded } == most)
        }
        #expect(most > 2 * Self.mebibyte)
    }

    private func newestFirst(of devices: [Device]) -> [BodyPlace] {
        let posts = devices.flatMap { device in
            device.entries.enumerated().map { (time: $1.header.time, place: device.place($0)) }
        }
        return posts.sorted { $0.time > $1.time }.map(\.place)
    }

    @Test func `A file that is too large shrinks when the budget is set`() throws {
        let home = try TestHome()
        let store = try home.open()
        var random = SeededRandom.announced()
        let devices = try (0..<3).map { try Device(person: UInt8($0 + 1)) }
        try pour(20 * Self.mebibyte, from: devices, into: store, &random)
        #expect(size(home) > 20 * Self.mebibyte)
        try store.keep(within: Self.budget) { 1_000_000 }
        #expect(size(home) <= Self.budget.bytes)
        try pour(20 * Self.mebibyte, from: devices, into: store, &random) {
            #expect(size(home) <= Self.budget.bytes)
        }
    }

    @Test func `Own posts stay, however much comes`() throws {
        let home = try TestHome()
        let store = try home.open()
        try store.keep(within: Self.budget) { 1_000_000 }
        var random = SeededRandom.announced()
        let own = try Device(person: 99)
        try store.registerOwnLog(own.certificate)
        let text = String(repeating: "mine ", count: 5_000)
        for number in 0..<40 { try own.post("\(number) \(text)", time: UInt64(number)) }
        try store.take(own.chunk())
        try pour(6 * Self.budget.bytes, from: try [Device(person: 1), Device(person: 2)], into: store, &random)
        let bodies = try store.bodies((0..<40).map { own.place($0) }, byteLimit: .max)
        #expect(bodies.map(\.payload) == own.entries.map(\.payload))
        #expect(size(home) <= Self.budget.bytes)
    }

    @Test func `Words that were erased are nowhere in the file, after whatever was moved`() throws {
        let home = try TestHome()
        let store = try home.open()
        try store.keep(within: Self.budget) { 1_000_000 }
        var random = SeededRandom.announced()
        let word = "Zaunkoenigshoehle"
        let kept = try (0..<4).map { try Device(person: UInt8($0 + 50)) }
        let own = try Device(person: 99)
        try store.registerOwnLog(own.certificate)
        for device in kept { try own.follow(.following, device.identity, time: 1) }
        try store.take(own.chunk())
        // Followed ones among the others: they are moved again and again.
        let strangers = try (0..<4).map { try Device(person: UInt8($0 + 1)) }
        for _ in 0..<20 {
            try pour(60_000, from: kept, into: store, &random, word: word)
            try pour(3 * Self.mebibyte, from: strangers, into: store, &random)
        }
        #expect(try home.contains(word))
        for device in kept where device.size > 0 {
            let size = device.size
            device.write(.delete(try Delete(entries: device.entries.map(\.id))), time: 9_999)
            try store.take(device.chunk(size..<size + 1))
        }
        #expect(try !home.contains(word))
    }

    @Test func `Words that lay among evicted bodies, at any place, are nowhere once they are erased`() throws {
        let home = try TestHome()
        let store = try home.open()
        try store.keep(within: Self.budget) { 1_000_000 }
        var random = SeededRandom.announced()
        let word = "Zaunkoenigshoehle"
        let own = try Device(person: 99)
        try store.registerOwnLog(own.certificate)
        let kept = try (0..<4).map { try Device(person: UInt8($0 + 50)) }
        for device in kept { try own.follow(.following, device.identity, time: 1) }
        try store.take(own.chunk())
        let strangers = try (0..<8).map { try Device(person: UInt8($0 + 1)) }
        var came = 0
        while came < 2 * Self.budget.bytes {
            let isKept = random.chance(12)
            let device = isKept ? random.pick(kept) : random.pick(strangers)
            let start = device.size
            for _ in 0..<(1 + random.below(20)) {
                let length = random.chance(12) ? random.below(20_000) : 500 + random.below(3_000)
                let text = "\(isKept ? word : "word") \(String(repeating: "x", count: length))"
                // What gives way next may be anywhere.
                try device.post(text, time: UInt64(random.below(900_000)))
                came += length
            }
            try store.take(device.chunk(start..<device.size))
        }
        #expect(store.keeping.withLock { $0?.movedBytes ?? 0 } > 0)
        #expect(try store.writer.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        for device in kept {
            let places = (0..<device.size).map { device.place($0) }
            #expect(try store.bodies(places, byteLimit: .max).map(\.payload) == device.entries.map(\.payload))
        }
        #expect(try home.contains(word))
        for device in kept where device.size > 0 {
            let size = device.size
            device.write(.delete(try Delete(entries: device.entries.map(\.id))), time: 999_999)
            try store.take(device.chunk(size..<size + 1))
        }
        #expect(try !home.contains(word))
    }

    @Test func `When nothing may go any more the store grows, and nobody looks again for each transaction`() throws {
        let home = try TestHome()
        let store = try home.open()
        try store.keep(within: DiskBudget(bytes: 2 * Self.mebibyte)) { 1_000_000 }
        let own = try Device(person: 99)
        try store.registerOwnLog(own.certificate)
        for number in 0..<100 {
            try own.post("\(number) \(String(repeating: "y", count: 50_000))", time: UInt64(number))
            try store.take(own.chunk(number..<number + 1))
        }
        #expect(store.keeping.withLock { $0?.order.looks } == 1)
        // Nothing is dead: nothing is moved.
        #expect(store.keeping.withLock { $0?.movedBytes } == 0)
        #expect(size(home) > 100 * 50_000)
        #expect(try store.roomUse().evictedBodies == 0)
    }
}
