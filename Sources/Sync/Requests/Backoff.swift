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
