/// How far a peer's changes are all here: what it announced is counted under the number that closed the announcement
/// (`protocol/sync.md §4`).
///
/// Numbers come in order, and each is reached once nothing announced before it is outstanding.
struct Milestones {
    /// Names the announcement under which an offer stands.
    typealias Epoch = UInt64

    private struct Milestone {
        /// Nil as long as no number was given for what is announced under it.
        var number: UInt64?
        var outstanding = 0
    }

    private var open: [Milestone] = [Milestone()]
    /// Epoch of `open`'s first.
    private var first: Epoch = 0
    /// An offer was dropped: nothing later can count as here.
    private var isBroken = false
    /// The newest number up to which everything is here, or about to be stored.
    private(set) var reached: UInt64?
    /// The last number that was announced.
    private(set) var announced: UInt64 = 0

    var count: Int { open.count }

    /// The announcement that is open now.
    var current: Epoch { first + Epoch(open.count - 1) }

    /// Counts one more thing that was announced now and is not here.
    mutating func add() {
        open[open.count - 1].outstanding += 1
    }

    /// Everything up to this number has been announced; false if the number went back.
    ///
    /// With `Limits.milestonesCount` open, later numbers share the last one: they wait a little longer, and cost nothing.
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

    /// Something was announced and neither taken nor noted: the cursor stays where it is for the rest of the session.
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
