import Sodium
import TestSupport
import Testing

/// Expected values from Python: `hashlib.blake2b(data, digest_size=32, person=tag.ljust(16, b"\0"))`.
struct Blake2bTests {
    @Test(arguments: [
        ("campus", "15acd7b1d76659516b0b87a1d63efac2f53bc378f20e7550a51bf93d38febfd7"),
        ("", "b5dcd56030e2a63aaf6276934b97171648544b00fb3531e096f9954fa501bc25"),
    ])
    func `Tagged hashes are those of another implementation`(text: String, hash: String) {
        #expect(Blake2b.hash(HashTag("scurry/network"), Array(text.utf8)).description == hash)
    }

    @Test func `Another tag is another hash`() {
        let hash = Blake2b.hash(HashTag("scurry/entry"), [])
        #expect(hash.description == "d4827ae94e1eca182201962492895431e5be0c7c8a573ff32185d8279ddd4658")
    }

    @Test func `More than one block hashes as it should`() {
        let hash = Blake2b.hash(HashTag("scurry/entry"), [UInt8](0...255))
        #expect(hash.description == "6e28c933beb59f1274b82c395fc7a73d14bb8a8a5563e9cf8ac155957425348f")
    }

    @Test func `A tag may fill its sixteen bytes or be empty`() {
        let full = Blake2b.hash(HashTag("0123456789abcdef"), Array("abc".utf8))
        #expect(full.description == "139dad3b92ad7c4601ae1ba6c616ca59699c6b1e8e789d095e1bec905871f612")
        let empty = Blake2b.hash(HashTag(""), Array("abc".utf8))
        #expect(empty.description == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }

    @Test func `A pair hashes as left then right`() throws {
        let left = try #require(Bytes32([UInt8](repeating: 1, count: 32)))
        let right = try #require(Bytes32([UInt8](repeating: 2, count: 32)))
        let hash = Blake2b.hash(HashTag("scurry/node"), left, right)
        #expect(hash.description == "274b7255549c05e214c9b0c26bf3b9570c7d4cba95a95a55118ce304cd439974")
        #expect(hash == Blake2b.hash(HashTag("scurry/node"), left.bytes + right.bytes))
    }

    @Test func `A secret hashes as its bytes do`() {
        var bytes = [UInt8](repeating: 0, count: 16)
        let hash = Blake2b.hash(HashTag("scurry/root"), SecretBytes(moving: &bytes))
        #expect(
            hash.withUnsafeBytes { Array($0) }
                == [UInt8](hex: "32399b54bffd306c939718f6cfce975a9fb66b467b9414cd51d071c74d580a1f")
        )
    }

    @Test func `The long hash has no tag`() {
        let hash = Blake2b.hash512(Array("abc".utf8))
        #expect(
            hash
                == [UInt8](
                    hex: "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                        + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
                )
        )
        let empty = Blake2b.hash512([])
        #expect(
            empty
                == [UInt8](
                    hex: "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
                        + "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce"
                )
        )
    }

    /// FIPS 180-4.
    @Test func `SHA-256 gives the published values`() {
        let empty = SHA256.hash([])
        #expect(empty.description == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let abc = SHA256.hash(Array("abc".utf8))
        #expect(abc.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
