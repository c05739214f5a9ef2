import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Settlements and fork evidence as peers bring them: what is true is taken and told, what is not ends the connection.
struct WordsTests {
    private let town: Town
    private let stranger: Stranger
    private let writer: ForkedWriter

    init() throws {
        town = try Town(nodes: 1, seed: 910) { $0.trace = .on }
        var writer = ForkedWriter(seed: 61, network: town.network)
        writer.branch(7)
        writer.branch(9, from: 0, at: 4)
        writer.branch(5, from: 0, at: 2)
        self.writer = writer
        try town.take(writer.batch(0), on: 0)
        try town.startAll()
        stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
    }

    private func say(
        settlement: [UInt8]? = nil,
        evidence: [UInt8]? = nil,
        certificate: SignedCertificate? = nil,
        log: LogID? = nil
    ) {
        stranger.send(
            .changes(
                writer.saying(
                    settlement: settlement,
                    evidence: evidence,
                    certificate: certificate ?? writer.author.certificate,
                    log: log
                )
            )
        )
        stranger.run(milliseconds: 300)
    }

    private var checkedCount: Int { town.world.trace.count { $0.contains("> checkWords(") } }

    // MARK: What is true

    @Test func `A true settlement is taken`() throws {
        say(settlement: writer.settlement(0, 3).bytes)
        #expect(town.violations(0).isEmpty)
        #expect(town.stores[0].size(writer.log) == 3)
    }

    @Test func `True evidence is taken`() throws {
        say(evidence: writer.evidence(0, 1, at: 4).bytes)
        #expect(town.violations(0).isEmpty)
        #expect(town.stores[0].size(writer.log) == 4)
        #expect(town.reports(0).contains(.forked(writer.log, at: 4)))
    }

    @Test func `Both are told to others with the certificate`() throws {
        let other = Stranger(town.world, seed: 78)
        other.greet(Stranger.hello(version: 2))
        say(settlement: writer.settlement(0, 6).bytes, evidence: writer.evidence(0, 1, at: 4).bytes)
        other.run(milliseconds: 300)
        let told = try #require(other.changes.last?.held.first)
        #expect(told.words?.settlement == writer.settlement(0, 6).bytes)
        #expect(told.words?.evidence == writer.evidence(0, 1, at: 4).bytes)
        #expect(told.words?.certificate == writer.author.certificate.bytes)
        #expect(told.item == LogSize(log: writer.log, size: 6))
        #expect(told.root == writer.range(0, 6).root)
        #expect(stranger.changes.allSatisfy { $0.held.first?.words?.settlement == nil || $0.logs[0].size == 6 })
    }

    @Test func `What is not news is not looked at`() throws {
        say(settlement: writer.settlement(0, 6, serial: 5).bytes, evidence: writer.evidence(0, 2, at: 2).bytes)
        let checked = checkedCount
        var older = writer.settlement(0, 3, serial: 4).bytes
        older[207] ^= 1
        var higher = writer.evidence(0, 1, at: 4).bytes
        higher[higher.count - 1] ^= 1
        say(settlement: older, evidence: higher)
        #expect(town.violations(0).isEmpty)
        #expect(checkedCount == checked)
    }

    @Test func `An end is taken`() throws {
        let end = writer.end
        let log = LogID(endOf: end.settlement.identity, in: town.network)
        stranger.send(.changes(writer.saying(settlement: end.bytes, log: log)))
        stranger.run(milliseconds: 300)
        #expect(town.violations(0).isEmpty)
        #expect(town.stores[0].size(writer.log) == 0)
        #expect(town.status(0)?.logs == 1)
    }

    @Test func `The ends of two accounts are two parts of a transaction`() {
        let ends = [writer.end, ForkedWriter(seed: 62, network: town.network).end]
        let logs = ends.map { LogID(endOf: $0.settlement.identity, in: town.network) }
        var batch = TakeBatch()
        batch.settlements = ends.map { SettlementArrival(signed: $0, certificate: nil, source: nil) }
        #expect(batch.logs == logs)
        for (log, end) in zip(logs, ends) { #expect(batch.only(log).settlements.map(\.signed) == [end]) }
    }

    // MARK: What is not

    @Test func `A settlement with another signature`() throws {
        var bytes = writer.settlement(0, 3).bytes
        bytes[207] ^= 1
        say(settlement: bytes)
        expectViolation(.badSettlement, of: stranger, in: town)
    }

    @Test func `A settlement of another log`() throws {
        let other = ForkedWriter(seed: 62, network: town.network)
        say(settlement: other.settlement(0, 0).bytes)
        expectViolation(.badSettlement, of: stranger, in: town)
    }

    @Test func `A settlement by another root`() throws {
        let other = Author(seed: 62, network: town.network)
        let signed = SignedSettlement(
            signing: Settlement(
                network: town.network,
                identity: other.certificate.certificate.identity,
                log: writer.log,
                size: 0,
                root: .zero,
                serial: 1
            ),
            with: other.root
        )
        say(settlement: signed.bytes)
        expectViolation(.badSettlement, of: stranger, in: town)
    }

    @Test func `An end under another name`() throws {
        stranger.send(.changes(writer.saying(settlement: writer.end.bytes, log: writer.log)))
        stranger.run(milliseconds: 100)
        expectViolation(.badSettlement, of: stranger, in: town)
        #expect(town.stores[0].size(writer.log) == 7)
    }

    @Test func `Evidence that proves nothing`() throws {
        var bytes = writer.evidence(0, 1, at: 4).bytes
        bytes[bytes.count - 1] ^= 1
        say(evidence: bytes)
        expectViolation(.falseEvidence, of: stranger, in: town)
    }

    @Test func `Evidence of two branches that are one`() throws {
        say(evidence: writer.evidence(0, 0, at: 4).bytes)
        expectViolation(.falseEvidence, of: stranger, in: town)
    }

    @Test func `Evidence that does not parse`() throws {
        say(evidence: Array(writer.evidence(0, 1, at: 4).bytes.dropLast()))
        expectViolation(.falseEvidence, of: stranger, in: town)
    }

    @Test func `Evidence of another log`() throws {
        var other = ForkedWriter(seed: 62, network: town.network)
        other.branch(2)
        other.branch(2)
        say(evidence: other.evidence(0, 1, at: 0).bytes)
        expectViolation(.falseEvidence, of: stranger, in: town)
    }

    @Test func `A certificate of another log`() throws {
        let other = Author(seed: 61, device: 1, network: town.network)
        say(settlement: writer.settlement(0, 3).bytes, certificate: other.certificate)
        expectViolation(.badCertificate, of: stranger, in: town)
    }

    @Test func `A certificate of another network`() throws {
        let other = Author(seed: 61, network: NetworkID(name: "elsewhere"))
        say(settlement: writer.settlement(0, 3).bytes, certificate: other.certificate)
        expectViolation(.foreignNetwork, of: stranger, in: town)
    }

    // MARK: Versions

    @Test func `A peer of version 1 hears and says nothing of it`() throws {
        let old = Stranger(town.world, seed: 78)
        old.greet()
        old.send(.changes(writer.saying(settlement: writer.settlement(0, 3).bytes)))
        old.run(milliseconds: 300)
        #expect(town.stores[0].size(writer.log) == 7, "that came from a peer of version 1")
        say(settlement: writer.settlement(0, 0).bytes)
        #expect(town.stores[0].size(writer.log) == 0)
        old.run(milliseconds: 300)
        #expect(old.changes.allSatisfy { $0.held.isEmpty && $0.logs.allSatisfy { $0.size > 0 } })
        #expect(town.violations(0).isEmpty)
    }

    @Test func `A known root is not shown to a peer of version 1 nor taken from it`() throws {
        say(evidence: writer.evidence(0, 1, at: 4).bytes)
        let old = Stranger(town.world, seed: 78)
        old.greet()
        old.send(.want([RangeWant(log: writer.log, from: 0, certificate: .send)]))
        old.run(milliseconds: 300)
        #expect(old.chunks.flatMap(\.chunks).isEmpty)
        #expect(old.chunks.flatMap(\.lacking) == [writer.log])
        let known = writer.branches[0][0].unverified.underKnownRoot
        old.send(.chunks(Chunks(chunks: [known])))
        old.run(milliseconds: 100)
        #expect(town.violations(0) == [.wrongFieldLength])
    }

    @Test func `A known root is shown to a peer that knows it`() throws {
        say(evidence: writer.evidence(0, 1, at: 4).bytes)
        stranger.send(.want([RangeWant(log: writer.log, from: 1, certificate: .known)]))
        stranger.run(milliseconds: 300)
        let chunk = try #require(stranger.chunks.flatMap(\.chunks).first)
        #expect(chunk.proof == .known && chunk.size == 4 && chunk.start == 1 && chunk.count == 3)
    }

    // MARK: A staircase

    @Test func `A staircase of evidence delays its identity alone`() throws {
        let town = try Town(nodes: 2, seed: 911)
        town.link(0, 1)
        try town.startAll()
        let steps = 1_100
        var writer = ForkedWriter(seed: 63, network: town.network)
        writer.branch(steps + 1)
        for step in 1...steps { writer.branch(step + 1, from: 0, at: step) }
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        for step in (1...steps).reversed() {
            let evidence = writer.evidence(0, step, at: step).bytes
            stranger.send(.changes(writer.saying(evidence: evidence)))
            town.world.run(milliseconds: 10)
        }
        let cut = town.reports(0).compactMap { if case .forked(writer.log, let cut) = $0 { cut } else { nil } }.last
        #expect(try #require(cut) > 30, "the quota is spent")
        #expect(town.status(0)?.delayedLogs == 1, "and people are told that something waits")
        try town.write("somebody else's", on: 1)
        #expect(town.world.run(until: { town.stores[0].entryCount == 1 }, withinMilliseconds: 1_000))
        stranger.run(milliseconds: 200_000)
        #expect(town.reports(0).contains(.forked(writer.log, at: 1)))
        #expect(town.reports(1).contains(.forked(writer.log, at: 1)))
        #expect(town.status(0)?.delayedLogs == 0)
        #expect(town.allViolations.isEmpty)
    }

    /// Each of up to 64 links has one for each such log, of which strangers make as many as they like.
    @Test func `What a peer was told is remembered in a few bytes`() throws {
        let town = try Town(nodes: 1, seed: 7_801)
        for number in 0..<UInt64(20) {
            var writer = ForkedWriter(seed: 7_900 + number, network: town.network)
            writer.branch(1)
            try town.take(writer.batch(0), on: 0)
            try town.take(writer.settling(0, 1), on: 0)
        }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.run(milliseconds: 300)
        let link = try #require(town.world.nodes[0].machine?.links.values.first)
        #expect(link.toldMarks.count == 20)
        #expect(entryBytes(link.toldMarks) <= 16)
        // What it was told is not told again.
        let told = stranger.changes.flatMap(\.held).count
        stranger.run(milliseconds: 60_000)
        #expect(told == 20 && stranger.changes.flatMap(\.held).count == told)
    }

    private func entryBytes<Key, Value>(_ table: [Key: Value]) -> Int {
        MemoryLayout<Key>.stride + MemoryLayout<Value>.stride
    }
}
