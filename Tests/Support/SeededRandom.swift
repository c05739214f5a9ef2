internal import Foundation
package import Sodium

/// SplitMix64: the seed that a test prints makes the same run again (`SCURRY_TEST_SEED`).
///
/// `Sync`'s `Chance` is the same generator; but Tests/Support imports only `Entries` and `Sodium`, and this file only
/// `Sodium`, so that the tests of the lowest targets need no others.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// A new seed for each run unless the environment names one; printed, so that a failure can be repeated.
    package static func announced(_ test: String = #function) -> SeededRandom {
        SeededRandom(seed: announcedSeed(test))
    }

    /// The seed of `announced`, for tests that draw each case's from it.
    package static func announcedSeed(_ test: String = #function) -> UInt64 {
        let named = ProcessInfo.processInfo.environment["SCURRY_TEST_SEED"].flatMap { UInt64($0) }
        let seed = named ?? UInt64.random(in: 0...UInt64.max)
        print("SCURRY_TEST_SEED=\(seed) in \(test)")
        return seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    package mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    package mutating func bytes32() -> Bytes32 { Bytes32(bytes(32)) ?? .zero }

    /// Any 64-bit number, the edges and the small ones far too often.
    package mutating func edgy() -> UInt64 {
        switch below(6) {
        case 0: UInt64(below(300))
        case 1: UInt64.max - UInt64(below(3))
        case 2: (1 << 53) - 2 + UInt64(below(4))
        case 3: (1 << 63) - 2 + UInt64(below(4))
        case 4: UInt64(1) << UInt64(below(64))
        default: next()
        }
    }
}
