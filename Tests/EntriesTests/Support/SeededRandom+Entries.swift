import Entries
import Sodium
import TestSupport

extension SeededRandom {
    /// Any entry that can be packed: all versions, flags, kinds and clocks; withheld where that is allowed.
    mutating func entry(log: LogID, sequence: UInt64) -> Entry {
        let version = chance(3) ? UInt8(truncatingIfNeeded: next()) : EntryHeader.currentVersion
        let flags = chance(3) ? UInt8(truncatingIfNeeded: next()) : UInt8(below(2))
        let kind = chance(3) ? UInt16(truncatingIfNeeded: next()) : UInt16(below(8))
        let time = edgy()
        let clock = edgy()
        let isLong = chance(8)
        if isLong || (flags & 1 == 1 && chance(3)) {
            let length = isLong ? UInt32.random(in: 65_537...UInt32.max, using: &self) : UInt32(below(65_537))
            return Entry(
                withheld: EntryHeader(
                    version: version,
                    flags: flags,
                    kind: kind,
                    log: log,
                    sequence: sequence,
                    time: time,
                    clock: clock,
                    length: length,
                    payloadHash: PayloadHash(raw: bytes32())
                )
            )
        }
        return Entry(
            version: version,
            flags: flags,
            kind: kind,
            log: log,
            sequence: sequence,
            time: time,
            clock: clock,
            payload: bytes(below(chance(10) ? 300 : 12))
        )
    }

    mutating func entries(_ count: Int, log: LogID, from start: UInt64 = 0) -> [Entry] {
        (0..<UInt64(count)).map { entry(log: log, sequence: start + $0) }
    }
}
