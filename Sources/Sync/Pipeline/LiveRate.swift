/// A rate limit on each session's live work, a token bucket: pushes beyond the rate at which people write go into the
/// bulk lane.
///
/// Counts work (`StorePace`), time in milliseconds; bounds: `Limits.liveWorkPerSecond` and `liveBurstWork`. Delays: the
/// bulk lane is stored later.
struct LiveRate {
    private struct Level {
        /// Work taken and not refilled yet, in thousandths.
        var owed: UInt64
        var at: UInt64
    }

    private var levels: [SessionID: Level] = [:]

    /// - Returns: whether the bucket had enough; if not, nothing is taken.
    mutating func take(_ work: UInt64, from session: SessionID, now: UInt64) -> Bool {
        var level = levels[session] ?? Level(owed: 0, at: now)
        let paid = min(level.owed, min(now - min(now, level.at), 1 << 32) * Limits.liveWorkPerSecond)
        level = Level(owed: level.owed - paid, at: now)
        let isLeft = level.owed + work * 1_000 <= Limits.liveBurstWork * 1_000
        if isLeft { level.owed += work * 1_000 }
        levels[session] = level
        return isLeft
    }

    mutating func forget(_ session: SessionID) {
        levels[session] = nil
    }
}
