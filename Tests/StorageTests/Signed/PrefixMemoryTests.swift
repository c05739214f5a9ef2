import Entries
import GRDB
import Sodium
import Testing

@testable import Storage

@Suite struct PrefixMemoryTests {
    private func prefix(_ device: Device, _ end: Int) -> LogPrefix {
        LogPrefix(certificate: device.certificate, range: device.range(0..<end))
    }

    @Test func `What was asked of a log is known as it is after each commit`() throws {
        let device = try Device(person: 1, votes: 9)
        let store = try EntryStore.inMemory()
        for end in 1...9 {
            try store.take(device.chunk(end - 1..<end, size: end))
            #expect(store.remembered.known(of: [device.log]).prefixes.isEmpty == (end == 1))
            #expect(try store.prefixes(of: [device.log])[device.log] == prefix(device, end))
            #expect(store.remembered.known(of: [device.log]).prefixes == [device.log: prefix(device, end)])
        }
        #expect(try store.prefixes(of: [device.log])[device.log]?.certificate == device.certificate)
    }

    @Test func `Nothing is known of a log that is not here`() throws {
        let device = try Device(person: 1, votes: 1)
        let store = try EntryStore.inMemory()
        #expect(try store.prefixes(of: [device.log]).isEmpty)
        try store.take(device.chunk(0..<1, size: 1))
        #expect(try store.prefixes(of: [device.log])[device.log] == prefix(device, 1))
    }

    @Test func `What was read before a commit is not kept`() throws {
        let device = try Device(person: 1, votes: 2)
        let memory = PrefixMemory()
        let before = memory.known(of: [device.log]).moment
        memory.changed([], gone: [])
        memory.add([device.log: prefix(device, 1)], readSince: before)
        #expect(memory.known(of: [device.log]).prefixes.isEmpty)
        memory.add([device.log: prefix(device, 2)], readSince: memory.known(of: []).moment)
        #expect(memory.known(of: [device.log]).prefixes.count == 1)
        let later = memory.known(of: [device.log]).moment
        memory.forget()
        memory.add([device.log: prefix(device, 2)], readSince: later)
        #expect(memory.known(of: [device.log]).prefixes.isEmpty)
    }

    @Test func `A transaction that is no intake leaves nothing known`() throws {
        let device = try Device(person: 1, votes: 2)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<2, size: 2))
        _ = try store.prefixes(of: [device.log])
        _ = try store.rebuild()
        #expect(store.remembered.known(of: [device.log]).prefixes.isEmpty)
        #expect(try store.prefixes(of: [device.log])[device.log] == prefix(device, 2))
    }

    @Test func `A log that is judged or has a gap is asked of the file`() throws {
        let device = try Device(person: 1, votes: 3)
        let memory = PrefixMemory()
        let plain = prefix(device, 3)
        let known = KnownRoot(size: 2, root: .zero)
        let gap = try #require(LogGap(before: device.range(0..<1), rest: device.range(1..<2)))
        let (certificate, range) = (plain.certificate, plain.range)
        for odd in [
            LogPrefix(certificate: certificate, range: range, cut: known),
            LogPrefix(certificate: certificate, range: range, settled: known),
            LogPrefix(certificate: certificate, range: range, side: range),
            LogPrefix(certificate: certificate, range: range, gap: gap),
        ] {
            memory.add([device.log: odd], readSince: memory.known(of: []).moment)
            #expect(memory.known(of: [device.log]).prefixes.isEmpty)
        }
    }

    @Test func `A log that is settled is known no more`() throws {
        let device = try Device(person: 1, votes: 3)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<3, size: 3))
        _ = try store.prefixes(of: [device.log])
        let known = KnownRoot(size: 3, root: try #require(device.range(0..<3).root))
        let signed = try Device.settlement(1, device.log, known, serial: 1)
        var batch = TakeBatch()
        batch.settlements = [SettlementArrival(signed: signed, certificate: nil, source: nil)]
        _ = try store.take(batch)
        #expect(store.remembered.known(of: [device.log]).prefixes.isEmpty)
        #expect(try store.prefixes(of: [device.log])[device.log]?.settled == known)
    }

    @Test func `A failed transaction leaves nothing known`() throws {
        let device = try Device(person: 1, votes: 2)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<1, size: 1))
        _ = try store.prefixes(of: [device.log])
        try store.writer.write { db in
            try db.execute(
                sql: "CREATE TRIGGER odd BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'odd'); END"
            )
        }
        #expect(throws: StorageError.unfit("odd")) { try store.take(device.chunk(1..<2, size: 2)) }
        #expect(store.remembered.known(of: [device.log]).prefixes.isEmpty)
        #expect(try store.prefixes(of: [device.log])[device.log] == prefix(device, 1))
    }

    @Test func `No more are known than the limit`() throws {
        let device = try Device(person: 1, votes: 1)
        let memory = PrefixMemory()
        var logs: [LogID] = []
        for index in 0..<StorageLimits.rememberedPrefixes + 10 {
            var bytes = [UInt8](repeating: 0, count: 32)
            (bytes[0], bytes[1]) = (UInt8(index & 255), UInt8(index >> 8))
            let log = try #require(LogID(bytes))
            logs.append(log)
            memory.add([log: prefix(device, 1)], readSince: memory.known(of: []).moment)
            #expect(memory.known(of: [log]).prefixes.count == 1)
        }
        #expect(memory.known(of: logs).prefixes.count == 10)
    }
}
