/// Which of the two directions has come to rest, as far as it was said (`protocol/sync.md §10`).
struct Calm {
    /// The last time that anything but words about peace passed.
    var activeAt: UInt64
    var saidAt: UInt64
    /// The number of our store when we last said that we are quiet; nil: we were busy since.
    var quietAt: UInt64?
    /// The peer's word, as long as nothing passed since.
    var theirs: KeepAlive?
    /// The last moment at which both held the same, as far as this side knew; nil: there was none.
    var equalAt: UInt64?

    init(now: UInt64) {
        activeAt = now
        saidAt = now
    }

    mutating func disturb(now: UInt64) {
        activeAt = now
        quietAt = nil
        theirs = nil
    }
}
