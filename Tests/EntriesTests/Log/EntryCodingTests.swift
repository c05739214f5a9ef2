import Entries
import Sodium
import TestSupport
import Testing

struct EntryCodingTests {
    private static let log = LogID(raw: .zero)

    private static func decode(_ bytes: [UInt8], count: Int = 1) throws(EntryCodingError) -> [Entry] {
        try EntryCoding.decode(bytes[...], count: count, log: log, start: 0)
    }

    private static func post(flags: UInt8 = 1, payload: [UInt8] = [1, 2, 3]) -> Entry {
        Entry(flags: flags, kind: 1, log: log, sequence: 0, time: 5, clock: 5, payload: payload)
    }

    @Test func `Any entries come back, and have no second spelling`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<2_000 {
            let start = UInt64(random.below(1000))
            let entries = random.entries(random.below(8), log: Self.log, from: start)
            let bytes = EntryCoding.encode(entries)
            let decoded = try EntryCoding.decode(bytes[...], count: entries.count, log: Self.log, start: start)
            #expect(decoded == entries)
        }
    }

    @Test func `A small post takes five bytes and its time beside the payload`() {
        #expect(EntryCoding.encode([Self.post()]) == [2, 1, 10, 0, 3, 1, 2, 3])
        #expect(EntryCoding.encode([Self.post(flags: 0)]) == [0, 1, 10, 0, 3, 1, 2, 3])
        #expect(EntryCoding.encode([Self.post(flags: 3)]) == [4, 1, 3, 1, 10, 0, 3, 1, 2, 3])
    }

    @Test func `Cut at any length, packed entries are truncated`() {
        var random = SeededRandom.announced()
        for _ in 0..<300 {
            let bytes = EntryCoding.encode(random.entries(3, log: Self.log))
            for count in bytes.indices {
                #expect(throws: EntryCodingError.truncated) { try Self.decode(Array(bytes[..<count]), count: 3) }
            }
            #expect(throws: EntryCodingError.trailingBytes) { try Self.decode(bytes + [0], count: 3) }
            #expect(throws: EntryCodingError.trailingBytes) { try Self.decode(bytes, count: 2) }
        }
    }

    @Test func `A near-valid entry is refused by name`() {
        let hash = [UInt8](repeating: 7, count: 32)
        let cases: [(String, [UInt8], EntryCodingError)] = [
            ("reserved shape bit 3", [8 | 2, 1, 10, 0, 0], .malformed),
            ("reserved shape bit 7", [128 | 2, 1, 10, 0, 0], .malformed),
            ("explicit and erasable", [6, 2, 1, 1, 10, 0, 0], .malformed),
            ("explicit 1, 0", [4, 1, 0, 1, 10, 0, 0], .malformed),
            ("explicit 1, 1", [4, 1, 1, 1, 10, 0, 0], .malformed),
            ("kind in two bytes", [2, 0x81, 0, 10, 0, 0], .malformed),
            ("kind 65536", [2, 0x80, 0x80, 4, 10, 0, 0], .malformed),
            ("time in two bytes", [2, 1, 0x8A, 0, 0, 0], .malformed),
            ("clock in two bytes", [2, 1, 10, 0x80, 0, 0], .malformed),
            ("length in two bytes", [2, 1, 10, 0, 0x80, 0], .malformed),
            ("length 2^32", [2, 1, 10, 0, 0x80, 0x80, 0x80, 0x80, 0x10], .malformed),
            ("payload of 65,537", [2, 1, 10, 0, 0x81, 0x80, 4], .payloadTooLong),
            ("withheld, not erasable", [1, 1, 10, 0, 3] + hash, .bodyRequired),
            ("withheld, not erasable, explicit", [5, 2, 2, 1, 10, 0, 3] + hash, .bodyRequired),
            ("withheld, not erasable, 65,536", [1, 1, 10, 0, 0x80, 0x80, 4] + hash, .bodyRequired),
        ]
        for (name, bytes, error) in cases {
            #expect(throws: error, "\(name)") { try Self.decode(bytes) }
        }
    }

    @Test func `A payload over the limit comes in erased form, whatever bit 0 says`() throws {
        let hash = [UInt8](repeating: 7, count: 32)
        for shape: UInt8 in [1, 3] {
            let entry = try #require(try Self.decode([shape, 1, 10, 0, 0x81, 0x80, 4] + hash).first)
            #expect(entry.header.length == 65_537)
            #expect(entry.body == .withheld)
        }
    }

    @Test func `A count that cannot be true reserves nothing and is refused`() {
        #expect(throws: EntryCodingError.truncated) { try Self.decode([2, 1, 10, 0, 0], count: Int.max) }
    }

    @Test func `Two hundred thousand mutations never trap, and what is read is spelt in one way`() {
        var random = SeededRandom.announced()
        var read = 0
        for _ in 0..<2_000 {
            let original = EntryCoding.encode(random.entries(3, log: Self.log))
            for _ in 0..<100 {
                var bytes = original
                for _ in 0...random.below(4) where !bytes.isEmpty {
                    let place = random.below(bytes.count)
                    switch random.below(4) {
                    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                    case 1: bytes[place] ^= 1 << UInt8(random.below(8))
                    case 2: bytes.remove(at: place)
                    default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                    }
                }
                if let entries = try? Self.decode(bytes, count: 3) {
                    read += 1
                    #expect(EntryCoding.encode(entries) == bytes)
                }
            }
        }
        #expect(read > 1000)
    }
}
