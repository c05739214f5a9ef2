/// How much each session may bring at once and go before others' history: whoever pushes more than people write waits with
/// the rest.
struct LiveAllowance {
    private struct Level {
        /// What was brought and is not made up for by time, in thousandths of work.
        var owed: UInt64
        var at: UInt64
    }

    private var levels: [SessionID: Level] = [:]

    /// - Returns: whether so much was left; if not, nothing is taken.
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
