import Entries
import GRDB
import Sodium
import Testing

@testable import Storage

/// What a disk changes in what was signed is found, and a rebuild drops it.
@Suite struct LogExaminationTests {
    /// A device with so many posts.
    private func writer(_ count: Int, person: UInt8 = 1) throws -> Device {
        let device = try Device(person: person)
        for number in 0..<count { try device.post("post \(number)", time: UInt64(1_000 + number)) }
        return device
    }

    private func settling(_ device: Device, at size: Int, from source: NodeID? = .peer) throws -> TakeBatch {
        let known = KnownRoot(size: UInt64(size), root: device.range(0..<size).root ?? .zero)
        let signed = try Device.settlement(device.person, device.log, known, serial: 5)
        return TakeBatch(SettlementArrival(signed: signed, certificate: nil, source: source))
    }

    /// One bit of a blob, as a failing disk changes it.
    struct Flip: Sendable {
        let column: String
        let table: String
        let place: String

        func make(in store: EntryStore) throws {
            try store.writer.writeWithoutTransaction { db in
                let found = try Prepared(db, "SELECT \(column) FROM \(table) WHERE \(place)").first { $0.bytes(0) }
                var bytes = try #require(found)
                bytes[5] ^= 1
                try Prepared(db, "UPDATE \(table) SET \(column) = ? WHERE \(place)").run(bytes)
            }
        }

        static func payload(_ number: Int) -> Flip {
            Flip(column: "payload", table: "bodies", place: "number = \(number)")
        }
    }

    @Test(
        arguments: [
            (Flip.payload(301), 256),
            (Flip(column: "head_signature", table: "logs", place: "number = 1"), 0),
            (Flip(column: "head_root", table: "logs", place: "number = 1"), 0),
            (Flip(column: "certificate", table: "logs", place: "number = 1"), 0),
            (Flip(column: "hash", table: "nodes", place: "level = 8 AND place = 1"), 256),
            (Flip(column: "tip", table: "logs", place: "number = 1"), 600),
        ] as [(Flip, UInt64)]
    )
    func `One bit is found, with the first entry that may be damaged`(flip: Flip, first: UInt64) throws {
        let (device, other) = (try writer(600), try writer(3, person: 2))
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        try store.take(other.chunk())
        try flip.make(in: store)
        let found = try store.reader.examineLogs()
        #expect(found.damaged == [DamagedLog(log: device.log, first: first, writer: .other)], "\(flip)")
        #expect(found.entries == 3 && found.reach == .everything)
        #expect(try !store.reader.isAsSigned(device.log) && store.reader.isAsSigned(other.log))
    }

    @Test(arguments: ["time = time + 1", "kind = 99", "clock_ahead = 1", "flags = 0", "version = 3", "body = 1"])
    func `A changed header is found`(change: String) throws {
        let device = try writer(600)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        try store.writer.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE entries SET \(change) WHERE (key & 4294967295) = 300")
        }
        let found = try store.reader.examineLogs()
        #expect(found.damaged == [DamagedLog(log: device.log, first: 256, writer: .other)])
    }

    @Test func `The hash of a text that is not here, and a settlement, are compared too`() throws {
        let device = try writer(10)
        for flip in [
            Flip(column: "hash", table: "entries", place: "hash IS NOT NULL"),
            Flip(column: "settlement", table: "verdicts", place: "1"),
        ] {
            let store = try EntryStore.inMemory()
            try store.take(device.chunk(withheld: [4]))
            _ = try store.take(settling(device, at: 6))
            #expect(try store.reader.examineLogs().damaged.isEmpty)
            try flip.make(in: store)
            #expect(try store.reader.examineLogs().damaged.map(\.log) == [device.log], "\(flip)")
        }
    }

    @Test func `Nothing is found where texts, entries or proofs are only missing`() throws {
        let store = try EntryStore.inMemory()
        let plain = try writer(600)
        try plain.delete(plain.entries[3].id, time: 2_000)
        try store.take(plain.chunk(withheld: [5, 300]))
        // A gap of which the beginning has come.
        let (long, whole) = (try writer(1_400, person: 2), try EntryStore.inMemory())
        try whole.take(long.chunk())
        try fetch(long.log, .newest(100), from: whole, to: store)
        try fetch(long.log, .until(1_300), from: whole, to: store, at: 0, byteLimit: 9_000)
        #expect(try store.state().gaps.count == 1)
        let settled = try writer(10, person: 3)
        try store.take(settled.chunk())
        _ = try store.take(settling(settled, at: 6))
        let posts = try (0..<20).map { Payload.post(try Post(salt: .test, text: "post \($0)")) }
        let branches = [(of: 0, keep: 0, then: posts), (of: 0, keep: 15, then: Array(posts[..<5]))]
        let forked = ForkedLog(try Device(person: 4), branches)
        try store.take(forked.chunk(0, 0..<20, size: 20))
        let evidence = try #require(forked.evidence(0, 1))
        let accusation = EvidenceArrival(evidence: evidence, certificate: forked.device.certificate, source: .peer)
        _ = try store.take(TakeBatch(accusation))
        let pending = try writer(10, person: 5)
        try store.take(pending.chunk(0..<4, size: 10))
        let found = try store.reader.examineLogs()
        #expect(found.damaged.isEmpty && found.reach == .everything && found.entries > 735)
        let report = try store.rebuild()
        #expect(report.droppedLogs == 0 && !report.isOwnLogDamaged)
    }

    @Test func `Where the time is over it says how much it has looked at`() throws {
        let store = try EntryStore.inMemory()
        try store.take(writer(3).chunk())
        try store.take(writer(4, person: 2).chunk())
        try Flip.payload(5).make(in: store)
        var asked = 0
        let found = try store.reader.examineLogs {
            asked += 1
            return asked > 1
        }
        #expect(found.entries == 3 && found.reach == .first && found.damaged.isEmpty)
    }

    @Test func `The logs of the home's person are looked at first, and where all was looked at that is said`() throws {
        let store = try EntryStore.inMemory()
        try store.take(writer(3).chunk())
        let own = try writer(2, person: 2)
        try store.registerOwnLog(own.certificate)
        try store.take(own.chunk())
        let cases: [(times: Int, entries: UInt64, reach: Examination.Reach)] = [
            (0, 0, .first), (1, 2, .first), (2, 5, .everything),
        ]
        for (times, entries, reach) in cases {
            var asked = 0
            let found = try store.reader.examineLogs {
                asked += 1
                return asked > times
            }
            #expect(found.entries == entries && found.reach == reach, "\(times)")
        }
    }

    @Test func `A damaged log is dropped by a rebuild, and taken again as it was`() throws {
        let (device, other) = (try writer(300), try writer(3, person: 2))
        let sound = try EntryStore.inMemory()
        try sound.take(device.chunk(), other.chunk())
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(), other.chunk())
        var batch = TakeBatch()
        batch.cursors = [.init(peer: .peer, cursor: Cursor(store: sound.storeID, number: 2))]
        _ = try store.take(batch)
        #expect(try store.state().cursors.count == 1)
        try Flip.payload(7).make(in: store)
        let report = try store.rebuild()
        #expect(report.droppedLogs == 1 && report.logs == 1 && report.posts == 3)
        let state = try store.state()
        #expect(state.cursors.isEmpty, "by a cursor no peer would name the log again")
        #expect(state.frontier.map(\.log) == [other.log] && state.wantedBodies.isEmpty)
        #expect(try store.reader.examineLogs().damaged.isEmpty)
        try store.take(device.chunk())
        #expect(try store.derivedDump() == sound.derivedDump())
        #expect(try store.reader.fingerprint() == sound.reader.fingerprint())
        #expect(try store.rebuild().droppedLogs == 0)
    }

    @Test func `A row that names somebody else's text takes it from nobody`() throws {
        let (device, other) = (try writer(3), try writer(3, person: 2))
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        try store.take(other.chunk())
        try store.writer.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE entries SET body = 5 WHERE body = 1")
        }
        #expect(try store.rebuild().droppedLogs == 1)
        #expect(try store.reader.examineLogs().damaged.isEmpty)
        #expect(try store.feed() == other.entries.map(\.id).reversed())
    }

    @Test func `The settlement of a damaged log stays, and what it lets count comes again`() throws {
        let device = try writer(10)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        _ = try store.take(settling(device, at: 6))
        let before = try store.reader.fingerprint()
        try Flip.payload(2).make(in: store)
        #expect(try store.rebuild().droppedLogs == 1)
        let items = try store.state().frontier.map(\.item)
        #expect(items.map(\.size) == [0] && items.map(\.settled?.size) == [6])
        try store.take(device.chunk())
        #expect(try store.reader.fingerprint() == before && store.feed().count == 6)
    }

    @Test func `The own log is told and never dropped`() throws {
        let device = try writer(3)
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(device.certificate)
        try store.take(device.chunk())
        try Flip.payload(2).make(in: store)
        let found = try store.reader.examineLogs()
        #expect(found.isOwnLogDamaged && found.ofOthers == 0)
        let report = try store.rebuild()
        #expect(report.isOwnLogDamaged && report.droppedLogs == 0 && report.entries == 3)
    }

    /// What a peer sent of it, a peer has.
    @Test(arguments: [true, false])
    func `A former own log is dropped only if somebody else sent it here`(isSent: Bool) throws {
        let (old, new) = (try writer(isSent ? 3 : 0), try Device(person: 1, device: 2))
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(old.certificate)
        if isSent {
            try store.take(old.chunk())
        } else {
            for number in 0..<3 {
                let post = Payload.post(try Post(salt: .test, text: "post \(number)"))
                _ = try store.append(post, with: old.key, at: 10, publication: .held)
            }
        }
        let facts = HomeFacts(machine: "m", fileSystem: "f", inode: 1, birth: 2)
        _ = try store.replaceOwnLog(new.certificate, with: new.key, facts: facts, at: 20)
        try Flip.payload(2).make(in: store)
        let found = try store.reader.examineLogs()
        #expect(found.damaged == [DamagedLog(log: old.log, first: 0, writer: isSent ? .other : .own)])
        let report = try store.rebuild()
        #expect(report.isOwnLogDamaged == !isSent && report.droppedLogs == (isSent ? 1 : 0))
        #expect(report.entries == (isSent ? 0 : 3))
    }

    @Test func `A log that was cut off here stays somebody else's`() throws {
        let (laptop, own) = (try writer(3), try Device(person: 1, device: 2))
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(own.certificate)
        try store.take(laptop.chunk())
        _ = try store.take(settling(laptop, at: 3, from: nil))
        try Flip.payload(2).make(in: store)
        #expect(try store.reader.examineLogs().damaged == [DamagedLog(log: laptop.log, first: 0, writer: .other)])
        #expect(try store.rebuild().droppedLogs == 1)
    }
}
