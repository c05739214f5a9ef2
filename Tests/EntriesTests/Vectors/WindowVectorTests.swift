import Entries
import Sodium
import TestSupport
import Testing

/// Runs the windows of `protocol/vectors/log.json`.
struct WindowVectorTests {
    private struct File: Decodable {
        let windows: [Window]
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

        func outcome() throws -> ChunkOutcome {
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
            return ChunkVerifier(network: campus).verify(chunk, over: held)
        }
    }

    @Test func `Windows and what fills gaps get their verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).windows {
            let outcome = try vector.outcome()
            #expect(outcome.vectorName == vector.verdict, "\(vector.name)")
            if case .verified(let chunk) = outcome {
                #expect(chunk.tip.nodes.map(\.description) == vector.tip, "\(vector.name)")
                let after = chunk.prefix.gap.map { ["\($0.start)", "\($0.end)"] }
                #expect(after == vector.after, "\(vector.name)")
            }
            ran += 1
        }
        #expect(ran == 63)
    }
}
