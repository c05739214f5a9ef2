import Entries
import GRDB
import Sodium
import TestSupport
import Testing

@testable import Storage

@Suite struct RangesTests {
    private func filled(_ count: Int) throws -> (EntryStore, Device) {
        let device = try Device(person: 1)
        for number in 0..<count { try device.vote(.up, on: EntryID(raw: .zero), time: UInt64(number)) }
        let store = try EntryStore.inMemory()
        if count > 0 { try store.take(device.chunk()) }
        return (store, device)
    }

    private func chunk(_ store: EntryStore, _ device: Device, from start: Int, limit: Int = 1 << 20) throws
        -> UnverifiedChunk?
    {
        let want = RangeWant(log: device.log, from: UInt64(start), certificate: .send)
        guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: limit).first else { return nil }
        return chunk
    }

    @Test func `Every chunk verifies over its prefix`() throws {
        var random = SeededRandom.announced()
        let (_, device) = try filled(1_200)
        let verifier = ChunkVerifier(network: Device.network)
        var cases = 0
        for size in [1, 2, 3, 255, 256, 257, 511, 513, 768, 1_000, 1_023, 1_025, 1_200] {
            let store = try EntryStore.inMemory()
            try store.take(device.chunk(0..<size, size: size))
            for _ in 0..<40 {
                let start = random.below(size)
                // The smallest limit gives one entry.
                let limit = random.chance(3) ? 0 : 2_500 + random.below(60_000)
                let chunk = try #require(try chunk(store, device, from: start, limit: limit))
                let prefix = LogPrefix(certificate: nil, range: device.range(0..<start))
                let verified = try #require(verifier.verify(chunk, over: prefix).verified)
                #expect(verified.start == UInt64(start) && verified.size == UInt64(size))
                #expect(verified.entries == Array(device.entries[start..<Int(verified.end)]))
                #expect(limit > 0 || verified.entries.count == 1)
                cases += 1
            }
        }
        #expect(cases == 520)
    }

    @Test func `A log that cannot be read is lacking and the others are not`() throws {
        let devices = try (1...3).map { try Device(person: $0) }
        let store = try EntryStore.inMemory()
        for device in devices {
            for number in 0..<3 { try device.vote(.up, on: EntryID(raw: .zero), time: UInt64(number)) }
            try store.take(device.chunk())
        }
        let number = try store.writer.read { try LogTable($0).log(devices[1].log)?.number } ?? 0
        let key = EntryKey(log: number, sequence: 1)
        try store.writer.write { try Prepared($0, "DELETE FROM entries WHERE key = ?").run(key) }
        let wants = devices.map { RangeWant(log: $0.log, from: 0, certificate: .send) }
        let answers = try store.ranges(wants, byteLimit: 1 << 20)
        let found = answers.map { if case .chunk(let chunk) = $0 { chunk.count } else { 0 as UInt64 } }
        #expect(found == [3, 0, 3])
        #expect(answers[1] == .lacking(devices[1].log))
        var told: [StorageError] = []
        _ = try store.ranges(wants, byteLimit: 1 << 20) { told.append($0) }
        #expect(told.count == 1)
        // One want after the other fills the limit, as all together do.
        #expect(try store.ranges(wants, byteLimit: 600).count < 3)
    }

    @Test func `Proofs hold while more is pending`() throws {
        let (_, device) = try filled(700)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<600, size: 600), device.chunk(600..<650, size: 700))
        for start in [0, 1, 255, 256, 511, 512, 599] {
            let chunk = try #require(try chunk(store, device, from: start, limit: 0))
            let prefix = LogPrefix(certificate: nil, range: device.range(0..<start))
            let verified = ChunkVerifier(network: Device.network).verify(chunk, over: prefix).verified
            #expect(verified?.size == 600)
        }
        #expect(try chunk(store, device, from: 600) == nil)
        #expect(try store.prefixNodes(of: device.log, end: 600) == device.range(0..<600).nodes)
        #expect(try store.prefixNodes(of: device.log, end: 650) == device.range(0..<650).nodes)
        #expect(try store.prefixNodes(of: device.log, end: 651) == nil)
        #expect(try store.prefixes(of: [device.log])[device.log]?.range == device.range(0..<650))
    }

    @Test func `What SQLite refuses is not taken for a failure that passes`() throws {
        let (store, device) = try filled(0)
        try store.writer.write { db in
            try db.execute(
                sql: "CREATE TRIGGER odd BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'odd'); END"
            )
        }
        try device.vote(.up, on: EntryID(raw: .zero), time: 1)
        #expect(throws: StorageError.unfit("odd")) { try store.take(device.chunk()) }
    }

    @Test func `Prefix nodes are those of every end`() throws {
        let (store, device) = try filled(600)
        for end in stride(from: 0, through: 600, by: 7) {
            #expect(try store.prefixNodes(of: device.log, end: UInt64(end)) == device.range(0..<end).nodes)
        }
    }

    @Test func `What is not held is lacking and the rest is answered`() throws {
        let (store, device) = try filled(10)
        let stranger = try Device(person: 2)
        let wants = [
            RangeWant(log: stranger.log, from: 0, certificate: .send),
            RangeWant(log: device.log, from: 10, certificate: .known),
            RangeWant(log: device.log, from: 4, certificate: .known),
        ]
        let answers = try store.ranges(wants, byteLimit: 1 << 20)
        #expect(answers.count == 3)
        #expect(answers.first == .lacking(stranger.log) && answers.dropFirst().first == .lacking(device.log))
        guard case .chunk(let chunk)? = answers.last else {
            Issue.record("the third want has an answer")
            return
        }
        #expect(chunk.certificate == nil && chunk.count == 6)
    }

    @Test func `Answers end where the limit is reached`() throws {
        let (store, first) = try filled(400)
        let second = try Device(person: 2)
        try second.post("two", time: 1)
        try store.take(second.chunk())
        let wants = [first, second].map { RangeWant(log: $0.log, from: 0, certificate: .send) }
        #expect(try store.ranges(wants, byteLimit: 5_000).count == 1)
        #expect(try store.ranges(wants, byteLimit: 100_000).count == 2)
    }

    @Test func `An entry of every shape comes back as it went`() throws {
        let device = try Device(person: 1)
        device.write(kind: 1, [], time: .max, clock: 0)
        device.write(kind: .max, [1], flags: 255, version: 0, time: 0, clock: .max)
        device.write(kind: 3, [UInt8](repeating: 7, count: 65_536), time: 1 << 63)
        try device.post("withheld", time: 5)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(withheld: [3]))
        let sent = try #require(try chunk(store, device, from: 0))
        #expect(sent == device.unverified(0..<4, size: 4, withheld: [3]))
    }

    @Test func `Bodies are given for entries that count`() throws {
        let device = try Device(person: 1)
        for number in 0..<6 { try device.post("post \(number)", time: UInt64(number)) }
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<4, size: 4, withheld: [2]), device.chunk(4..<5, size: 6))
        let answers = try store.bodies([0, 2, 4, 9].map { device.place($0) }, byteLimit: 1 << 20)
        #expect(answers.map(\.payload) == [device.entries[0].payload, nil, nil, nil])
        #expect(try store.bodies([0, 1].map { device.place($0) }, byteLimit: 10).count == 1)
    }
}
