/// Which of the two directions is quiet, as each side said (`protocol/sync.md` §10).
struct Calm {
    /// When a message other than the idle ones of §10 last passed.
    var activeAt: UInt64
    var saidAt: UInt64
    /// The change number within the common scope when this side last said that it is quiet; nil: it was busy since, or
    /// an item was removed.
    var quietAt: UInt64?
    /// The peer's last KeepAlive, if nothing has passed since.
    var theirs: KeepAlive?
    /// When both sides last held the same, as far as this side knows; nil: never.
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
