import Entries
import Foundation
import Testing

@testable import Storage

/// The newest texts of people followed stay, up to their share of the budget, whatever others write.
@Suite struct FollowedShareTests {
    private static let budget = DiskBudget(bytes: 4 << 20)

    /// A person who follows a friend, and strangers: one writes posts, another what may not be erased.
    private struct Scene {
        var store: EntryStore
        let own: Device
        let friend: Device
        let stranger: Device
        let flooder: Device

        init(_ store: EntryStore) throws {
            self.store = store
            own = try Device(person: 1)
            friend = try Device(person: 2)
            stranger = try Device(person: 3)
            flooder = try Device(person: 4)
            try keep()
            try store.registerOwnLog(own.certificate)
            try own.follow(.following, friend.identity, time: 1)
            try store.take(own.chunk())
        }

        func keep() throws {
            try store.keep(within: FollowedShareTests.budget) { 1_000_000 }
        }

        /// Stores posts of a device, each newer than those before.
        func post(_ count: Int, by device: Device, bytes: Int = 50_000) throws {
            for _ in 0..<count {
                try device.post(String(repeating: "x", count: bytes), time: UInt64(100 + device.size))
            }
            try store.take(device.chunk(device.size - count..<device.size))
        }

        func delete(_ entries: ArraySlice<Entry>, by device: Device) throws {
            device.write(.delete(try Delete(entries: entries.map(\.id))), time: UInt64(100 + device.size))
            try store.take(device.chunk(device.size - 1..<device.size))
        }

        /// Stores so many times half a megabyte that never gives way.
        func flood(_ count: Int) throws {
            for _ in 0..<count {
                for _ in 0..<10 { flooder.write(kind: 99, [UInt8](repeating: 1, count: 50_000), flags: 0, time: 1) }
                try store.take(flooder.chunk(flooder.size - 10..<flooder.size))
            }
        }

        /// Which bodies of a device's first entries are here; of all, unless `count` is given.
        func held(_ device: Device, first count: Int? = nil) throws -> [Bool] {
            let places = (0..<(count ?? device.size)).map { device.place($0) }
            return try store.bodies(places, byteLimit: .max).map { $0.payload != nil }
        }
    }

    /// Which of these bodies stay if they are all that there is, and nothing but the share.
    private func newest(_ entries: some BidirectionalCollection<Entry>) -> [Bool] {
        var left = Self.budget.followedBytes
        let isKept = entries.reversed().map { entry in
            left -= max(entry.payload?.count ?? 0, 2_048)
            return left >= 0
        }
        return isKept.reversed()
    }

    @Test(arguments: [(700, 100), (40, 50_000)])
    func `Whatever strangers write that may not be erased, the newest texts of people followed stay`(
        count: Int,
        bytes: Int
    ) throws {
        let scene = try Scene(.inMemory())
        try scene.post(count, by: scene.friend, bytes: bytes)
        try scene.post(10, by: scene.stranger)
        try scene.flood(12)
        let expected = newest(scene.friend.entries)
        #expect(expected.contains(true) && expected.contains(false))
        #expect(try scene.held(scene.friend) == expected)
        #expect(try !scene.held(scene.stranger).contains(true))
        #expect(try scene.store.roomUse().usedBytes > Self.budget.bytes, "nothing else may give way")
    }

    @Test func `What people followed write later stays too, and the oldest beyond their share goes for it`() throws {
        let scene = try Scene(.inMemory())
        try scene.flood(12)
        try scene.post(10, by: scene.friend)
        for _ in 0..<30 {
            try scene.post(1, by: scene.stranger)
            try scene.post(1, by: scene.friend)
            #expect(try scene.held(scene.friend).last == true)
        }
        // With the room that is in use before it is tried again.
        try scene.flood(2)
        let expected = newest(scene.friend.entries)
        #expect(expected.contains(true) && expected.contains(false))
        #expect(try scene.held(scene.friend) == expected)
        #expect(try !scene.held(scene.stranger).contains(true))
    }

    @Test func `Where nobody else needs the room, texts of people followed have more than their share`() throws {
        let scene = try Scene(.inMemory())
        for _ in 0..<20 {
            try scene.post(8, by: scene.friend)
            #expect(try scene.store.roomUse().usedBytes <= Self.budget.bytes)
        }
        let held = try scene.held(scene.friend).count { $0 } * 50_000
        #expect(held > Self.budget.followedBytes * 5 / 4)
    }

    @Test func `Who is not followed any more has no share`() throws {
        let scene = try Scene(.inMemory())
        try scene.post(40, by: scene.friend)
        try scene.flood(12)
        #expect(try scene.held(scene.friend).contains(true))
        try scene.own.follow(.withdrawn, scene.friend.identity, time: 2)
        try scene.store.take(scene.own.chunk(1..<2))
        #expect(try !scene.held(scene.friend).contains(true), "at once, although little came")
    }

    @Test func `After a restart the same texts stay`() throws {
        let home = try TestHome()
        var scene = try Scene(home.open())
        try scene.post(40, by: scene.friend)
        try scene.flood(12)
        try scene.store.close()
        scene.store = try home.open()
        try scene.keep()
        let expected = newest(scene.friend.entries)
        #expect(expected.contains(true) && expected.contains(false))
        #expect(try scene.held(scene.friend) == expected)
        try scene.post(5, by: scene.friend)
        try scene.flood(2)
        #expect(try scene.held(scene.friend) == newest(scene.friend.entries))
    }

    /// Whose bodies were erased is not known when they are: not more go for that, and in the end not fewer.
    @Test func `What writers delete is not counted among what is here`() throws {
        let scene = try Scene(.inMemory())
        try scene.post(36, by: scene.friend)
        // Room is made for these, and the friend's are counted.
        try scene.post(20, by: scene.stranger)
        #expect(try scene.store.roomUse().evictedBodies > 0)
        #expect(try !scene.held(scene.friend).contains(false))
        #expect(try scene.held(scene.stranger).suffix(2) == [true, true])
        try scene.delete(scene.friend.entries[22...], by: scene.friend)
        try scene.delete(scene.stranger.entries[18...], by: scene.stranger)
        try scene.flood(12)
        let expected = newest(scene.friend.entries[..<22])
        #expect(expected.count { $0 } == 20)
        #expect(try scene.held(scene.friend, first: 22) == expected)
    }

    /// At the floor more comes of people followed each time than others erase.
    @Test func `Texts that come between the deletes of others do not gather above the share`() throws {
        let scene = try Scene(.inMemory())
        try scene.post(20, by: scene.friend)
        try scene.flood(12)
        for _ in 0..<60 {
            try scene.post(1, by: scene.stranger, bytes: 40_000)
            try scene.delete(scene.stranger.entries.suffix(1), by: scene.stranger)
            try scene.post(1, by: scene.friend)
            try scene.flood(1)
        }
        let held = try scene.held(scene.friend).count { $0 } * 50_000
        // What came since room was made the last time, which is for less than a flood, is above it too.
        #expect((750_000...Self.budget.followedBytes + Self.budget.lotBytes + 100_000).contains(held), "\(held)")
        #expect(try scene.held(scene.friend).last == true)
    }
}
