import Entries
import Sodium
import TestSupport
import Testing

/// Runs `protocol/vectors/frontier.json`, which shares nothing with the sources.
struct FrontierVectorTests {
    private struct File: Decodable {
        struct Item: Decodable {
            let log: String
            let size: String
            let root: String
            let cut: String?
            let settled_size: String?
            let settled_root: String?
            let id: String
        }

        struct Set: Decodable {
            let name: String
            let items: [String]
            let fingerprint: String
        }

        struct Text: Decodable {
            let hex: String?
            let text: String
        }

        let items: [Item]
        let fingerprints: [Set]
        let base32: [Text]
    }

    @Test func `Frontier items`() throws {
        var ran = 0
        for vector in try Vectors.own("frontier.json", as: File.self).items {
            var settled: KnownRoot?
            if let size = vector.settled_size, let root = vector.settled_root {
                settled = KnownRoot(size: try number(size), root: try hex32(root))
            }
            let item = FrontierItem(
                log: LogID(raw: try hex32(vector.log)),
                size: try number(vector.size),
                root: try hex32(vector.root),
                cut: try vector.cut.map(number),
                settled: settled
            )
            #expect(item.id.description == vector.id)
            ran += 1
        }
        #expect(ran == 9)
    }

    @Test func `Fingerprints`() throws {
        var ran = 0
        for vector in try Vectors.own("frontier.json", as: File.self).fingerprints {
            var sum = FingerprintSum()
            for item in vector.items { sum.insert(try hex32(item)) }
            #expect(sum.fingerprint.bytes.text() == vector.fingerprint, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 14)
    }

    @Test func `base32`() throws {
        var ran = 0
        for vector in try Vectors.own("frontier.json", as: File.self).base32 {
            #expect(Base32.decode(vector.text) == (try vector.hex.map(hex)), "\(vector.text)")
            if let bytes = try vector.hex.map(hex) { #expect(Base32.encode(bytes) == vector.text) }
            ran += 1
        }
        #expect(ran == 24)
    }
}
