import Entries
import Foundation
import Testing

/// Runs `protocol/vectors/payload.json`, which shares nothing with the sources.
struct PayloadVectorTests {
    private struct Vector: Decodable {
        let name: String
        let kind: UInt16
        let hex: String
        let verdict: String
    }

    private static func load() throws -> [Vector] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("protocol/vectors/payload.json")
        return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[place...place + 1]), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func verdict(kind: UInt16, _ bytes: [UInt8]) -> String {
        do throws(PayloadError) {
            _ = try Payload.decode(kind: kind, bytes: bytes)
            return "valid"
        } catch {
            switch error {
            case .form(let error): return error.rule.rawValue
            case .rule(let rule): return rule.rawValue
            case .refusedByDecoder: return "refusedByDecoder"
            }
        }
    }

    @Test func `Every vector gets its verdict`() throws {
        var ran = 0
        for vector in try Self.load() {
            let bytes = try #require(Self.bytes(vector.hex), "\(vector.name)")
            #expect(Self.verdict(kind: vector.kind, bytes) == vector.verdict, "\(vector.name)")
            if vector.kind == EntryKind.post.rawValue {
                #expect(((try? PostOutline(bytes)) != nil) == (vector.verdict == "valid"), "\(vector.name)")
            }
            ran += 1
        }
        #expect(ran == 215)
    }

    @Test func `Every rule has a vector, but for those that need a foreign schema or 64 KiB`() throws {
        let seen = Set(try Self.load().map(\.verdict))
        let rules = FormRule.allCases.map(\.rawValue) + PayloadRule.allCases.map(\.rawValue)
        #expect(Set(rules).subtracting(seen) == ["depth", "boolValue", "payloadLength"])
    }

    @Test func `No vector that is cut short or followed by a byte traps`() throws {
        for vector in try Self.load() {
            let bytes = try #require(Self.bytes(vector.hex))
            for count in 0..<min(bytes.count, 400) {
                _ = Self.verdict(kind: vector.kind, Array(bytes.prefix(count)))
            }
            for byte in UInt8.min...UInt8.max {
                _ = Self.verdict(kind: vector.kind, bytes + [byte])
            }
        }
    }
}
