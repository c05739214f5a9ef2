import Entries
import Sodium
import Testing

@testable import Storage

/// What root keys and forks say, also where it makes no sense.
@Suite struct WordsTests {
    private static let words = "Haselmausnest"

    private func writer(_ count: Int = 8, device: UInt8 = 1, serial: UInt64? = nil) throws -> Device {
        let writer = try Device(person: 1, device: device, serial: serial)
        for number in 0..<count { try writer.post("\(Self.words) \(device) \(number)", time: UInt64(number)) }
        return writer
    }

    private func known(_ device: Device, _ size: Int) -> KnownRoot {
        KnownRoot(size: UInt64(size), root: device.range(0..<size).root ?? .zero)
    }

    private func settlement(
        of device: Device,
        at known: KnownRoot,
        serial: UInt64 = 1,
        by person: UInt8 = 1,
        with certificate: SignedCertificate? = nil
    ) throws -> TakeBatch {
        let signed = try Device.settlement(person, device.log, known, serial: serial)
        return TakeBatch(SettlementArrival(signed: signed, certificate: certificate, source: .peer))
    }

    private func end(serial: UInt64 = 1) throws -> TakeBatch {
        TakeBatch(
            SettlementArrival(
                signed: try Device.settlement(1, nil, .nothing, serial: serial),
                certificate: nil,
                source: .peer
            )
        )
    }

    private func refusal(_ store: EntryStore, _ device: Device) throws -> AppendRefusal? {
        do {
            let payload = Payload.post(try Post(salt: .test, text: "more"))
            _ = try store.append(payload, with: device.key, at: 9, publication: .held)
            return nil
        } catch let error as AppendError {
            guard case .refused(let refusal) = error else { throw error }
            return refusal
        }
    }

    // MARK: Settlements

    @Test func `A settlement of a log that never existed has an item and stops nothing`() throws {
        let store = try EntryStore.inMemory()
        let (ghost, writer) = (try writer(), try writer(device: 2))
        #expect(try store.take(settlement(of: ghost, at: known(ghost, 8))).changes.isEmpty)
        #expect(try store.state().standings.isEmpty)
        let report = try store.take(settlement(of: ghost, at: known(ghost, 8), with: ghost.certificate))
        #expect(report.changes.map(\.size) == [0] && report.changes.first?.item.settled?.size == 8)
        #expect(report.standings.map(\.isComplete) == [false])
        try store.take(writer.chunk())
        #expect(try store.feed().count == 8)
        #expect(try store.take(settlement(of: ghost, at: known(ghost, 8), with: ghost.certificate)).changes.isEmpty)
    }

    @Test func `A settlement by another identity than the log's changes nothing`() throws {
        let store = try EntryStore.inMemory()
        let writer = try writer()
        try store.take(writer.chunk())
        let number = try store.state().number
        let foreign = try settlement(of: writer, at: known(writer, 3), by: 2, with: writer.certificate)
        #expect(try store.take(foreign).changes.isEmpty)
        #expect(try store.state().number == number && store.state().standings.isEmpty)
        #expect(try store.feed().count == 8)
    }

    @Test func `A settlement with the certificate of another log is not taken`() throws {
        let store = try EntryStore.inMemory()
        let (writer, other) = (try writer(), try writer(device: 2))
        let batch = try settlement(of: writer, at: known(writer, 3), with: other.certificate)
        #expect(try store.take(batch).changes.isEmpty)
        #expect(try store.state().frontier.isEmpty)
    }

    @Test func `Settling at size 0 hides everything and deletes nothing`() throws {
        let store = try EntryStore.inMemory()
        let writer = try writer()
        try store.take(writer.chunk())
        let report = try store.take(settlement(of: writer, at: .nothing))
        #expect(report.changes.map(\.size) == [0] && report.standings.map(\.isComplete) == [true])
        #expect(try store.feed().isEmpty)
        #expect(try store.prefixes(of: [writer.log])[writer.log]?.range.bounds.upperBound == 8)
        #expect(try store.take(settlement(of: writer, at: known(writer, 5), serial: 2)).changes.map(\.size) == [5])
        #expect(try store.feed().count == 5)
    }

    @Test func `Bodies wanted after many were counted anew are in the order of their identities`() throws {
        let store = try EntryStore.inMemory()
        let writers = try (1...8).map { try Device(person: UInt8($0)) }
        for writer in writers {
            let post = try writer.post("text", time: 1)
            try writer.delete(post, time: 2)
            try store.take(writer.chunk())
        }
        var batch = TakeBatch()
        // The deletes do not count any more.
        batch.settlements = try writers.reversed().map { writer in
            let signed = try Device.settlement(writer.person, writer.log, known(writer, 1), serial: 1)
            return SettlementArrival(signed: signed, certificate: nil, source: .peer)
        }
        let wanted = try store.take(batch).wantedBodies
        #expect(wanted == writers.map { $0.place(0) }, "not in that of a set, which is another in each process")
    }

    @Test func `Of settlements the highest serial counts, then the smaller size`() throws {
        let writer = try writer()
        let words = [(known(writer, 7), UInt64(1)), (known(writer, 3), 2), (known(writer, 5), 2)]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let store = try EntryStore.inMemory()
            try store.take(writer.chunk())
            for place in order {
                _ = try store.take(settlement(of: writer, at: words[place].0, serial: words[place].1))
            }
            #expect(try store.state().frontier.map(\.size) == [3], "\(order)")
            #expect(try store.reader.highestSerial(of: writer.identity) == 2)
        }
    }

    @Test func `Beyond a settlement nothing is taken, and what was there is hidden`() throws {
        let store = try EntryStore.inMemory()
        let writer = try writer()
        try store.take(writer.chunk(0..<4))
        _ = try store.take(settlement(of: writer, at: known(writer, 4)))
        let report = try store.take(writer.chunk(4..<8))
        #expect(report.changes.isEmpty && report.skipped.isEmpty)
        #expect(try store.prefixes(of: [writer.log])[writer.log]?.range.bounds.upperBound == 4)
        #expect(
            try store.ranges([RangeWant(log: writer.log, from: 4, certificate: .known)], byteLimit: 9_999) == [
                .lacking(writer.log)
            ]
        )
        #expect(try store.prefixProof(of: writer.log, end: 5) == nil)
    }

    @Test func `A settled log leaves its place to a seventeenth`() throws {
        let store = try EntryStore.inMemory()
        let devices = try (1...17).map { try writer(1, device: UInt8($0)) }
        for device in devices { try store.take(device.chunk()) }
        #expect(try store.state().frontier.count == 16)
        _ = try store.take(settlement(of: devices[3], at: known(devices[3], 1)))
        #expect(try store.take(devices[16].chunk()).changes.map(\.log) == [devices[16].log])
        #expect(try store.state().frontier.count == 17)
    }

    @Test func `Two certificates with one serial are two logs, in the order of their ids`() throws {
        let pair = [try writer(device: 1, serial: 7), try writer(device: 2, serial: 7)]
        let store = try EntryStore.inMemory()
        for device in pair { try store.take(device.chunk()) }
        #expect(try store.state().frontier.count == 2 && store.feed().count == 16)
        let devices = try store.reader.devices(of: pair[0].identity)
        #expect(devices.map(\.log) == pair.map(\.log).sorted() && devices.map(\.state) == [.writing, .writing])
    }

    // MARK: Evidence

    @Test func `A staircase of evidence goes down a step each, and never up`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(8))]
                + (try (1...7).map { (of: 0, keep: $0, then: try posts(1, from: 50)) })
        )
        let evidence = try (1...7).map { try #require(log.evidence(0, $0)) }
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<8, size: 8))
        for step in evidence.reversed() {
            let batch = TakeBatch(EvidenceArrival(evidence: step, certificate: log.device.certificate, source: .peer))
            #expect(try store.take(batch).changes.map(\.size) == [step.sequence])
            #expect(try store.feed().count == Int(step.sequence))
        }
        for step in evidence {
            let batch = TakeBatch(EvidenceArrival(evidence: step, certificate: log.device.certificate, source: .peer))
            let report = try store.take(batch)
            #expect(report.changes.isEmpty && report.standings.isEmpty)
        }
        #expect(try store.state().frontier.map(\.item.cut) == [1])
    }

    @Test func `Evidence with the certificate of another log is not taken`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(3)), (of: 0, keep: 1, then: try posts(1))]
        )
        let evidence = try #require(log.evidence(0, 1))
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<3, size: 3))
        let other = try Device(person: 1, device: 2).certificate
        let batch = TakeBatch(EvidenceArrival(evidence: evidence, certificate: other, source: .peer))
        #expect(try store.take(batch).changes.isEmpty)
        #expect(try store.state().frontier.map(\.size) == [3])
    }

    @Test func `A finding that proves nothing, or fits no more, changes nothing`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(6)), (of: 0, keep: 2, then: try posts(4, from: 9))]
        )
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<6, size: 6))
        let right = log.range(1, 3..<6)
        let leaf = log.branches[1][2].id
        let foreign = log.head(0, 6).signature
        let findings = [
            // The signature is not over that history.
            ForkFinding(log: log.log, sequence: 2, leaf: leaf, right: right, proof: .head(size: 6, foreign)),
            // No difference.
            ForkFinding(
                log: log.log,
                sequence: 2,
                leaf: log.branches[0][2].id,
                right: right,
                proof: .head(size: 6, foreign)
            ),
            // Beyond what is stored.
            ForkFinding(log: log.log, sequence: 6, leaf: leaf, right: LogRange(at: 7), proof: .head(size: 7, foreign)),
            // No settlement, no evidence here.
            ForkFinding(log: log.log, sequence: 2, leaf: leaf, right: right, proof: .settled(size: 6)),
            ForkFinding(log: log.log, sequence: 2, leaf: leaf, right: right, proof: .cut(size: 6)),
            // A range that begins elsewhere.
            ForkFinding(log: log.log, sequence: 1, leaf: leaf, right: right, proof: .head(size: 6, foreign)),
        ]
        let before = try store.state()
        for finding in findings {
            var batch = TakeBatch()
            batch.findings = [finding]
            #expect(try store.take(batch).changes.isEmpty)
        }
        #expect(try store.state().frontier == before.frontier && store.state().standings.isEmpty)
        var batch = TakeBatch()
        let proof = ForkFinding.Proof.head(size: 6, log.head(1, 6).signature)
        batch.findings = [ForkFinding(log: log.log, sequence: 2, leaf: leaf, right: right, proof: proof)]
        #expect(try store.take(batch).changes.map(\.size) == [2])
    }

    private func posts(_ count: Int, from first: Int = 0) throws -> [Payload] {
        try (first..<first + count).map { .post(try Post(salt: .test, text: "\($0)")) }
    }

    // MARK: The own log

    @Test func `A settled or forked own log signs nothing, and a new one takes its place`() throws {
        let (writer, next) = (try writer(), try writer(0, device: 2))
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(2)), (of: 0, keep: 1, then: try posts(1, from: 9))]
        )
        let evidence = try #require(log.evidence(0, 1))
        let words: [(TakeBatch, AppendRefusal)] = [
            (try settlement(of: writer, at: known(writer, 8)), .logSettled),
            (
                TakeBatch(EvidenceArrival(evidence: evidence, certificate: log.device.certificate, source: .peer)),
                .logForked
            ),
            (try end(), .accountEnded),
        ]
        for (word, expected) in words {
            let store = try EntryStore.inMemory()
            try store.registerOwnLog(writer.certificate)
            try store.take(writer.chunk())
            _ = try store.take(word)
            #expect(try refusal(store, writer) == expected)
            if expected == .accountEnded { continue }
            #expect(throws: StorageError.ownLogExists) { try store.registerOwnLog(next.certificate) }
            let facts = HomeFacts(machine: "m", inode: 1)
            _ = try store.replaceOwnLog(next.certificate, with: next.key, facts: facts, at: 1)
            #expect(try refusal(store, next) == nil)
            #expect(try store.state().own?.log == next.log)
        }
    }

    @Test func `A name in the place of a log that has gone is another version of the names`() throws {
        let store = try EntryStore.inMemory()
        var versions: [String] = []
        for person in UInt8(1)...2 {
            let device = try Device(person: person)
            try device.name("person \(person)", time: 1)
            try store.take(device.chunk())
            versions.append(try store.reader.namesVersion())
            if person == 1 { try store.take(end()) }
        }
        #expect(versions[0] != versions[1])
    }

    @Test func `A log that signs on is not put out of its place`() throws {
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(writer().certificate)
        #expect(throws: StorageError.ownLogExists) { try store.registerOwnLog(writer(0, device: 2).certificate) }
    }

    @Test func `What to sign is of the history that is stored, and no more than is proven of it`() throws {
        let store = try EntryStore.inMemory()
        let writer = try writer()
        try store.take(writer.chunk(0..<6), writer.chunk(6..<7, size: 8))
        #expect(try store.reader.settlement(for: writer.log, keeping: .everythingHeld) == known(writer, 6))
        #expect(try store.reader.settlement(for: writer.log, keeping: .first(4)) == known(writer, 4))
        #expect(try store.reader.settlement(for: writer.log, keeping: .first(7)) == nil)
        #expect(try store.reader.settlement(for: writer.log, keeping: .nothing) == .nothing)
        #expect(try store.reader.settlement(for: Device(person: 3).log, keeping: .nothing) == nil)
    }

    // MARK: The end of an account

    @Test func `An account that ended has no logs, whichever comes and whenever`() throws {
        let home = try TestHome()
        let store = try home.open()
        let (writer, other) = (try writer(), try writer(device: 2))
        let stranger = try Device(person: 2)
        try stranger.post("here", time: 1)
        try store.take(writer.chunk(), stranger.chunk())
        #expect(try home.contains(Self.words))
        let report = try store.take(end())
        #expect(report.forgotten == [writer.log])
        #expect(report.changes.map(\.log) == [LogID(endOf: writer.identity, in: Device.network)])
        #expect(report.changes.map(\.time) == [0])
        #expect(try !home.contains(Self.words))
        #expect(try store.feed() == [stranger.entries[0].id])
        #expect(try store.take(other.chunk()).forgotten == [other.log])
        #expect(try store.take(settlement(of: other, at: known(other, 3), with: other.certificate)).changes.isEmpty)
        #expect(try store.take(end(serial: 2)).changes.isEmpty)
        #expect(try store.state().frontier.count == 2 && store.state().standings.count == 1)
        #expect(try store.reader.hasEnded(writer.identity) && !store.reader.hasEnded(stranger.identity))
        #expect(try !home.contains(Self.words))
    }

    @Test func `One's own entries stay without their words when the account ends`() throws {
        let home = try TestHome()
        let store = try home.open()
        let writer = try writer()
        try store.registerOwnLog(writer.certificate)
        try store.take(writer.chunk())
        _ = try store.take(end())
        #expect(try store.feed().isEmpty && !home.contains(Self.words))
        #expect(try store.prefixes(of: [writer.log])[writer.log]?.range == writer.range(0..<8))
        #expect(try store.reader.devices(of: writer.identity).map(\.state) == [.ended])
    }

    @Test func `A body that was asked for before the account ended is not stored any more`() throws {
        let home = try TestHome()
        let store = try home.open()
        let writer = try writer(2)
        try store.registerOwnLog(writer.certificate)
        try store.take(writer.chunk(withheld: [0, 1]))
        #expect(try store.state().wantedBodies.count == 2)
        _ = try store.take(end())
        try store.take(body: try #require(writer.entries[0].payload), of: writer.place(0))
        try store.close()
        #expect(try !home.contains(Self.words))
    }
}
