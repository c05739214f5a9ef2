import Entries

/// A comparison of whole frontiers, page by page (`protocol/sync.md` §10): the dialler's requests, and the listener's
/// answers.
struct Comparison {
    enum State {
        case idle
        /// A page is on its way; the next one begins behind its bounds.
        case asked(ComparePage)
    }

    private(set) var state = State.idle
    private var page: UInt32 = 0
    private var fruitless = 0
    private(set) var notBefore: UInt64 = 0
    /// Whether what is transferred now may be a result of the last run.
    private var isRipening = false

    // MARK: The listener

    /// The page that waits for its answer, and when it came.
    private(set) var question: (page: ComparePage, since: UInt64)?
    var isAsked: Bool { question != nil }
    private var heard: UInt32 = 0
    private var rate = AnswerRate()

    /// The earliest time to answer the page; nil: there is none.
    var opensAt: UInt64? { question.map { rate.opensAt(askedAt: $0.since) } }

    /// Takes a page; only one at a time may wait.
    mutating func asked(_ page: ComparePage, now: UInt64) throws(SyncViolation) {
        guard question == nil, page.page == heard + 1 else { throw .impossiblePage }
        heard = page.page
        question = (page, now)
    }

    /// Charges for an answer that names `logs` logs, out of `within` between the page's bounds.
    mutating func answered(_ logs: Int, of within: Int, now: UInt64) {
        question = nil
        rate.charge(bytes: logs * 40 + within * 4, now: now)
    }

    // MARK: The dialler

    var isRunning: Bool {
        switch state {
        case .idle: false
        case .asked: true
        }
    }

    /// Entries were transferred, or histories are compared: if that may be a result of the last run, the next one need
    /// not wait.
    ///
    /// Offers and wants alone do not count: where nobody has the entries, the same would be offered again at once.
    mutating func brought() {
        guard isRipening else { return }
        fruitless = 0
        notBefore = 0
    }

    /// Both sides are quiet again: nothing more results from the last run.
    mutating func ripened() {
        isRipening = isRunning
    }

    /// The page behind `after`, the first if that is nil.
    mutating func ask(after: LogID?, through: LogID?, logs: [LogSize]) -> ComparePage {
        page += 1
        let asked = ComparePage(page: page, bounds: PageBounds(after: after, through: through), logs: logs)
        state = .asked(asked)
        return asked
    }

    /// Begins a run; until one has a result, each waits twice as long as the one before.
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

    /// Takes an answer; returns where the next page begins.
    mutating func answer(_ answer: ComparisonAnswer) throws(SyncViolation) -> Next {
        guard case .asked(let asked) = state else { throw .unaskedAnswer }
        guard answer.page == asked.page, asked.bounds.hold(answer.logs) else { throw .impossiblePage }
        state = .idle
        // An answer of the maximum length was cut: the next page begins behind its last log.
        if answer.logs.count >= Limits.comparisonLogs, let last = answer.logs.last { return .behind(last.log) }
        return asked.bounds.through.map { .behind($0) } ?? .finished
    }

    enum Next {
        case behind(LogID)
        case finished
    }
}
