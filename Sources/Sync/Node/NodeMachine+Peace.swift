import Entries

/// Quiet, KeepAlive and the comparison of frontiers that follows if fingerprints differ (`protocol/sync.md` §10).
extension NodeMachine {
    /// Whether nothing is under way with this peer, as far as this side knows.
    func isQuiet(_ id: SessionID) -> Bool {
        links[id]?.isQuiet(at: frontier.number) == true && requests.askedCount(id) == 0 && !bodies.isBusy(id)
            && !gaps.isBusy(id) && !isHeldBack(from: id) && !hasUnread(id)
    }

    /// Whether this side has sent a quiet KeepAlive, and nothing in the common scope has changed since.
    func hasSaidQuiet(_ id: SessionID) -> Bool {
        links[id].map { $0.calm.quietAt == frontier.number(of: $0.part) } ?? false
    }

    /// Sends a KeepAlive when this side has become quiet, or has sent none for long; then begins what is due of a
    /// comparison.
    mutating func keepPeace(_ id: SessionID) {
        dropStaleWants(id)
        reconcile(id)
        guard let activeAt = links[id]?.calm.activeAt, let saidAt = links[id]?.calm.saidAt else { return }
        let isQuiet = isQuiet(id)
        if isQuiet, !hasSaidQuiet(id), time >= activeAt + Limits.quietDelayMilliseconds {
            say(.quiet, to: id)
        } else if time >= saidAt + Limits.keepAliveMilliseconds {
            say(isQuiet ? .quiet : .busy, to: id)
        }
        compareIfCalm(id)
    }

    private mutating func dropStaleWants(_ id: SessionID) {
        for writer in Asking.Writer.allCases {
            while let log = links[id]?.asking.first(writer), !requests.isAskable(log, of: id, held: held(log)) {
                _ = links[id]?.asking.popFirst(writer)
            }
        }
    }

    private mutating func say(_ activity: KeepAlive.Activity, to id: SessionID) {
        let part = links[id]?.part
        let sum = frontier.sum(of: part)
        let word = KeepAlive(
            fingerprint: sum.fingerprint,
            count: sum.count,
            number: frontier.number,
            activity: activity,
            request: .nothing
        )
        send(.keepAlive(word), to: id)
        links[id]?.calm.saidAt = time
        if activity == .quiet { links[id]?.calm.quietAt = frontier.number(of: part) }
    }

    mutating func heardKeepAlive(_ word: KeepAlive, from id: SessionID) throws(SyncViolation) {
        links[id]?.calm.theirs = word
        links[id]?.lastWord = word
        if word.activity == .quiet, word.number > 0 { try closeMilestone(word.number, id) }
        if word.request == .answer { say(isQuiet(id) ? .quiet : .busy, to: id) }
    }

    func isEqual(_ id: SessionID) -> Bool {
        guard let theirs = links[id]?.calm.theirs, theirs.activity == .quiet, hasSaidQuiet(id) else { return false }
        let sum = frontier.sum(of: links[id]?.part)
        return theirs.count == sum.count && theirs.fingerprint == sum.fingerprint
    }

    // MARK: The comparison

    private mutating func compareIfCalm(_ id: SessionID) {
        guard links[id]?.calm.theirs?.activity == .quiet, hasSaidQuiet(id), isQuiet(id) else { return }
        links[id]?.comparison.pace.ripened()
        guard !isEqual(id) else {
            links[id]?.comparedAt = time
            if links[id]?.calm.equalAt == nil, let node = links[id]?.node {
                effects.append(.report(.caughtUp(node)))
            }
            links[id]?.calm.equalAt = time
            return
        }
        guard links[id]?.role == .dialler, time >= links[id]?.comparison.pace.notBefore ?? .max else { return }
        guard links[id]?.canReconcile == false else {
            beginReconciling(id)
            return
        }
        links[id]?.comparison.pace.begin(now: time)
        sendPage(after: nil, to: id)
    }

    private mutating func sendPage(after: LogID?, to id: SessionID) {
        let (logs, isLast) = frontier.page(after: after, limit: Limits.comparePageLogs)
        let through = isLast ? nil : logs.last.map { frontier.id($0) }
        // Only version 1 compares by pages; it knows no logs without entries.
        let shown = logs.filter { $0 != withheld }.map { frontier.item($0) }.filter { $0.size > 0 }
        guard let page = links[id]?.comparison.pages.ask(after: after, through: through, logs: shown) else { return }
        links[id]?.progressAt = time
        send(.compare(page), to: id)
    }

    /// Takes a Compare page from the dialler: its logs count as offers, and an answer is due.
    mutating func heardCompare(_ page: ComparePage, from id: SessionID) throws(SyncViolation) {
        guard links[id]?.role == .listener else { throw .impossiblePage }
        try links[id]?.comparison.answers.asked(page, now: time)
        for item in page.logs { offer(item, by: id, as: .compared) }
    }

    /// Answers a page once there is room and its cost is paid for: the answer may be large, and all logs are searched
    /// for it.
    mutating func answerPage(_ id: SessionID) {
        guard let page = links[id]?.comparison.answers.question?.page, hasRoom(id),
            time >= links[id]?.comparison.answers.opensAt ?? 0
        else { return }
        let here = frontier.logs(within: page.bounds)
        var theirs = page.logs[...]
        var more: [LogSize] = []
        let part = links[id]?.part
        for log in here where log != withheld && frontier.holds(log, in: part) {
            guard more.count < Limits.comparisonLogs else { break }
            let item = frontier.item(log)
            while let shown = theirs.first, shown.log < item.log { theirs = theirs.dropFirst() }
            let shown = theirs.first.flatMap { $0.log == item.log ? $0.size : nil } ?? 0
            if item.size > shown { more.append(item) }
        }
        links[id]?.comparison.answers.answered(more.count, of: here.count, now: time)
        send(.comparison(ComparisonAnswer(page: page.page, logs: more)), to: id)
    }

    mutating func heardComparison(_ answer: ComparisonAnswer, from id: SessionID) throws(SyncViolation) {
        guard let next = try links[id]?.comparison.pages.answer(answer) else { return }
        links[id]?.progressAt = time
        for item in answer.logs { offer(item, by: id, as: .compared) }
        switch next {
        case .behind(let log): sendPage(after: log, to: id)
        case .finished: break
        }
    }
}
