import Sodium
import Testing

struct PasswordHashTests {
    private func secret(_ text: String) -> SecretBytes {
        var bytes = Array(text.utf8)
        return SecretBytes(moving: &bytes)
    }

    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    /// Made by the reference implementation of Argon2: version 1.3, one lane.
    @Test func `A key is what Argon2id says`() throws {
        let key = try #require(
            PasswordHash.key(
                passphrase: secret("correct horse"),
                salt: Array(0..<16),
                cost: PasswordHash.Cost(passes: 2, memoryKibibytes: 8_192)
            )
        )
        #expect(bytes(key) == Self.expected)
    }

    private static let expected: [UInt8] = [
        0x5D, 0x6F, 0xEB, 0x78, 0xFE, 0xC9, 0x62, 0xF9, 0xFE, 0x44, 0x65, 0x11, 0x96, 0x05, 0xB6, 0x4A,
        0x5D, 0xBC, 0xE8, 0xAC, 0xDE, 0x9E, 0x8A, 0xE0, 0xC8, 0xB3, 0xD4, 0xC2, 0xF5, 0x18, 0xC9, 0xA4,
    ]

    @Test(arguments: [("correct horsf", 0, 2), ("correct horse", 1, 2), ("correct horse", 0, 3), ("", 0, 2)])
    func `Another passphrase, salt or cost gives another key`(text: String, salt: UInt8, passes: UInt32) throws {
        let key = try #require(
            PasswordHash.key(
                passphrase: secret(text),
                salt: Array(salt..<salt + 16),
                cost: PasswordHash.Cost(passes: passes, memoryKibibytes: 8_192)
            )
        )
        #expect(bytes(key) != Self.expected)
    }

    @Test func `A cost that protects nothing, or asks for all memory, is not sane`() {
        #expect(PasswordHash.Cost.standard.isSane)
        for cost in [(0, 262_144), (33, 262_144), (3, 8_191), (3, 2_097_153), (.max, .max)] as [(UInt32, UInt32)] {
            #expect(!PasswordHash.Cost(passes: cost.0, memoryKibibytes: cost.1).isSane)
        }
    }
}

struct XChaChaPolyTests {
    /// The example of draft-irtf-cfrg-xchacha, A.3.1.
    @Test func `The published example seals and opens`() throws {
        var plaintext = Array(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8
        )
        let whole = plaintext
        var keyBytes = Array(0x80...0x9F) as [UInt8]
        let (secret, key) = (SecretBytes(moving: &plaintext), SecretBytes(moving: &keyBytes))
        let associated: [UInt8] = [0x50, 0x51, 0x52, 0x53, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7]
        let nonce = Array(0x40...0x57) as [UInt8]
        let sealed = XChaChaPoly.seal(secret, associated: associated, key: key, nonce: nonce)
        #expect(
            sealed.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == """
                bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c670\
                8c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9\
                768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
                """
        )
        let opened = XChaChaPoly.open(sealed, associated: associated, key: key, nonce: nonce)
        #expect(opened?.withUnsafeBytes { Array($0) } == whole)
        for place in [0, 60, sealed.count - 1] {
            var changed = sealed
            changed[place] ^= 1
            #expect(XChaChaPoly.open(changed, associated: associated, key: key, nonce: nonce) == nil)
        }
        #expect(XChaChaPoly.open(sealed, associated: [], key: key, nonce: nonce) == nil)
        #expect(XChaChaPoly.open(Array(sealed.prefix(15)), associated: associated, key: key, nonce: nonce) == nil)
    }
}

struct SealedBoxTests {
    @Test func `What is sealed for a key is opened by it alone`() throws {
        let (reader, other) = (AgreementKey.random(), AgreementKey.random())
        var bytes = Array("a secret".utf8)
        let sealed = AgreementKey.seal(SecretBytes(moving: &bytes), for: reader.publicKey)
        #expect(sealed.count == 8 + AgreementKey.sealOverhead)
        #expect(reader.open(sealed: sealed)?.withUnsafeBytes { Array($0) } == Array("a secret".utf8))
        #expect(other.open(sealed: sealed) == nil)
        var changed = sealed
        changed[50] ^= 1
        #expect(reader.open(sealed: changed) == nil)
        #expect(reader.open(sealed: Array(sealed.prefix(47))) == nil)
    }
}
