import Sodium
import Testing

struct SecretBytesTests {
    @Test func `Moving empties where the bytes came from`() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(moving: &bytes)
        #expect(bytes.isEmpty)
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
    }

    @Test func `No bytes are a secret too`() {
        var bytes: [UInt8] = []
        #expect(SecretBytes(moving: &bytes).count == 0)
    }

    @Test func `Equality looks at every byte and at the length`() {
        func secret(_ bytes: [UInt8]) -> SecretBytes {
            var bytes = bytes
            return SecretBytes(moving: &bytes)
        }
        #expect(secret([1, 2, 3]).isEqual(to: secret([1, 2, 3])))
        #expect(!secret([1, 2, 3]).isEqual(to: secret([1, 2, 4])))
        #expect(!secret([1, 2, 3]).isEqual(to: secret([0, 2, 3])))
        #expect(!secret([1, 2, 3]).isEqual(to: secret([1, 2])))
        #expect([UInt8]([1, 2]).isEqualInConstantTime(to: [1, 2]))
        #expect(![UInt8]([1, 2]).isEqualInConstantTime(to: [1, 3]))
        #expect(![UInt8]([1, 2]).isEqualInConstantTime(to: [1]))
    }

    @Test func `An error while filling reaches the caller`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try SecretBytes(count: 8) { _ throws(Failure) in throw Failure() } }
    }

    @Test func `Secrets that are held together lie apart, whatever came and went before`() async {
        // More than a page has, and more than one thread asks for.
        await withTaskGroup(of: Void.self) { group in
            for first in UInt8(0)..<8 {
                group.addTask {
                    for round in UInt8(0)..<20 {
                        let values = (0..<100).map {
                            [UInt8](repeating: first &* 31 &+ round &+ UInt8($0), count: 1 + $0 % 70)
                        }
                        let secrets = values.map { value in
                            var value = value
                            return SecretBytes(moving: &value)
                        }
                        #expect(secrets.map { $0.withUnsafeBytes { Array($0) } } == values)
                    }
                }
            }
        }
    }

    @Test func `A secret that is filled only in part holds nothing of those before it`() {
        for _ in 0..<200 { _ = SecretBytes.random(count: 64) }
        let secrets = (0..<200).map { _ in SecretBytes(count: 64) { $0[0] = 1 } }
        let rest = [UInt8](repeating: 0, count: 63)
        #expect(secrets.allSatisfy { $0.withUnsafeBytes { Array($0.dropFirst()) } == rest })
    }

    @Test func `Random secrets differ`() {
        #expect(!SecretBytes.random(count: 32).isEqual(to: .random(count: 32)))
    }

    @Test func `Wiping leaves nothing behind`() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.wipe()
        #expect(bytes.isEmpty)
    }
}
