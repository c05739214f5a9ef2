import Entries
import Sodium
import Testing

@testable import Sync

/// Near-valid messages: each is one step away from one that is read.
struct NegentropyReaderTests {
    private let print = [UInt8](repeating: 7, count: 16)
    private let id = [UInt8](repeating: 9, count: 32)

    private func error(_ bytes: [UInt8]) -> NegentropyError? {
        do throws(NegentropyError) {
            _ = try NegentropyReader.ranges(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `Good messages are read`() {
        #expect(error([0x61]) == nil)
        #expect(error([0x61, 0, 0, 0]) == nil)
        #expect(error([0x61, 0, 0, 2, 0]) == nil)
        #expect(error([0x61, 0, 0, 2, 1] + id) == nil)
        #expect(error([0x61, 1, 0, 0, 2, 0, 0]) == nil)
        #expect(error([0x61, 6, 1, 5, 1] + print + [1, 1, 6, 0]) == nil)
        #expect(error([0x61, 6, 32] + id + [1] + print) == nil)
        #expect(error([0x61, 0x81, 0, 0, 0]) == nil)
        // The greatest time that is not the end.
        #expect(error([0x61, 0x81] + [UInt8](repeating: 0xFF, count: 8) + [0x7F, 0, 0]) == nil)
    }

    @Test func `The version is one`() {
        for bytes in [[], [0x60], [0x62, 0, 0, 0], [0x61 ^ 0x80, 0, 0, 0]] as [[UInt8]] {
            #expect(error(bytes) == .wrongVersion)
        }
    }

    @Test func `A message that ends within a range`() {
        let whole = [0x61, 6, 1, 5, 1] + print + [1, 1, 6, 2, 1] + id
        let ends = [1, 5 + print.count, whole.count]
        for length in 1...whole.count {
            #expect(error(Array(whole.prefix(length))) == (ends.contains(length) ? nil : .truncated), "\(length)")
        }
    }

    @Test func `What follows the end or is no range`() {
        #expect(error([0x61, 0, 0, 0, 0]) == .truncated)
        #expect(error([0x61, 0, 0, 0, 0, 0, 0]) == .boundOutOfOrder)
        #expect(error([0x61, 0, 0, 0, 1, 0, 0]) == .boundOutOfOrder)
    }

    @Test func `Bounds ascend`() {
        #expect(error([0x61, 6, 0, 0, 1, 0, 0]) == .boundOutOfOrder)
        #expect(error([0x61, 6, 1, 5, 0, 1, 1, 5, 0]) == .boundOutOfOrder)
        #expect(error([0x61, 6, 1, 5, 0, 1, 1, 4, 0]) == .boundOutOfOrder)
        #expect(error([0x61, 6, 1, 5, 0, 1, 2, 5, 0, 0]) == .boundOutOfOrder, "the same bound, filled up")
        #expect(error([0x61, 6, 1, 5, 0, 1, 2, 5, 1, 0]) == nil)
    }

    @Test func `Modes are three`() {
        #expect(error([0x61, 0, 0, 3]) == .badMode)
        #expect(error([0x61, 0, 0, 0x81, 0]) == .badMode)
    }

    @Test func `Integers are short`() {
        #expect(error([0x61, 0x80, 6, 0, 0]) == .badInteger)
        #expect(error([0x61, 6, 0x80, 0, 0]) == .badInteger)
        #expect(error([0x61, 6, 0, 0x80, 0]) == .badInteger)
        #expect(error([0x61, 0, 0, 2, 0x80, 0]) == .badInteger)
        #expect(error([0x61, 0x82] + [UInt8](repeating: 0x80, count: 8) + [0, 0, 0]) == .badInteger)
        #expect(error([0x61, 0x81] + [UInt8](repeating: 0x80, count: 9) + [0, 0, 0]) == .badInteger)
    }

    @Test func `Times fit sixty four bits`() {
        let greatest = [0x81] + [UInt8](repeating: 0xFF, count: 8) + [0x7F]
        #expect(error([0x61] + greatest + [0, 0, 1, 1, 1, 0]) == nil)
        #expect(error([0x61] + greatest + [0, 0, 2, 0, 0]) == .timeOverflow)
        #expect(error([0x61] + greatest + [0, 0, 3, 0, 0]) == .timeOverflow)
    }

    @Test func `Prefixes have at most thirty two bytes`() {
        #expect(error([0x61, 6, 33] + id + [1, 0]) == .badPrefix)
        #expect(error([0x61, 0, 1, 5, 0]) == .badPrefix, "the end has none")
    }

    @Test func `Lists have a bound`() {
        let count = Limits.reconciliationIDs
        let length = { (count: Int) in [0x80 | UInt8(count >> 7), UInt8(count & 0x7F)] }
        let ids = [UInt8](repeating: 1, count: 32 * (count + 1))
        #expect(error([0x61, 0, 0, 2] + length(count) + ids.dropLast(32)) == nil)
        #expect(error([0x61, 0, 0, 2] + length(count + 1) + ids) == .idListTooLong)
        // A list of 2⁵⁹ ids has 2⁶⁴ bytes: a length that wraps must not look like one that fits.
        #expect(error([0x61, 0, 0, 2, 0x88] + [UInt8](repeating: 0x80, count: 7) + [0]) == .idListTooLong)
    }

    @Test func `What is written is read as that`() throws {
        var chance = Chance(seed: 5)
        for _ in 0..<200 {
            var writer = NegentropyWriter()
            var expected: [NegentropyRange] = []
            var time: UInt64 = 0
            for _ in 0..<(chance.next() % 9) {
                time += 1 + chance.next() % (1 << (chance.next() % 50))
                let length = Int(chance.next() % 33)
                var id = Bytes32()
                id.withUnsafeMutableBytes { raw in
                    for place in 0..<length { raw[place] = UInt8(truncatingIfNeeded: chance.next()) }
                }
                let end = NegentropyBound(timestamp: time, length: length, id: id)
                switch chance.next() % 3 {
                case 0:
                    writer.append(skipTo: end)
                    expected.append(NegentropyRange(end: end, content: .skip))
                case 1:
                    let print = FingerprintSum().fingerprint
                    writer.append(print, to: end)
                    expected.append(NegentropyRange(end: end, content: .fingerprint(print)))
                default:
                    let ids = (0..<Int(chance.next() % 5)).map { Bytes32(repeating: UInt8($0)) }
                    writer.append(ids, to: end)
                    expected.append(NegentropyRange(end: end, content: .ids(ids)))
                }
            }
            let read = try NegentropyReader.ranges(writer.bytes)
            #expect(read == expected)
        }
    }
}
