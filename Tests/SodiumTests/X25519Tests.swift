import Sodium
import TestSupport
import Testing

struct X25519Tests {
    /// RFC 7748 §6.1.
    @Test func `Two sides agree on the published secret`() throws {
        let alice = try Self.key("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = try Self.key("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        #expect(
            alice.publicKey.description == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
        )
        #expect(bob.publicKey.description == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let shared = try #require(alice.sharedSecret(with: bob.publicKey))
        #expect(
            shared.withUnsafeBytes { Array($0) }
                == [UInt8](hex: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        )
        #expect(try #require(bob.sharedSecret(with: alice.publicKey)).isEqual(to: shared))
    }

    /// RFC 7748 §5.2, the first vector.
    @Test func `A scalar times a point gives the published point`() throws {
        let key = try Self.key("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
        let point = try #require(
            Bytes32([UInt8](hex: "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
        )
        let product = try #require(key.sharedSecret(with: point)).withUnsafeBytes { Array($0) }
        #expect(product == [UInt8](hex: "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
    }

    /// The points of order 1, 2, 4 and 8, and their encodings above the field's prime.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func `A key of small order is refused`(hex: String) throws {
        let point = try #require(Bytes32([UInt8](hex: hex)))
        #expect(AgreementKey.random().sharedSecret(with: point) == nil)
    }

    @Test(arguments: [0, 31, 33])
    func `Another length than 32 is no secret`(count: Int) {
        #expect(AgreementKey(secret: .random(count: count)) == nil)
    }

    private static func key(_ hex: String) throws -> AgreementKey {
        var bytes = [UInt8](hex: hex)
        return try #require(AgreementKey(secret: SecretBytes(moving: &bytes)))
    }
}
