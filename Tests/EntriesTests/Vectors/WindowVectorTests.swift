import Entries
import Sodium
import TestSupport
import Testing

/// Runs the windows of `protocol/vectors/log.json`, and what takes the place of what is behind a gap.
struct WindowVectorTests {
    private struct File: Decodable {
        let windows: [Window]
        let inPlace: [Window]

        static func read() throws -> File { try Vectors.own("log.json", keys: .inCamelCase) }
    }

    private struct Window: Decodable {
        let name: String
        let network: String
        let held: String
        let prefix: [String]
        let known: String?
        let log: String
        let certificate: String?
        let start: String
        let count: String
        let size: String
        let signature: String
        let entries: String
        let right: [String]
        let verdict: String
        let asked: String?
        let left: [String]
        let gap: Gap?
        let after: [String]?
        let tip: [String]?
        let cut: RootVector?
        let settled: RootVector?
        let side: SideVector?

        struct Gap: Decodable {
            let start: String
            let end: String
            let before: [String]
            let nodes: [String]
        }

        func missing() throws -> LogGap? {
            guard let gap else { return nil }
            let (start, end) = (try number(gap.start), try number(gap.end))
            let (before, nodes) = (try gap.before.map(hex32), try gap.nodes.map(hex32))
            let range = try #require(LogRange(bounds: 0..<start, nodes: before))
            let rest = try #require(LogRange(bounds: start..<end, nodes: nodes))
            return LogGap(before: range, rest: rest)
        }

        /// What is made of the chunk over what is stored, or over the part that `ground` takes of that.
        func outcome(over ground: (LogPrefix) -> LogPrefix? = { $0 }) throws -> ChunkOutcome {
            let campus = NetworkID(raw: try hex32(network))
            let range = LogRange(bounds: 0..<(try number(held)), nodes: try prefix.map(hex32))
            let signed = try hex(signature)
            let proof: ChunkProof = signed.isEmpty ? .known : .head(try #require(Signature(signed)))
            var chunk = UnverifiedChunk(
                log: LogID(raw: try hex32(log)),
                certificate: try self.certificate.map(hex),
                start: try number(start),
                count: try number(count),
                size: try number(size),
                proof: proof,
                entries: try hex(entries),
                right: try right.map(hex32)
            )
            chunk.left = try left.map(hex32)
            chunk.askedFrom = try asked.map(number)
            let certificate = try known.map { try SignedCertificate(verifying: try hex($0), network: campus) }
            let held = LogPrefix(
                certificate: certificate,
                range: try #require(range),
                cut: try cut?.known(),
                settled: try settled?.known(),
                side: try side?.range(),
                gap: try missing()
            )
            return ChunkVerifier(network: campus).verify(chunk, over: try #require(ground(held)))
        }

        /// Whether the outcome is the expected one, and so is what is held then.
        func expect(_ outcome: ChunkOutcome) {
            #expect(outcome.vectorName == verdict, "\(name)")
            if case .verified(let chunk) = outcome {
                #expect(chunk.tip.nodes.map(\.description) == tip, "\(name)")
                let missing = chunk.prefix.gap.map { ["\($0.start)", "\($0.end)"] }
                #expect(missing == after, "\(name)")
            }
        }
    }

    @Test func `Windows and what fills gaps get their verdict`() throws {
        var ran = 0
        for vector in try File.read().windows {
            vector.expect(try vector.outcome())
            ran += 1
        }
        #expect(ran == 63)
    }

    @Test func `What takes the place of what is behind a gap is checked over what is before it`() throws {
        var ran = 0
        for vector in try File.read().inPlace {
            vector.expect(try vector.outcome { $0.beforeGap })
            ran += 1
        }
        #expect(ran == 23)
    }
}
