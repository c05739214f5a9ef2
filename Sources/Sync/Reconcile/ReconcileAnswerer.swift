import Entries
import Sodium

/// The listener's side of a reconciliation: answers one stage at a time, from one snapshot (`protocol/sync.md` §13).
struct ReconcileAnswerer {
    /// A stage under way.
    private struct Answering {
        let items: Negentropy
        let isWhole: Bool
        let since: UInt64
        /// Items of the last answer that were not asked for yet: only those may be asked for.
        var listed: [Bytes32: UInt32] = [:]
        /// Logs that the other side may still report.
        var room = Limits.reconciliationFindings
    }

    /// A message that waits for its answer, and when it came.
    struct Question {
        let reconcile: Reconcile
        let since: UInt64
    }

    /// Items that were asked for and wait for room in the queue.
    struct Untold {
        let stage: UInt32
        var logs: [UInt32]
    }

    private(set) var question: Question?
    /// In the order of the requests.
    var untold: [Untold] = []
    private var answering: Answering?
    private var stage: UInt32 = 0
    private var round: UInt32 = 0
    private(set) var heardAt: UInt64 = 0
    private var rate = AnswerRate()

    var isIdle: Bool { answering == nil && question == nil }
    /// Whether the next answer begins a stage.
    var isAtStart: Bool { answering == nil }
    /// The earliest time for the next answer: a stage under way does not wait.
    var opensAt: UInt64 { answering == nil ? rate.opensAt(askedAt: question?.since) : 0 }
    /// When the stage times out, which ends the connection; nil: none is under way.
    var stageEnd: UInt64? {
        guard let answering else { return nil }
        let idle = question == nil ? heardAt + Limits.reconciliationIdleMilliseconds : .max
        return min(idle, answering.since + Limits.reconciliationStageMilliseconds)
    }

    mutating func ask(_ reconcile: Reconcile, now: UInt64) throws(SyncViolation) {
        guard question == nil, reconcile.round <= Limits.reconciliationRounds
        else { throw .impossibleReconciliation }
        if answering == nil {
            guard reconcile.stage > stage, reconcile.round == 1 else { throw .impossibleReconciliation }
        } else {
            guard reconcile.stage == stage, reconcile.round == round + 1 else { throw .impossibleReconciliation }
        }
        stage = reconcile.stage
        round = reconcile.round
        heardAt = now
        question = Question(reconcile: reconcile, since: now)
    }

    /// Answers the waiting message; if it begins a stage, over the items of `tree`.
    mutating func answer(_ tree: FingerprintTree, now: UInt64) throws(SyncViolation) -> Reconcile? {
        guard let asked = question?.reconcile else { return nil }
        question = nil
        let items = answering?.items ?? Negentropy(tree, frameLimit: Limits.reconciliationFrameBytes)
        let answer: Negentropy.Answer
        do throws(NegentropyError) {
            answer = try items.answer(asked.message)
        } catch {
            throw .malformedReconciliation
        }
        var current = answering ?? Answering(items: items, isWhole: answer.skipsNothing, since: now)
        current.listed = Dictionary(answer.listed.map { ($0.id, $0.log) }, uniquingKeysWith: { $1 })
        answering = current
        rate.charge(bytes: asked.message.count + answer.message.count, now: now)
        return Reconcile(stage: asked.stage, round: asked.round, message: answer.message)
    }

    /// The logs of the items asked for.
    mutating func logs(_ asked: ItemsQuestion, now: UInt64) throws(SyncViolation) -> [UInt32] {
        guard asked.stage == stage else { throw .impossibleReconciliation }
        heardAt = now
        var logs: [UInt32] = []
        for id in asked.ids {
            guard let log = answering?.listed.removeValue(forKey: id) else { throw .impossibleReconciliation }
            logs.append(log)
        }
        return logs
    }

    /// Takes logs that the other side has; the last message ends the stage.
    ///
    /// - Returns: whether a whole stage was completed.
    mutating func heard(_ items: Items, now: UInt64) throws(SyncViolation) -> Bool {
        guard let answering, question == nil, items.stage == stage else { throw .unaskedAnswer }
        guard items.logs.count <= answering.room else { throw .impossibleReconciliation }
        heardAt = now
        switch items.end {
        case .more:
            self.answering?.room -= items.logs.count
            return false
        case .last:
            self.answering = nil
            return answering.isWhole
        case .givenUp:
            self.answering = nil
            return false
        }
    }
}
