import Entries

/// The dialler's side of comparing whole frontiers, page by page (`protocol/sync.md §10`).
struct Comparison {
    enum State {
        case idle
        /// A page is on its way; `next` begins behind `bounds`.
        case asked(ComparePage)
    }

    private(set) var state = State.idle
    private var page: UInt32 = 0
    /// The responder's: the last page that it answered.
    var answered: UInt32 = 0
    private var fruitless = 0
    private(set) var notBefore: UInt64 = 0
    /// What is wanted now may be wanted because of the last run.
    private var isRipening = false

    var isRunning: Bool {
        switch state {
        case .idle: false
        case .asked: true
        }
    }

    /// Something is wanted, by either side: if that is because of the last run, the next one need not wait.
    mutating func brought() {
        guard isRipening else { return }
        fruitless = 0
        notBefore = 0
    }

    /// Both sides are quiet again: nothing more comes of the last run.
    mutating func ripened() {
        isRipening = isRunning
    }

    /// The page that follows `bounds`, the first if there are none.
    mutating func ask(after: LogID?, through: LogID?, logs: [LogSize]) -> ComparePage {
        page += 1
        let asked = ComparePage(page: page, bounds: PageBounds(after: after, through: through), logs: logs)
        state = .asked(asked)
        return asked
    }

    /// Begins a run; until something comes of it, the next one waits twice as long as this one did.
    mutating func begin(now: UInt64) {
        isRipening = true
        notBefore =
            now
            + Backoff.milliseconds(
                failures: fruitless,
                base: Limits.comparisonRetryMilliseconds,
                maximum: Limits.retryMaximumMilliseconds
            )
        fruitless += 1
    }

    /// Takes an answer, and tells where the next page begins.
    mutating func answer(_ answer: ComparisonAnswer) throws(SyncViolation) -> Next {
        guard case .asked(let asked) = state else { throw .unaskedAnswer }
        guard answer.page == asked.page, asked.bounds.hold(answer.logs) else { throw .impossiblePage }
        state = .idle
        // A list of the greatest length was cut: what lies behind its end is asked for anew.
        if answer.logs.count >= Limits.comparisonLogs, let last = answer.logs.last { return .behind(last.log) }
        return asked.bounds.through.map { .behind($0) } ?? .finished
    }

    enum Next {
        case behind(LogID)
        case finished
    }
}
