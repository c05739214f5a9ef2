/// Exponential backoff.
enum Backoff {
    /// `base · 2^failures`, at most `maximum`; milliseconds.
    static func milliseconds(failures: Int, base: Int, maximum: Int) -> UInt64 {
        let factor = 1 << min(max(failures, 0), 32)
        return UInt64(min(base.multipliedReportingOverflow(by: factor).partialValue, maximum))
    }

    /// That wait, reduced at random to between a tenth and the whole: nodes that failed together do not retry together.
    static func jittered(failures: Int, base: Int, maximum: Int, chance: inout Chance) -> UInt64 {
        let whole = milliseconds(failures: failures, base: base, maximum: maximum)
        return chance.number(in: whole / 10...whole)
    }
}

/// A seeded generator (SplitMix64), so that a node with the same seed makes the same choices.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(in range: ClosedRange<UInt64>) -> UInt64 {
        UInt64.random(in: range, using: &self)
    }
}
