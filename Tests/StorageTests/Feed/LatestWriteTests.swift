import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Who writes with equal clocks, in few logs or many.
@Suite struct LatestWriteTests {
    /// Devices of one person, in the order in which the store meets them, and the number of writes of each.
    private func store(_ devices: [Device], writes: Int, clock: UInt64) throws -> EntryStore {
        let store = try EntryStore.inMemory()
        for device in devices {
            for number in 0..<writes {
                device.write(.profile(try Profile(salt: .test, name: "\(device.log) \(number)")), time: 1, clock: clock)
            }
            try store.take(device.chunk())
        }
        return store
    }

    @Test func `Of equal clocks the greatest log's last write is in force, whichever came first`() throws {
        let devices = try (1...5).map { try Device(person: 1, device: $0) }
        let last = try #require(devices.max { $0.log.raw < $1.log.raw })
        for turn in devices.indices {
            let order = Array(devices[turn...] + devices[..<turn])
            let store = try store(order, writes: 3, clock: 7)
            #expect(try store.reader.person(last.identity)?.name == "\(last.log) 2")
        }
    }

    @Test func `A name is read at the same cost however often it was written with one clock`() throws {
        let device = try Device(person: 1)
        func cost(_ writes: Int) throws -> Int {
            let store = try store([device], writes: writes, clock: 1 << 60)
            return try store.rounds(grain: 10) {
                for _ in 0..<50 { _ = try store.reader.person(device.identity) }
            }
        }
        let (few, many) = (try cost(10), try cost(3_000))
        #expect(many < 2 * few, "\(many) and \(few) rounds")
    }
}
