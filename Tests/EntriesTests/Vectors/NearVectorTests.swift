import Entries
import Sodium
import TestSupport
import Testing

/// Runs what `protocol/vectors/near.json` has of entries: bytes that are almost right.
struct NearVectorTests {
    private struct File: Decodable {
        let payloads: [PayloadCase]
        let certificates: [CertificateCase]
        let chunks: [ChunkCase]
    }

    private struct PayloadCase: Decodable {
        struct Repeat: Decodable {
            let bytes: String
            let times: Int
        }

        let name: String
        let kind: UInt16
        let hex: String
        let `repeat`: Repeat
        let verdict: String
    }

    private struct CertificateCase: Decodable {
        let name: String
        let network: String
        let hex: String
        let verdict: String
    }

    private struct ChunkCase: Decodable {
        let name: String
        let network: String
        let log: String
        let known: String?
        let certificate: String?
        let held: String
        let prefix: [String]
        let cut: RootVector?
        let settled: RootVector?
        let side: SideVector?
        let start: String
        let count: String
        let size: String
        let entries: String
        let right: [String]
        let verdict: String

        func outcome() throws -> ChunkOutcome {
            let network = NetworkID(raw: try hex32(network))
            let prefix = LogPrefix(
                certificate: try known.map { try SignedCertificate(verifying: try hex($0), network: network) },
                range: try #require(LogRange(bounds: 0..<(try number(held)), nodes: try prefix.map(hex32))),
                cut: try cut?.known(),
                settled: try settled?.known(),
                side: try side?.range()
            )
            let chunk = UnverifiedChunk(
                log: LogID(raw: try hex32(log)),
                certificate: try certificate.map(hex),
                start: try number(start),
                count: try number(count),
                size: try number(size),
                proof: .known,
                entries: try hex(entries),
                right: try right.map(hex32)
            )
            return ChunkVerifier(network: network).verify(chunk, over: prefix)
        }
    }

    @Test func `Payloads of the greatest length, and one byte beyond`() throws {
        let cases = try Vectors.own("near.json", as: File.self).payloads
        for vector in cases {
            let bytes =
                try hex(vector.hex) + repeatElement(hex(vector.repeat.bytes), count: vector.repeat.times).joined()
            var verdict = "valid"
            do throws(PayloadError) {
                _ = try Payload.decode(kind: vector.kind, bytes: bytes)
            } catch .rule(let rule) {
                verdict = rule.rawValue
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
        }
        #expect(cases.count == 2)
    }

    @Test func `Signatures at the edges of Ed25519`() throws {
        let cases = try Vectors.own("near.json", as: File.self).certificates
        for vector in cases {
            let bytes = try hex(vector.hex)
            let network = NetworkID(raw: try hex32(vector.network))
            var verdict = "valid"
            do throws(CertificateError) {
                _ = try SignedCertificate(verifying: bytes, network: network)
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
        }
        #expect(cases.count == 9)
    }

    @Test func `Chunks under known roots`() throws {
        let cases = try Vectors.own("near.json", as: File.self).chunks
        for vector in cases {
            #expect(try vector.outcome().vectorName == vector.verdict, "\(vector.name)")
        }
        #expect(cases.count == 21)
    }
}
