import Sodium
import Sync
import TestSupport
import Testing

/// Expected values from Python's `hmac` over `hashlib.blake2b`.
struct KeyDerivationTests {
    @Test func `HMAC is that of another implementation`() {
        let short = KeyDerivation.authenticate(Array("message".utf8), key: Array("key".utf8))
        #expect(
            short
                == [UInt8](
                    hex: "04e9ada930688cde75eec939782eed653073dd621d7643f813702976257cf037"
                        + "d325b50eedd417c01b6ad1f978fbe2980a93d27d854044e8626df6fa279d6680"
                )
        )
        let full = KeyDerivation.authenticate([], key: [UInt8](0..<128))
        #expect(
            full
                == [UInt8](
                    hex: "e79ec585fc83408cd654da61cc87457edd77cae194e6e4727420fa21a001229e"
                        + "d67f1fb7bb03effaaaec05d2d7902f98bfad11da65b4c08d197eefa96f314b31"
                )
        )
    }

    @Test func `Three keys come from a chaining key`() {
        var chainingKey = [UInt8](0..<64)
        var material = [UInt8](repeating: 7, count: 32)
        let keys = KeyDerivation.derive(
            3,
            from: SecretBytes(moving: &chainingKey),
            mixing: SecretBytes(moving: &material)
        )
        let expected = [
            "47acd76b259436ba7a4bf984362f4830d3d884c441bbb7d3af03138764bf4f75"
                + "f52a655c75b98b4d347e349d5019edc665d83a5405c42132962b7b4e2cae1585",
            "ae9a4db6f985693ebfd798be896f3986eb18f97233e37f80eb44879746c0d808"
                + "8e7a7a1b92d8366caa301589332f9829fa33214f39d54735a90b5b1ad5c46d3d",
            "565b01daf958a7fafbbeefaa10df7ac4f33d291cc3536ab08fd9591bcd9e8314"
                + "7c5d73205599b52b11f3279e4e0d94b4a91cc31d4d3de69c42d7a87fe9479061",
        ]
        #expect(keys.map { $0.withUnsafeBytes { Array($0) } } == expected.map { [UInt8](hex: $0) })
    }
}
