/// The listener's answers to the dialler's pages, one at a time, at a rate that bounds what they cost
/// (`protocol/sync.md` §10).
struct PageAnswers {
    /// The page that waits for its answer, and when it came.
    private(set) var question: (page: ComparePage, since: UInt64)?
    /// The number of the last page.
    private var heard: UInt32 = 0
    private var rate = AnswerRate()

    var isAsked: Bool { question != nil }

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
}
