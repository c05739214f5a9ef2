import Entries
import Foundation
import Sodium

/// SplitMix64: the seed that a test prints makes the same run again (`SCURRY_TEST_SEED`).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A new seed for each run unless the environment names one; printed, so that a failure can be repeated.
    static func announced(_ test: String = #function) -> SeededRandom {
        let named = ProcessInfo.processInfo.environment["SCURRY_TEST_SEED"].flatMap { UInt64($0) }
        let seed = named ?? UInt64.random(in: 0...UInt64.max)
        print("SCURRY_TEST_SEED=\(seed) in \(test)")
        return SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    mutating func bytes32() -> Bytes32 { Bytes32(bytes(32)) ?? .zero }

    /// Any 64-bit number, the edges and the small ones far too often.
    mutating func edgy() -> UInt64 {
        switch below(6) {
        case 0: UInt64(below(300))
        case 1: UInt64.max - UInt64(below(3))
        case 2: (1 << 53) - 2 + UInt64(below(4))
        case 3: (1 << 63) - 2 + UInt64(below(4))
        case 4: UInt64(1) << UInt64(below(64))
        default: next()
        }
    }

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
