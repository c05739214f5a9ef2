import Entries

/// Comparing whole frontiers, page by page: what the dialler asks, and what the other side has to answer
/// (`protocol/sync.md §10`).
struct Comparison {
    enum State {
        case idle
        /// A page is on its way; `next` begins behind `bounds`.
        case asked(ComparePage)
    }

    private(set) var state = State.idle
    private var page: UInt32 = 0
    private var fruitless = 0
    private(set) var notBefore: UInt64 = 0
    /// What passes now may pass because of the last run.
    private var isRipening = false

    // MARK: The side that was dialled

    /// The page that waits for its answer, and since when.
    private(set) var question: (page: ComparePage, since: UInt64)?
    var isAsked: Bool { question != nil }
    private var heard: UInt32 = 0
    /// When all that was looked through and said is paid for, at `Limits.reconciliationBytesPerMillisecond`.
    private var paidAt: UInt64 = 0

    /// Before this the page is not answered: whoever asks much waits, and not so long that it gives up; nil: there is none.
    var opensAt: UInt64? {
        question.map { question in
            min(
                paidAt - min(paidAt, Limits.reconciliationBurstMilliseconds),
                question.since + Limits.reconciliationWaitMilliseconds
            )
        }
    }

    /// A page has come; only one at a time may wait.
    mutating func asked(_ page: ComparePage, now: UInt64) throws(SyncViolation) {
        guard question == nil, page.page == heard + 1 else { throw .impossiblePage }
        heard = page.page
        question = (page, now)
    }

    /// It is answered, with so many logs out of so many that lie within it.
    mutating func answered(_ logs: Int, of within: Int, now: UInt64) {
        question = nil
        let bytes = UInt64(logs * 40 + within * 4)
        paidAt = max(paidAt, now) + bytes / Limits.reconciliationBytesPerMillisecond
    }

    // MARK: The dialler

    var isRunning: Bool {
        switch state {
        case .idle: false
        case .asked: true
        }
    }

    /// Entries came or went, or histories are compared: if that is because of the last run, the next one need not wait.
    ///
    /// What is offered and wanted alone is not enough: where nobody has it, it would be offered again at once.
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
