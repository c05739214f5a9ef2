import Entries
import Sodium

/// The dialler's side of a reconciliation: one run of stages after another (`protocol/sync.md §13`).
struct ReconcileAsker {
    enum State {
        case idle
        case asking(Asking)
        /// What the last stage found is taken over by both sides; `next` begins when that is done, or takes too long.
        case applying(next: ReconcileStage, since: UInt64)
    }

    /// A stage that is under way.
    struct Asking {
        let number: UInt32
        let stage: ReconcileStage
        let items: Negentropy
        let since: UInt64
        var round: UInt32 = 1
        /// Own logs that the other side lacks, as they are.
        var have: [UInt32] = []
        /// Logs of which the other side has told more in this stage.
        var ahead: Set<LogID> = []
        var found = 0
        /// Of each question about items that is not answered: how many may still come.
        var owed: [Int] = []
        /// What is to be asked next was asked, or given up.
        var progress = Progress.asking
        /// What the other side lacks and was not told, as the queue takes it; nil: nothing was told yet.
        var untold: [UInt32]?
    }

    enum Progress: Hashable {
        case asking
        case finished
        case givenUp
    }

    private(set) var state = State.idle
    /// Numbers of stages, over the whole connection.
    private var stages: UInt32 = 0
    private var wasInvited = false

    var isIdle: Bool {
        switch state {
        case .idle: true
        case .asking, .applying: false
        }
    }

    /// The other side owes an answer.
    var isAsking: Bool {
        switch state {
        case .asking(let asking): asking.progress == .asking || !asking.owed.isEmpty
        case .idle, .applying: false
        }
    }

    /// The first answer of a stage is awaited: the other side may fetch first what the stage before found.
    var awaitsOpening: Bool {
        switch state {
        case .asking(let asking): asking.progress == .asking && asking.round == 1
        case .idle, .applying: false
        }
    }

    /// The other side asks for a run, which it does once.
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

    /// What the other side's answer leads to: what is to be asked about items, and of the rest.
    mutating func answer(_ answer: Reconcile) throws(SyncViolation) -> (items: ItemsQuestion?, next: Reconcile?) {
        guard case .asking(var asking) = state, asking.progress == .asking, answer.stage == asking.number,
            answer.round == asking.round
        else { throw .impossibleReconciliation }
        let outcome: Negentropy.Outcome
        do throws(NegentropyError) {
            let limit = Limits.reconciliationFindings - asking.have.count
            outcome = try asking.items.next(answer.message, findingAtMost: limit)
        } catch {
            throw .malformedReconciliation
        }
        asking.have.append(contentsOf: outcome.have.lazy.map(\.log))
        asking.found += outcome.have.count + outcome.need.count
        var question: ItemsQuestion?
        if !outcome.need.isEmpty {
            question = ItemsQuestion(stage: asking.number, ids: outcome.need)
            asking.owed.append(outcome.need.count)
        }
        var next: Reconcile?
        let isTooMuch = asking.round >= Limits.reconciliationRounds || asking.found > Limits.reconciliationFindings
        if let message = outcome.message, !isTooMuch {
            asking.round += 1
            next = Reconcile(stage: asking.number, round: asking.round, message: message)
        } else {
            asking.progress = outcome.message == nil && !outcome.isCutOff ? .finished : .givenUp
        }
        state = .asking(asking)
        return (question, next)
    }

    /// A part of the answer about items, where so much of each log is held.
    mutating func answered(_ items: Items, over size: (LogID) -> UInt64) throws(SyncViolation) {
        guard case .asking(var asking) = state, items.stage == asking.number, let owed = asking.owed.first
        else { throw .unaskedAnswer }
        guard items.logs.count <= owed, items.end != .givenUp else { throw .impossibleReconciliation }
        // Changed in place: who lists many logs, and tells them one by one, would have all of them copied for each.
        state = .idle
        if items.end == .last {
            asking.owed.removeFirst()
        } else {
            asking.owed[0] = owed - items.logs.count
        }
        for held in items.logs where held.item.size > size(held.log) { asking.ahead.insert(held.log) }
        state = .asking(asking)
    }

    /// The stage, if nothing of it is awaited any more.
    var finished: Asking? {
        guard case .asking(let asking) = state, asking.progress != .asking, asking.owed.isEmpty else { return nil }
        return asking
    }

    /// The rest of what the other side lacks is told when the queue has room.
    mutating func keep(_ untold: [UInt32], of asking: Asking) {
        var rest = asking
        rest.untold = untold
        state = .asking(rest)
    }

    /// When the stage that is under way has taken too long; nil: none is.
    var stageEnd: UInt64? {
        guard case .asking(let asking) = state else { return nil }
        return asking.since + Limits.reconciliationStageMilliseconds
    }

    /// Goes on to the next stage, once what was found is taken over; or ends the run.
    mutating func end(_ asking: Asking, count: Int, now: UInt64) {
        let next = asking.progress == .givenUp ? nil : asking.stage.next(found: asking.found, of: count)
        state = next.map { .applying(next: $0, since: now) } ?? .idle
    }
}
