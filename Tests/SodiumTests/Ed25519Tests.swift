import Sodium
import TestSupport
import Testing

struct Ed25519Tests {
    /// RFC 8032 §7.1, test 1.
    @Test func `A seed gives the published key and signature`() throws {
        let key = try Self.key("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        #expect(key.publicKey.description == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        let signature = key.sign([])
        #expect(
            signature.bytes
                == [UInt8](
                    hex: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
                )
        )
        #expect(Ed25519.isValid(signature, of: [], by: key.publicKey))
    }

    @Test func `A changed message, key or signature is refused`() throws {
        let key = try Self.key(String(repeating: "01", count: 32))
        let other = try Self.key(String(repeating: "02", count: 32))
        let signature = key.sign([1, 2, 3])
        #expect(Ed25519.isValid(signature, of: [1, 2, 3], by: key.publicKey))
        #expect(!Ed25519.isValid(signature, of: [1, 2, 4], by: key.publicKey))
        #expect(!Ed25519.isValid(signature, of: [1, 2, 3], by: other.publicKey))
        for place in 0..<Signature.count {
            var bytes = signature.bytes
            bytes[place] ^= 1
            let changed = try #require(Signature(bytes))
            #expect(!Ed25519.isValid(changed, of: [1, 2, 3], by: key.publicKey))
        }
    }

    @Test(arguments: [0, 63, 65])
    func `Another length than 64 is no signature`(count: Int) {
        #expect(Signature([UInt8](repeating: 0, count: count)) == nil)
    }

    @Test(arguments: [0, 31, 33])
    func `Another length than 32 is no seed`(count: Int) {
        #expect(SigningKey(seed: .random(count: count)) == nil)
    }

    @Test(.enabled(if: Vectors.areExpected))
    func `Every case of Wycheproof has its result`() throws {
        struct Collection: Decodable {
            let testGroups: [Group]
        }
        struct Group: Decodable {
            struct Key: Decodable {
                let pk: String
            }
            struct Case: Decodable {
                let tcId: Int
                let msg: String
                let sig: String
                let result: String
            }
            let publicKey: Key
            let tests: [Case]
        }
        let collection = try Vectors.published("ed25519-wycheproof.json", as: Collection.self)
        var ran = 0
        for group in collection.testGroups {
            let key = try #require(Bytes32([UInt8](hex: group.publicKey.pk)))
            for test in group.tests {
                let isValid =
                    Signature([UInt8](hex: test.sig))
                    .map { Ed25519.isValid($0, of: [UInt8](hex: test.msg), by: key) } ?? false
                #expect(isValid == (test.result == "valid"), "case \(test.tcId)")
                ran += 1
            }
        }
        #expect(ran == 151)
    }

    /// Libraries disagree on these twelve; what is valid here is what libsodium says.
    @Test(.enabled(if: Vectors.areExpected))
    func `Of the twelve edge cases only the fourth is valid`() throws {
        struct Case: Decodable {
            let message: String
            let pub_key: String
            let signature: String
        }
        let cases = try Vectors.published("ed25519-speccheck.json", as: [Case].self)
        let accepted = try cases.indices.filter { index in
            let key = try #require(Bytes32([UInt8](hex: cases[index].pub_key)))
            let signature = try #require(Signature([UInt8](hex: cases[index].signature)))
            return Ed25519.isValid(signature, of: [UInt8](hex: cases[index].message), by: key)
        }
        #expect(cases.count == 12)
        #expect(accepted == [3])
    }

    private static func key(_ hex: String) throws -> SigningKey {
        var bytes = [UInt8](hex: hex)
        return try #require(SigningKey(seed: SecretBytes(moving: &bytes)))
    }
}
