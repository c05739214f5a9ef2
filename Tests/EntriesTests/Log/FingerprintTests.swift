import Entries
import Sodium
import TestSupport
import Testing

struct FingerprintTests {
    private static func sum(_ items: [Bytes32]) -> FingerprintSum {
        var sum = FingerprintSum()
        for item in items { sum.insert(item) }
        return sum
    }

    private static func text(_ items: [Bytes32]) -> String { sum(items).fingerprint.bytes.text() }

    // Computed by Python: sum modulo 2^256 little-endian, then the count in base 128, hashlib.sha256.
    @Test func `Fingerprints of known sets`() throws {
        let ones = try #require(Bytes32([UInt8](repeating: 255, count: 32)))
        let one = try #require(Bytes32([1] + [UInt8](repeating: 0, count: 31)))
        #expect(Self.text([]) == "7f9c9e31ac8256ca2f258583df262dbc")
        #expect(Self.text([.zero]) == "1fd4247443c9440cb3c48c2885193719")
        #expect(Self.text([ones]) == "8f04045cb5b643a45a2df62d82153528")
        #expect(Self.text([ones, one]) == "58cc2f44d3a27866874701fbad573da9")
        #expect(Self.text([ones, ones, ones]) == "279f0d266eee2d07ebeb8e8d88bf997e")
        #expect(Self.text([Bytes32](repeating: .zero, count: 127)) == "278d72c99c0dbd2bc015c4cf7a522e28")
        #expect(Self.text([Bytes32](repeating: .zero, count: 128)) == "74c091a8f8c630eebb4563ad692d11f9")
        #expect(Self.text([Bytes32](repeating: .zero, count: 16_384)) == "e8b4297cbb37cbecf16cd3a679c94c18")
    }

    @Test func `The sum carries from word to word`() throws {
        // 2^64 − 1 and 1 make 2^64: word 1 is one, word 0 none.
        let low = try #require(Bytes32([UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 24)))
        let one = try #require(Bytes32([1] + [UInt8](repeating: 0, count: 31)))
        let next = try #require(
            Bytes32([UInt8](repeating: 0, count: 8) + [1] + [UInt8](repeating: 0, count: 23))
        )
        #expect(Self.sum([low, one]) == Self.sum([next, .zero]))
        #expect(Self.sum([low, one]) != Self.sum([.zero, .zero]))
    }

    @Test func `Items come and go in any order`() {
        var random = SeededRandom.announced()
        for _ in 0..<200 {
            let kept = (0..<random.below(20)).map { _ in random.bytes32() }
            let passing = (0..<random.below(20)).map { _ in random.bytes32() }
            var sum = FingerprintSum()
            for item in (kept + passing).shuffled(using: &random) { sum.insert(item) }
            for item in passing.shuffled(using: &random) { sum.remove(item) }
            #expect(sum == Self.sum(kept.shuffled(using: &random)))
            #expect(sum.fingerprint == Self.sum(kept).fingerprint)
            #expect(sum.count == UInt64(kept.count))
        }
    }

    @Test func `A fingerprint has 16 bytes`() {
        #expect(Fingerprint([UInt8](repeating: 0, count: 15)) == nil)
        #expect(Fingerprint([UInt8](repeating: 0, count: 17)) == nil)
        #expect(Fingerprint([UInt8](repeating: 0, count: 16)) != nil)
    }
}
