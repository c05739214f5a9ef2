/// How far a peer's changes have been received: counts what is outstanding of each announcement, under the change
/// number that closed it (`protocol/sync.md` §4).
///
/// Numbers ascend, and each is reached once nothing announced before it is outstanding.
struct Milestones {
    /// Identifies the announcement that an offer belongs to.
    typealias Epoch = UInt64

    private struct Milestone {
        /// Nil until a number closes the announcement.
        var number: UInt64?
        var outstanding = 0
    }

    private var open: [Milestone] = [Milestone()]
    /// Epoch of the first of `open`.
    private var first: Epoch = 0
    /// Whether an offer was dropped, so that no later number can be reached.
    private var isBroken = false
    /// The highest number up to which everything is held, or about to be stored.
    private(set) var reached: UInt64?
    /// The last number that the peer announced.
    private(set) var announced: UInt64 = 0

    var count: Int { open.count }

    /// The epoch of the announcement that is not closed yet.
    var current: Epoch { first + Epoch(open.count - 1) }

    /// Counts one more announced item that is not held.
    mutating func add() {
        open[open.count - 1].outstanding += 1
    }

    /// Closes the announcement: everything up to this number has been announced; false if the number went back.
    ///
    /// With `Limits.milestonesCount` open, later numbers share the last one: they are reached a little later, at no
    /// further cost.
    mutating func close(at number: UInt64) -> Bool {
        guard number >= announced else { return false }
        if number == announced { return true }
        announced = number
        open[open.count - 1].number = number
        if open.count < Limits.milestonesCount { open.append(Milestone()) }
        advance()
        return true
    }

    mutating func settle(_ epoch: Epoch) {
        guard epoch >= first, epoch - first < open.count else { return }
        open[Int(epoch - first)].outstanding -= 1
        advance()
    }

    /// An offer was neither taken nor noted: the cursor does not advance for the rest of the session.
    mutating func breakOff() {
        isBroken = true
        reached = nil
    }

    private mutating func advance() {
        let done = open.prefix { $0.number != nil && $0.outstanding == 0 }
        guard let last = done.last else { return }
        if let number = last.number, !isBroken { reached = number }
        first += Epoch(done.count)
        open.removeFirst(done.count)
        if open.last?.number != nil || open.isEmpty { open.append(Milestone()) }
    }
}
