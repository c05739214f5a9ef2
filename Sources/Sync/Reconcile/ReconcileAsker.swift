import Entries
import Sodium

/// The dialler's side of a reconciliation: runs of several stages (`protocol/sync.md` §13).
struct ReconcileAsker {
    enum State {
        case idle
        case asking(Asking)
        /// Both sides fetch what the last stage found; `next` begins when that is done, or takes too long.
        case applying(next: ReconcileStage, since: UInt64)
    }

    /// A stage under way.
    struct Asking {
        let number: UInt32
        let stage: ReconcileStage
        let items: Negentropy
        let since: UInt64
        var round: UInt32 = 1
        /// Logs here that the other side lacks, as they are now.
        var have: [UInt32] = []
        /// Logs of which the other side reported more in this stage.
        var ahead: Set<LogID> = []
        var found = 0
        /// For each open request for items, how many logs may still come.
        var owed: [Int] = []
        /// Whether all Reconcile messages were sent and answered, or the stage was given up.
        var progress = Progress.asking
        /// Logs still to be reported to the other side, as its queue has room; nil: none was reported yet.
        var untold: [UInt32]?
    }

    enum Progress: Hashable {
        case asking
        case finished
        case givenUp
    }

    private(set) var state = State.idle
    /// The number of the last stage on the connection.
    private var stages: UInt32 = 0
    private var wasInvited = false

    var isIdle: Bool {
        switch state {
        case .idle: true
        case .asking, .applying: false
        }
    }

    /// Whether the other side owes an answer.
    var isAsking: Bool {
        switch state {
        case .asking(let asking): asking.progress == .asking || !asking.owed.isEmpty
        case .idle, .applying: false
        }
    }

    /// Whether the first answer of a stage is due, which may be late: the other side may first fetch what the last
    /// stage found.
    var awaitsOpening: Bool {
        switch state {
        case .asking(let asking): asking.progress == .asking && asking.round == 1
        case .idle, .applying: false
        }
    }

    /// The other side asks for a run, which it may do once.
    mutating func invite() throws(SyncViolation) {
        guard !wasInvited else { throw .impossibleReconciliation }
        wasInvited = true
    }

    mutating func begin(_ stage: ReconcileStage, _ tree: FingerprintTree, now: UInt64) -> Reconcile {
        stages += 1
        let items = Negentropy(tree, frameLimit: Limits.reconciliationFrameBytes)
        state = .asking(Asking(number: stages, stage: stage, items: items, since: now))
        return Reconcile(stage: stages, round: 1, message: items.opening(from: stage.start(of: tree.count)))
    }

    /// Takes an answer; returns the request for items, and the next message.
    mutating func answer(_ answer: Reconcile) throws(SyncViolation) -> (items: ItemsQuestion?, next: Reconcile?) {
        guard case .asking(var asking) = state, asking.progress == .asking, answer.stage == asking.number,
            answer.round == asking.round
        else { throw .impossibleReconciliation }
        let step: Negentropy.Step
        do throws(NegentropyError) {
            let limit = Limits.reconciliationFindings - asking.have.count
            step = try asking.items.next(answer.message, findingAtMost: limit)
        } catch {
            throw .malformedReconciliation
        }
        asking.have.append(contentsOf: step.have.lazy.map(\.log))
        asking.found += step.have.count + step.need.count
        var question: ItemsQuestion?
        if !step.need.isEmpty {
            question = ItemsQuestion(stage: asking.number, ids: step.need)
            asking.owed.append(step.need.count)
        }
        var next: Reconcile?
        let isTooMuch = asking.round >= Limits.reconciliationRounds || asking.found > Limits.reconciliationFindings
        if let message = step.message, !isTooMuch {
            asking.round += 1
            next = Reconcile(stage: asking.number, round: asking.round, message: message)
        } else {
            asking.progress = step.message == nil && !step.isCutOff ? .finished : .givenUp
        }
        state = .asking(asking)
        return (question, next)
    }

    /// Takes a part of the answer to a request for items; `size` gives the size held here.
    mutating func answered(_ items: Items, over size: (LogID) -> UInt64) throws(SyncViolation) {
        guard case .asking(var asking) = state, items.stage == asking.number, let owed = asking.owed.first
        else { throw .unaskedAnswer }
        guard items.logs.count <= owed, items.end != .givenUp else { throw .impossibleReconciliation }
        // Moved out and changed in place: otherwise a peer that lists many logs, and reports them one by one, would
        // cause a copy of all of them for each.
        state = .idle
        if items.end == .last {
            asking.owed.removeFirst()
        } else {
            asking.owed[0] = owed - items.logs.count
        }
        for held in items.logs where held.item.size > size(held.log) { asking.ahead.insert(held.log) }
        state = .asking(asking)
    }

    /// The stage, once nothing of it is awaited any more.
    var finished: Asking? {
        guard case .asking(let asking) = state, asking.progress != .asking, asking.owed.isEmpty else { return nil }
        return asking
    }

    /// Keeps the logs still to be reported until the queue has room.
    mutating func keep(_ untold: [UInt32], of asking: Asking) {
        var rest = asking
        rest.untold = untold
        state = .asking(rest)
    }

    /// When the stage times out; nil: none is under way.
    var stageEnd: UInt64? {
        guard case .asking(let asking) = state else { return nil }
        return asking.since + Limits.reconciliationStageMilliseconds
    }

    /// Goes on to the next stage, once the findings are fetched, or ends the run.
    mutating func end(_ asking: Asking, count: Int, now: UInt64) {
        let next = asking.progress == .givenUp ? nil : asking.stage.next(found: asking.found, of: count)
        state = next.map { .applying(next: $0, since: now) } ?? .idle
    }
}
