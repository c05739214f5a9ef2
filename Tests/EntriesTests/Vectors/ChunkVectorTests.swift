import Entries
import Sodium
import TestSupport
import Testing

/// Runs the chunks and disputes of `protocol/vectors/log.json`.
struct ChunkVectorTests {
    private struct File: Decodable {
        let chunks: [Chunk]
        let disputes: [Chunk]
    }

    private struct Chunk: Decodable {
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
        let ids: [String]?
        let tip: [String]?
        let sent: [String]?
        let judgement: String?

        func networkID() throws -> NetworkID { NetworkID(raw: try hex32(network)) }

        func outcome() throws -> ChunkOutcome {
            let known = try known.map { try SignedCertificate(verifying: try hex($0), network: try networkID()) }
            let range = LogRange(bounds: 0..<(try number(held)), nodes: try prefix.map(hex32))
            let chunk = UnverifiedChunk(
                log: LogID(raw: try hex32(log)),
                certificate: try certificate.map(hex),
                start: try number(start),
                count: try number(count),
                size: try number(size),
                signature: try #require(Signature(try hex(signature))),
                entries: try hex(entries),
                right: try right.map(hex32)
            )
            let held = LogPrefix(certificate: known, range: try #require(range))
            return ChunkVerifier(network: try networkID()).verify(chunk, over: held)
        }
    }

    @Test func `Chunks get their verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).chunks {
            let outcome = try vector.outcome()
            #expect(outcome.vectorName == vector.verdict, "\(vector.name)")
            if case .verified(let chunk) = outcome {
                #expect(chunk.entries.map(\.id.raw.description) == vector.ids, "\(vector.name)")
                #expect(chunk.tip.nodes.map(\.description) == vector.tip, "\(vector.name)")
            }
            ran += 1
        }
        #expect(ran == 56)
    }

    @Test func `Disputes are judged`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).disputes {
            guard case .prefixDiffers(let dispute) = try vector.outcome() else {
                Issue.record("\(vector.name): no dispute")
                continue
            }
            let sent = try #require(vector.sent)
            let verdict = dispute.judge(prefix: try sent.map(hex32), network: try vector.networkID())
            #expect("\(verdict)" == vector.judgement, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 7)
    }

    @Test func `Every outcome and violation has a vector`() throws {
        let seen = Set(try Vectors.own("log.json", as: File.self).chunks.map(\.verdict))
        #expect(
            seen == [
                "verified", "doesNotFit", "certificateMissing", "prefixDiffers", "impossibleBounds", "emptyChunk",
                "wrongLength", "foreignNetwork", "badSignature", "certificateOfAnotherLog", "wrongNodeCount",
                "truncated", "trailingBytes", "malformed", "payloadTooLong", "bodyRequired", "badProof",
            ]
        )
    }
}
