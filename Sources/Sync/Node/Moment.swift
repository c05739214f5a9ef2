/// When something happened, on the two clocks that matter: machines are told the time, they never read it.
package struct Moment: Hashable, Sendable {
    /// Never goes back: deadlines and backoff are reckoned by it.
    package let monotonicMilliseconds: UInt64
    /// Unix milliseconds, as the wall clock claims: it orders what is fetched first, and nothing else.
    package let wallMilliseconds: UInt64

    package init(monotonicMilliseconds: UInt64, wallMilliseconds: UInt64) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.wallMilliseconds = wallMilliseconds
    }
}
