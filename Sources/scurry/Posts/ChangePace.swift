/// When a live tail looks for what became of the posts that it showed: at most once a second, and after the last change
/// of the store in any case.
struct ChangePace {
    /// Least time from one look to the next: each reads all watched posts, and while the node catches up the store
    /// changes at every poll. A guess.
    private static let restMilliseconds: UInt64 = 1_000

    private var isDue = false
    private var restsUntil: UInt64 = 0

    /// The store has changed: a look is due until one is made.
    mutating func noteChange() {
        isDue = true
    }

    /// Decides whether to look now.
    ///
    /// - Parameter now: monotonic milliseconds.
    /// - Returns: whether to; then it counts as done.
    mutating func takesLook(now: UInt64) -> Bool {
        guard isDue, now >= restsUntil else { return false }
        isDue = false
        restsUntil = now + Self.restMilliseconds
        return true
    }
}
