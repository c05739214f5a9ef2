import Entries

/// The pages of its frontier that the dialler sends, each once the one before is answered (`protocol/sync.md` §10).
struct ComparisonPages {
    private enum State {
        case idle
        /// A page is on its way; the next one begins behind its bounds.
        case asked(ComparePage)
    }

    private var state = State.idle
    private var page: UInt32 = 0

    var isRunning: Bool {
        switch state {
        case .idle: false
        case .asked: true
        }
    }

    /// The page behind `after`, the first if that is nil.
    mutating func ask(after: LogID?, through: LogID?, logs: [LogSize]) -> ComparePage {
        page += 1
        let asked = ComparePage(page: page, bounds: PageBounds(after: after, through: through), logs: logs)
        state = .asked(asked)
        return asked
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
