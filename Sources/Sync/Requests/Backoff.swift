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

    /// When a wait that begins at `now` ends: rounded up to a multiple of `lot`, so that many end together, where each
    /// pass goes through all of them; milliseconds.
    static func due(after delay: UInt64, from now: UInt64, lot: UInt64) -> UInt64 {
        (now + delay + lot - 1) / lot * lot
    }
}
