/// Time of an event on both clocks; machines are given it and never read a clock.
package struct Moment: Hashable, Sendable {
    /// Never goes back; deadlines and backoff use it.
    package let monotonicMilliseconds: UInt64
    /// Unix milliseconds of the wall clock; used only to tell how new entries are when logs are listed and served
    /// newest first.
    package let wallMilliseconds: UInt64

    package init(monotonicMilliseconds: UInt64, wallMilliseconds: UInt64) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.wallMilliseconds = wallMilliseconds
    }
}
