import Entries
import Sodium
import Testing

struct PackedTrimTests {
    private static let log = LogID(raw: NetworkID(name: "any log").raw)

    /// Entries of every shape: withheld and whole, explicit and not, with times that go up and down.
    private static func entries() -> [Entry] {
        let times: [UInt64] = [5, 1_790_000_000_000, 0, .max, 1 << 63, 7, 7]
        return times.enumerated().map { index, time in
            let entry = Entry(
                version: index == 3 ? 2 : 1,
                flags: index == 4 ? 9 : 1,
                kind: UInt16(index * 700),
                log: log,
                sequence: UInt64(index),
                time: time,
                clock: time &+ UInt64(index),
                payload: [UInt8](repeating: UInt8(index), count: index * 50)
            )
            return index % 3 == 2 ? Entry(withheld: entry.header) : entry
        }
    }

    @Test func `What is left is what one would write who begins there`() throws {
        let entries = Self.entries()
        let packed = EntryCoding.encode(entries)
        for count in 0...entries.count {
            #expect(try EntryCoding.dropping(UInt64(count), of: packed) == EntryCoding.encode(entries[count...]))
        }
    }

    @Test func `Bytes that end early, and entries of no form, are refused`() throws {
        let packed = EntryCoding.encode(Self.entries())
        #expect(throws: EntryCodingError.self) { try EntryCoding.dropping(8, of: packed) }
        #expect(throws: EntryCodingError.truncated) { try EntryCoding.dropping(.max, of: packed) }
        #expect(throws: EntryCodingError.malformed) { try EntryCoding.dropping(1, of: [8] + packed) }
        let second = EntryCoding.encode(Self.entries()[..<2]).count
        for cut in 0..<second {
            #expect(throws: EntryCodingError.self) { try EntryCoding.dropping(2, of: Array(packed[..<cut])) }
        }
    }
}
