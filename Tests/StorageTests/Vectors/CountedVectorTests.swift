import Entries
import GRDB
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Runs `protocol/vectors/counted.json`, which shares nothing with the sources, by the store.
///
/// Of evidence the file has the cut alone: it is put where `Intake.join` puts that of evidence that was checked.
struct CountedVectorTests {
    /// The log of the example, as `log.json` has it.
    private struct LogFile: Decodable {
        struct Chunk: Decodable {
            let name: String
            let certificate: String?
            let entries: String
        }

        let chunks: [Chunk]
    }

    private let file: CountedFile
    private let network: NetworkID
    private let log: VectorLog

    init() throws {
        let file = try CountedFile.read()
        let network = NetworkID(raw: try hex32(file.network))
        let chunks = try Vectors.own("log.json", as: LogFile.self).chunks
        let whole = try #require(chunks.first { $0.name == "the whole log" })
        let certificate = try #require(whole.certificate)
        let bytes = try hex(whole.entries)
        let id = LogID(raw: try hex32(file.log))
        let entries = try EntryCoding.decode(bytes[...], count: file.ids.count, log: id, start: 0)
        // All secrets of the vectors are public.
        log = try VectorLog(certificate: certificate, seed: [UInt8](0..<32), network: network, entries: entries)
        self.file = file
        self.network = network
    }

    @Test func `What counts, and what stands for it`() throws {
        #expect(file.cases.count == 87)
        #expect(log.entries.map(\.id.raw.description) == file.ids)
        #expect(log.certificate.certificate.device.raw.description == file.device)
        for vector in file.cases {
            try run(vector, isEarlierHeld: false)
            if let earlier = vector.earlier, earlier.value > 0 { try run(vector, isEarlierHeld: true) }
        }
    }

    private func run(_ vector: CountedFile.Case, isEarlierHeld: Bool) throws {
        let place: Comment = "\(vector.name)\(isEarlierHeld ? ", the earlier head held" : "")"
        let store = try EntryStore(.memory, network: network, creation: .ifAbsent)
        try fill(store, vector, isEarlierHeld)
        // A settlement first: a complete log keeps its gap whatever cut comes.
        for said in vector.settlements { _ = try store.take(TakeBatch(settlement(said))) }
        for said in vector.cuts {
            let cut = KnownRoot(size: said.size.value, root: try hex32(said.root))
            try change(store) { log in
                if let held = log.cut, !(cut < held) { return }
                log.cut = cut
            }
        }
        let state = try store.state()
        let row = state.frontier.first { $0.log == log.log }
        #expect((row?.size ?? 0) == vector.counted.value, place)
        #expect((row?.item.root ?? .zero).description == vector.root, place)
        #expect(row?.item.id.description == vector.id, place)
        let standing = state.standings.first { $0.log == log.log }
        #expect((standing?.isComplete ?? false) == vector.complete, place)
        #expect((standing?.ceiling ?? UInt64.max) == (vector.ceiling?.value ?? UInt64.max), place)
        let gap = vector.drops ? nil : vector.gap.map { $0.start.value..<$0.end.value }
        #expect(state.gaps.first?.bounds == gap, place)
        if let under = vector.under, !isEarlierHeld {
            try check(under, of: store, vector, from: gap?.upperBound ?? 0, place)
        }
    }

    /// Under what the store shows the entries that count.
    private func check(
        _ under: String,
        of store: EntryStore,
        _ vector: CountedFile.Case,
        from: UInt64,
        _ place: Comment
    ) throws {
        let want = RangeWant(log: log.log, from: from < vector.counted.value ? from : 0, certificate: .known)
        let answers = try store.ranges([want], byteLimit: 99_999) { Issue.record("\(place): \($0)") }
        let counted = vector.counted.value
        switch answers.first {
        case .chunk(let chunk)? where chunk.proof == .known:
            #expect(["settlement", "cut"].contains(under) && chunk.size == counted, place)
        case .chunk(let chunk)?:
            #expect(chunk.size == counted ? under == "head" : under == "beyond", "\(place) \(chunk.size)")
        // `protocol/log.md` §8: in place of a head of the evidence.
        case .lacking?:
            #expect(under == "beyond" && vector.pending == nil, place)
            let known = RangeWant(log: log.log, from: 0, certificate: .known, extent: .until(counted))
            guard case .chunk(let chunk)? = try store.ranges([known], byteLimit: 99_999).first else {
                Issue.record("\(place): nothing for who knows the root")
                return
            }
            #expect(chunk.proof == .known && chunk.size == counted, place)
        case nil: Issue.record("\(place): no answer")
        }
    }

    /// Gives the store what it has of the log before any evidence or settlement.
    private func fill(_ store: EntryStore, _ vector: CountedFile.Case, _ isEarlierHeld: Bool) throws {
        let (stored, head) = (Int(vector.stored.value), Int(vector.head.value))
        if let gap = vector.gap {
            let (start, end) = (Int(gap.start.value), Int(gap.end.value))
            if start > 0 { try store.take(log.chunk(0..<start, size: isEarlierHeld ? start : head)) }
            try store.take(log.chunk(end..<head, left: start))
        } else if head > 0 {
            try store.take(log.chunk(0..<head))
        }
        guard stored > head else { return }
        try store.take(log.chunk(head..<stored, size: log.entries.count))
        // As if they had come under a root that is known.
        if vector.pending == nil { try change(store) { $0.pending = nil } }
    }

    /// Changes what the store knows of the log, with everything that follows from it.
    private func change(_ store: EntryStore, _ body: (inout LogState) -> Void) throws {
        try store.intake(.replicated) { intake, _ in
            let before = try intake.state(of: log.log) ?? intake.logs.add(log.certificate)
            var after = before
            body(&after)
            try intake.updateStanding(&after)
            try intake.replace(before, by: after, from: .peer)
            _ = try intake.finish()
        }
    }

    private func settlement(_ said: CountedFile.Settled) throws -> SettlementArrival {
        let settlement = Settlement(
            network: network,
            identity: log.identity,
            log: log.log,
            size: said.size.value,
            root: try hex32(said.root),
            serial: said.serial.value
        )
        // The signature was checked before, as far as the store knows.
        let bytes = settlement.bytes + [UInt8](repeating: 0, count: Signature.count)
        let signed = try #require(SignedSettlement(trusting: bytes))
        return SettlementArrival(signed: signed, certificate: log.certificate, source: .peer)
    }
}
