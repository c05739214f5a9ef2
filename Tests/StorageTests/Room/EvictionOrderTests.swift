import Entries
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// What was found out about what gives way next, and is used later: the store changes meanwhile.
@Suite struct EvictionOrderTests {
    private static let now: UInt64 = 1_000_000

    private func list(_ store: EntryStore) throws -> [EvictionCandidate] {
        try store.writer.read { db in
            try EvictionCandidate.list(.all, EvictionRanking.read(db), now: Self.now, limit: 99, db)
        }
    }

    private func evict(_ listed: [EvictionCandidate], _ store: EntryStore) throws {
        var rest = listed[...]
        _ = try store.transaction(.replicated) { try BodyEviction($0).evict(&rest, bytes: .max) }
    }

    private func bodies(_ store: EntryStore, _ device: Device) throws -> [Bool] {
        try store.bodies((0..<device.size).map { device.place($0) }, byteLimit: .max).map { $0.payload != nil }
    }

    @Test(arguments: ["profile", "post"])
    func `An entry that has the place of one listed, in a log of the same number, stays`(kind: String) throws {
        let store = try EntryStore.inMemory()
        let devices = try (1...17).map { try Device(person: 1, device: UInt8($0)) }
        for device in devices {
            try device.post("one", time: 10)
            try device.post("two", time: 11)
        }
        // The lowest serial has a place first and counts last: the highest, with the highest number, is forgotten for
        // it.
        try store.take(devices[0].chunk(0..<1, size: 2))
        for device in devices.dropFirst() { try store.take(device.chunk()) }
        let last = try #require(try list(store).last)
        #expect(last.time == 11)
        let listed = try list(store).filter { $0.key.log == last.key.log }
        let report = try store.take(devices[0].chunk(1..<2))
        #expect(report.forgotten == [devices[16].log])
        let other = try Device(person: 2)
        switch kind {
        case "profile": try other.name("Somebody", time: 10)
        default: try other.post("newer", time: 20)
        }
        try store.take(other.chunk())
        let number = try store.writer.read { try LogTable($0).log(other.log)?.number }
        #expect(number == last.key.log, "the number is used again")
        try evict(listed, store)
        #expect(try bodies(store, other) == [true])
    }

    @Test func `Whoever is followed since, or is oneself, loses nothing before others`() throws {
        let store = try EntryStore.inMemory()
        let (own, friend, stranger) = (try Device(person: 1), try Device(person: 2), try Device(person: 3))
        for device in [own, friend, stranger] {
            try device.post("text", time: 1)
            try store.take(device.chunk())
        }
        let listed = try list(store)
        #expect(listed.count == 3)
        try store.registerOwnLog(own.certificate)
        try own.follow(.following, friend.identity, time: 2)
        try store.take(own.chunk(1..<2))
        try evict(listed, store)
        #expect(try bodies(store, own) == [true, true])
        #expect(try bodies(store, friend) == [true])
        #expect(try bodies(store, stranger) == [false])
    }

    @Test func `Who is followed, or not any more, since the list was made has another place in it`() throws {
        let store = try EntryStore.inMemory()
        let (own, friend, stranger) = (try Device(person: 1), try Device(person: 2), try Device(person: 3))
        try store.registerOwnLog(own.certificate)
        for (place, device) in [friend, stranger].enumerated() {
            try device.post("text", time: UInt64(1 + place))
            try store.take(device.chunk())
        }
        try store.transaction(.replicated) { try BodyIndex.make($0) }
        var order = EvictionOrder()
        func first() throws -> UInt64? {
            try store.writer.read { db in
                try order.refresh(db, now: Self.now)
                try order.refill(db, now: Self.now)
                #expect(!order.isListing)
            }
            return order.candidates.first?.time
        }
        #expect(try first() == 1)
        try own.follow(.following, friend.identity, time: 3)
        try store.take(own.chunk())
        #expect(try first() == 2)
        try own.follow(.withdrawn, friend.identity, time: 4)
        try store.take(own.chunk(1..<2))
        #expect(try first() == 1)
    }

    /// The list is short: its end moves, is cut off, and is listed again.
    @Test(arguments: [3, 7, 1_000])
    func `What is kept from one time to the next is what a new list would be`(limit: Int) throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        try store.transaction(.replicated) { try BodyIndex.make($0) }
        let devices = try (1...5).map { try Device(person: UInt8($0)) }
        var order = EvictionOrder()
        for _ in 0..<120 {
            let device = devices[random.below(devices.count)]
            let size = device.size
            for _ in 0..<(1 + random.below(4)) {
                try device.post("text", time: UInt64(random.below(1_000)))
            }
            try store.take(device.chunk(size..<device.size))
            try store.transaction(.replicated) { db in
                try order.refresh(db, now: Self.now, limit: limit)
                for _ in 0..<random.below(6) {
                    // What comes while it is listed, in a few portions, is in its place too.
                    try order.refill(db, now: Self.now, limit: limit, portion: 100)
                    guard !order.isListing else { continue }
                    let ranking = try EvictionRanking.read(db)
                    let fresh = try EvictionCandidate.list(.all, ranking, now: Self.now, limit: limit, db)
                    #expect(Array(order.candidates.prefix(fresh.count)) == Array(fresh.prefix(order.candidates.count)))
                    #expect(order.candidates.isEmpty == fresh.isEmpty)
                    _ = try order.evict(db, bytes: 1)
                }
            }
        }
        if limit == 1_000 { #expect(order.looks == 1) }
    }

    /// Bytes of the bodies of people followed, each as eviction counts it.
    private func followedBytes(_ db: Database) throws -> Int {
        let followed = try EvictionRanking.read(db).followed
        let bodies = """
            SELECT logs.identity, length(payload) FROM entries
            JOIN bodies ON bodies.number = body JOIN logs ON logs.number = entries.key >> 32
            """
        return try Prepared(db, bodies).all { (identity: $0.integer(0), bytes: $0.count(1)) }
            .reduce(0) { followed.contains($1.identity) ? $0 + max($1.bytes, 2_048) : $0 }
    }

    /// Listed in many portions, while more comes before and behind what is scanned.
    @Test func `What people followed take is known as a new count would have it`() throws {
        var random = SeededRandom.announced()
        let store = try EntryStore.inMemory()
        try store.transaction(.replicated) { try BodyIndex.make($0) }
        let own = try Device(person: 99)
        try store.registerOwnLog(own.certificate)
        let devices = try (1...5).map { try Device(person: UInt8($0)) }
        var order = EvictionOrder()
        var counts = 0
        for number in 0..<150 {
            if number % 30 == 0 {
                // All is listed anew, and at least one is followed.
                let value: Follow.Value = number > 0 && random.chance(3) ? .withdrawn : .following
                try own.follow(value, devices[number / 30].identity, time: UInt64(number))
                try own.follow(.following, devices[4 - number / 30].identity, time: UInt64(number + 1))
                try store.take(own.chunk(own.size - 2..<own.size))
            }
            let device = random.pick(devices)
            let size = device.size
            for _ in 0..<(1 + random.below(4)) {
                let text = String(repeating: "x", count: 1 + random.below(6_000))
                try device.post(text, time: UInt64(random.below(1_000)))
            }
            try store.take(device.chunk(size..<device.size))
            try store.transaction(.replicated) { db in
                try order.refresh(db, now: Self.now)
                for _ in 0..<(1 + random.below(2)) {
                    try order.refill(db, now: Self.now, portion: 40)
                    _ = try order.evict(db, bytes: 1)
                }
                guard !order.isListing else { return }
                let bytes = try followedBytes(db)
                #expect(order.share.mostHeld == bytes)
                if bytes > 0 { counts += 1 }
            }
        }
        #expect(order.looks > 1 && counts > 30)
    }
}
