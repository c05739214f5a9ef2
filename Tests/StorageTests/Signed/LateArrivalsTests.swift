import Entries
import GRDB
import Synchronization
import Testing

@testable import Storage

/// What an export since a time begins with (`protocol/bundle.md` §2): what was written or came since then.
struct LateArrivalsTests {
    private static let hour: UInt64 = 3_600_000

    /// A clock that stands at a minute until it is set.
    private final class HandClock: Sendable {
        private let minute = Atomic<UInt64>(0)

        var now: UInt64 { minute.load(ordering: .relaxed) * 60_000 }

        func set(hour: UInt64, minute past: UInt64 = 0) { minute.store(hour * 60 + past, ordering: .relaxed) }
    }

    private let clock = HandClock()
    private let store: EntryStore

    init() throws {
        store = try EntryStore(.memory, network: Device.network, creation: .ifAbsent, clock: { [clock] in clock.now })
    }

    /// A device that wrote a post at each of these hours.
    private func device(_ person: UInt8 = 1, wrote hours: [UInt64]) throws -> Device {
        let device = try Device(person: person)
        for hour in hours { try device.post("at \(hour)", time: hour * Self.hour) }
        return device
    }

    private func first(of device: Device, since hour: UInt64, minute: UInt64 = 0) throws -> UInt64? {
        let log = try #require(try store.reader.exportedLogs(after: 0, limit: 99).logs.first { $0.log == device.log })
        return try store.reader.firstEntry(of: log, since: hour * Self.hour + minute * 60_000)
    }

    /// The rows of late arrivals.
    private func rows() throws -> Int {
        try store.writer.read { try Prepared($0, "SELECT count(*) FROM late_arrivals").first { $0.count(0) } ?? 0 }
    }

    @Test func `What comes late is new since it came, and not since later`() throws {
        let device = try device(wrote: [100, 101, 102])
        clock.set(hour: 172, minute: 30)
        try store.take(device.chunk())
        #expect(try first(of: device, since: 170) == 0)
        // The hour counts whole, and the one before: an export may not have seen a transaction that had begun.
        #expect(try first(of: device, since: 172, minute: 59) == 0)
        #expect(try first(of: device, since: 173, minute: 59) == 0)
        #expect(try first(of: device, since: 174) == nil)
        // The next entry comes as it is written: whoever has what came before needs no more.
        try device.post("live", time: 180 * Self.hour)
        clock.set(hour: 180, minute: 1)
        try store.take(device.chunk(3..<4))
        #expect(try first(of: device, since: 175) == 3)
        #expect(try first(of: device, since: 171) == 0)
        #expect(try rows() == 1)
    }

    @Test func `What comes within half an hour is noted nowhere, and found by its time`() throws {
        let device = try device(wrote: [100, 101, 102])
        for place in 0..<3 {
            clock.set(hour: 100 + UInt64(place), minute: 29)
            try store.take(device.chunk(place..<place + 1))
        }
        #expect(try rows() == 0)
        #expect(try first(of: device, since: 101, minute: 30) == 1)
        #expect(try first(of: device, since: 104) == nil)
    }

    @Test func `What waits for its head is new once it counts`() throws {
        let device = try device(wrote: [1, 2, 3, 4])
        clock.set(hour: 10)
        try store.take(device.chunk(0..<2, size: 4))
        #expect(try rows() == 0)
        clock.set(hour: 20)
        try store.take(device.chunk(2..<4, size: 4))
        #expect(try first(of: device, since: 15) == 0)
    }

    @Test func `What fills a gap is new from there on, the entries behind it too`() throws {
        let device = try device(wrote: Array(1...40))
        let whole = try EntryStore.inMemory()
        try whole.take(device.chunk())
        clock.set(hour: 100)
        try store.take(device.chunk(0..<5))
        clock.set(hour: 110)
        try fetch(device.log, .newest(10), from: whole, to: store)
        #expect(try first(of: device, since: 105) == nil)
        clock.set(hour: 120)
        try fetch(device.log, .until(30), from: whole, to: store, at: 5)
        #expect(try store.state().gaps.isEmpty)
        #expect(try first(of: device, since: 115) == 5)
        #expect(try first(of: device, since: 122) == nil)
    }

    @Test func `While the clock stands before an hour that it has shown, what comes counts as of that`() throws {
        let (hazel, rowan) = (try device(1, wrote: [500]), try device(2, wrote: [450]))
        clock.set(hour: 500)
        try store.take(hazel.chunk())
        clock.set(hour: 3)
        try store.take(rowan.chunk())
        #expect(try first(of: rowan, since: 490) == 0)
    }

    @Test func `Of very many late hours the oldest become one, which has too much rather than too little`() throws {
        let device = try device(wrote: Array(repeating: 1, count: 40))
        let day = UInt64(24)
        for place in 0..<40 {
            clock.set(hour: 1_000 + UInt64(place) * day)
            try store.take(device.chunk(place..<place + 1))
        }
        #expect(try rows() == StorageLimits.lateHoursPerLog)
        #expect(try first(of: device, since: 1_000 + 39 * day) == 39)
        #expect(try first(of: device, since: 1_000 + 25 * day) == 25)
        #expect(try first(of: device, since: 1_000 + 24 * day) == 0)
        #expect(try first(of: device, since: 1_000 + 40 * day) == nil)
    }

    @Test func `Own entries of an earlier time are new when they are signed`() throws {
        let device = try Device(person: 1)
        try store.registerOwnLog(device.certificate)
        clock.set(hour: 100)
        let post = Payload.post(try Post(salt: .test, text: "from an archive"))
        let drafts = [EntryStore.Draft(payload: post, time: Self.hour)]
        _ = try store.append(drafts, with: device.key, publication: .cleared)
        #expect(try first(of: device, since: 99) == 0)
        #expect(try first(of: device, since: 102) == nil)
    }

    @Test func `A body that comes after its entry is new with it`() throws {
        let device = try device(wrote: [100, 101, 102])
        clock.set(hour: 102)
        try store.take(device.chunk(withheld: [1]))
        clock.set(hour: 200)
        try store.take(body: try #require(device.entries[1].payload), of: device.place(1))
        #expect(try first(of: device, since: 199) == 1)
        #expect(try first(of: device, since: 202) == nil)
    }
}
