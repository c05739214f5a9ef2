import Entries
import Sodium
import Testing

@testable import Storage

/// Windows of logs that have a settlement or fork evidence (`protocol/log.md` §6).
struct JudgedWindowTests {
    private struct Missing: Error {}

    /// Of sixty posts, and a branch of them that parts at `cut`.
    private func forkedLog(at cut: Int) throws -> ForkedLog {
        let posts = try (0..<60).map { Payload.post(try Post(salt: .test, text: "post \($0)")) }
        return ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: posts), (of: 0, keep: cut, then: Array(posts[..<5]))]
        )
    }

    private func settling(_ log: ForkedLog, at size: Int) throws -> TakeBatch {
        let settlement = try Device.settlement(1, log.log, log.known(0, size), serial: 5)
        return TakeBatch(SettlementArrival(signed: settlement, certificate: log.device.certificate, source: .peer))
    }

    private func accusing(_ log: ForkedLog) throws -> TakeBatch {
        let evidence = try #require(log.evidence(0, 1))
        return TakeBatch(EvidenceArrival(evidence: evidence, certificate: log.device.certificate, source: .peer))
    }

    /// What is made of an answer, over what is known of the log.
    private func window(
        _ log: LogID,
        newest count: UInt64,
        from sender: EntryStore,
        to receiver: EntryStore
    ) throws -> ChunkOutcome {
        let prefix = try receiver.prefixes(of: [log])[log] ?? .none
        let from = prefix.range.bounds.upperBound
        let want = RangeWant(log: log, from: from, certificate: .send, extent: .newest(count))
        guard case .chunk(var chunk)? = try sender.ranges([want], byteLimit: 1 << 20).first else { throw Missing() }
        #expect(!chunk.left.isEmpty)
        chunk.askedFrom = from
        return ChunkVerifier(network: Device.network).verify(chunk, over: prefix)
    }

    @Test(arguments: ["settled", "settled at the head", "forked", "forked at a head"], [0, 10])
    func `A log that is judged is given away with a gap`(how: String, held: Int) throws {
        let log = try forkedLog(at: 50)
        let whole = try EntryStore.inMemory()
        let size = how == "forked at a head" ? 50 : 60
        try whole.take(log.chunk(0, 0..<size, size: size))
        let words =
            switch how {
            case "settled": try settling(log, at: 50)
            case "settled at the head": try settling(log, at: 60)
            default: try accusing(log)
            }
        _ = try whole.take(words)
        // From who has it whole to one, and on to another, who has more or less of the beginning.
        let (near, far) = (try EntryStore.inMemory(), try EntryStore.inMemory())
        for store in [near, far] {
            if held > 0 { try store.take(log.chunk(0, 0..<held, size: held)) }
            _ = try store.take(words)
        }
        try fetch(log.log, .newest(20), from: whole, to: near)
        let start = try #require(try whole.state().frontier.first?.size) - 20
        try fetch(log.log, .newest(5), from: near, to: far)
        let item = try whole.state().frontier.map(\.item)
        for store in [near, far] {
            let first = store === near ? start : start + 15
            #expect(try store.state().gaps == [GapPlace(log: log.log, bounds: UInt64(held)..<first)])
            #expect(try store.state().frontier.map(\.item) == item)
            #expect(try store.feed(page: 100).count == held + Int(start + 20 - first))
        }
        try fetch(log.log, .until(start + 15), from: near, to: far, at: UInt64(held))
        for store in [near, far] {
            while let gap = try store.state().gaps.first {
                try fetch(log.log, .until(gap.bounds.upperBound), from: whole, to: store, at: gap.bounds.lowerBound)
            }
            #expect(try store.derivedDump() == whole.derivedDump())
        }
    }

    @Test func `Only entries that are here are counted anew`() throws {
        let log = try forkedLog(at: 50)
        let (whole, store) = (try EntryStore.inMemory(), try EntryStore.inMemory())
        try whole.take(log.chunk(0, 0..<60, size: 60))
        try store.take(#require(window(log.log, newest: 12, from: whole, to: store).verified))
        #expect(try store.state().frontier.map(\.item.size) == [60])
        let report = try store.take(settling(log, at: 55))
        #expect(try store.state().frontier.map(\.item.size) == [55])
        #expect(report.recounted.map(\.entries) == [12])
    }

    /// Who sends it does not know yet of the cut that lies in what it leaves out.
    @Test func `Nothing is left out where what follows does not count`() throws {
        let log = try forkedLog(at: 30)
        let (whole, store) = (try EntryStore.inMemory(), try EntryStore.inMemory())
        try whole.take(log.chunk(0, 0..<60, size: 60))
        let early = try #require(window(log.log, newest: 20, from: whole, to: store).verified)
        _ = try store.take(accusing(log))
        #expect(try window(log.log, newest: 20, from: whole, to: store) == .unknownRoot)
        #expect(try window(log.log, newest: 30, from: whole, to: store) == .unknownRoot)
        // Nor is what was proven before that was known.
        let report = try store.take(early)
        #expect(report.gaps.isEmpty && report.stored.map(\.size) == [0])
        // What a root key settled behind the cut is had in whole, since a part of it would not count.
        for judged in [store, whole] { _ = try judged.take(settling(log, at: 60)) }
        #expect(try window(log.log, newest: 20, from: whole, to: store) == .unknownRoot)
        try fetch(log.log, .all, from: whole, to: store)
        #expect(try store.derivedDump() == whole.derivedDump())
    }

    @Test func `Beside another history nothing is left out of the settled one`() throws {
        let log = try forkedLog(at: 10)
        let (whole, store) = (try EntryStore.inMemory(), try EntryStore.inMemory())
        try whole.take(log.chunk(0, 0..<60, size: 60))
        try store.take(log.chunk(1, 0..<15, size: 15))
        for store in [whole, store] { _ = try store.take(settling(log, at: 60)) }
        _ = try store.take(log.finding(0, at: 10, of: 60, proof: .settled(size: 60)))
        #expect(try store.state().standings.first?.side == 10)
        let prefix = try #require(try store.prefixes(of: [log.log])[log.log])
        let want = RangeWant(log: log.log, from: 10, certificate: .known, branch: .settled, extent: .newest(20))
        guard case .chunk(var chunk)? = try whole.ranges([want], byteLimit: 1 << 20).first else { throw Missing() }
        chunk.askedFrom = 10
        #expect(chunk.start == 40 && ChunkVerifier(network: Device.network).verify(chunk, over: prefix) == .doesNotFit)
    }

    @Test func `Of what a root proved that is not known any more nothing is kept`() throws {
        let posts = try (0..<700).map { Payload.post(try Post(salt: .test, text: "post \($0)")) }
        let log = ForkedLog(try Device(person: 1), [(of: 0, keep: 0, then: posts)])
        let (whole, knowing, store) = (try EntryStore.inMemory(), try EntryStore.inMemory(), try EntryStore.inMemory())
        try whole.take(log.chunk(0, 0..<700, size: 700))
        for judged in [whole, knowing] { _ = try judged.take(settling(log, at: 600)) }
        let chunk = try #require(window(log.log, newest: 400, from: whole, to: knowing).verified)
        #expect(chunk.head == nil && !chunk.completed.isEmpty)
        #expect(try store.take(chunk).gaps.isEmpty)
        try store.take(log.chunk(0, 0..<700, size: 700))
        #expect(try store.state().frontier.map(\.size) == [700])
    }
}
