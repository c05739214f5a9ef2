import Entries
import Sodium
import TestSupport
import Testing

/// Runs `protocol/vectors/identity.json`, which shares nothing with the sources.
struct IdentityVectorTests {
    private struct File: Decodable {
        struct Network: Decodable {
            let name: String
            let id: String
        }

        struct Root: Decodable {
            let entropy: String
            let seed: String
            let key: String
        }

        struct Signed: Decodable {
            let name: String
            let network: String
            let hex: String
            let verdict: String
            let log: String?
        }

        let networks: [Network]
        let roots: [Root]
        let certificates: [Signed]
        let settlements: [Signed]
    }

    @Test func `Network ids and root keys`() throws {
        let file: File = try Vectors.own("identity.json")
        for vector in file.networks {
            #expect(NetworkID(name: vector.name).raw == (try hex32(vector.id)), "\(vector.name)")
        }
        for vector in file.roots {
            let seed = Blake2b.hash(.root, try hex(vector.entropy))
            #expect(seed == (try hex32(vector.seed)))
            var bytes = seed.bytes
            let key = try #require(SigningKey(seed: SecretBytes(moving: &bytes)))
            #expect(key.publicKey == (try hex32(vector.key)))
        }
        #expect(file.networks.count == 6)
        #expect(file.roots.count == 3)
    }

    @Test func `Certificates get their verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("identity.json", as: File.self).certificates {
            let network = NetworkID(raw: try hex32(vector.network))
            var verdict = "valid"
            do throws(CertificateError) {
                let signed = try SignedCertificate(verifying: hexOrNothing(vector.hex), network: network)
                #expect(signed.log.raw.description == vector.log, "\(vector.name)")
                #expect(signed.bytes.text() == vector.hex)
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 23)
    }

    @Test func `Settlements get their verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("identity.json", as: File.self).settlements {
            let network = NetworkID(raw: try hex32(vector.network))
            var verdict = "valid"
            do throws(SettlementError) {
                let signed = try SignedSettlement(verifying: hexOrNothing(vector.hex), network: network)
                #expect(signed.bytes.text() == vector.hex)
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 24)
    }

    private func hexOrNothing(_ text: String) -> [UInt8] { (try? hex(text)) ?? [] }
}
