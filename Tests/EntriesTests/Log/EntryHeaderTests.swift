import Entries
import Sodium
import TestSupport
import Testing

struct EntryHeaderTests {
    @Test func `Each field stands in its bytes`() throws {
        let header = EntryHeader(
            version: 0xA1,
            flags: 0xA2,
            kind: 0xB1B2,
            log: LogID(raw: try #require(Bytes32(0xC0...0xDF))),
            sequence: 0x0102_0304_0506_0708,
            time: 0x1112_1314_1516_1718,
            clock: 0x2122_2324_2526_2728,
            length: 0x3132_3334,
            payloadHash: PayloadHash(raw: try #require(Bytes32(0x40...0x5F)))
        )
        var expected: [UInt8] = [0xA1, 0xA2, 0xB1, 0xB2]
        expected += Array(0xC0...0xDF)
        expected += Array(0x01...0x08)
        expected += Array(0x11...0x18)
        expected += Array(0x21...0x28)
        expected += Array(0x31...0x34)
        expected += Array(0x40...0x5F)
        #expect(header.bytes == expected)
        #expect(header.bytes.count == 96)
        #expect(header.id.raw == Blake2b.hash(.entry, expected))
    }

    @Test func `An entry's length and hash are its payload's`() {
        var random = SeededRandom.announced()
        let log = LogID(raw: random.bytes32())
        for size in [0, 1, 65_536] {
            let payload = random.bytes(size)
            let entry = Entry(flags: 1, kind: 1, log: log, sequence: 0, time: 0, clock: 0, payload: payload)
            #expect(entry.header.length == UInt32(size))
            #expect(entry.header.payloadHash == PayloadHash(of: payload))
            #expect(entry.id == Entry(withheld: entry.header).id)
        }
    }

    @Test func `Only bit 0 says that the body may be erased`() {
        let log = LogID(raw: .zero)
        for flags in UInt8.min...UInt8.max {
            let entry = Entry(flags: flags, kind: 1, log: log, sequence: 0, time: 0, clock: 0, payload: [])
            #expect(entry.header.isErasable == (flags & 1 == 1))
        }
    }
}
