import Entries

/// Reconciliation: finding the logs that differ where no cursor tells (`protocol/sync.md` §13).
extension NodeMachine {
    /// Whether, without a known cursor, the two frontiers are reconciled rather than listed.
    ///
    /// If the peer's scope exceeds the common one, its size within that is not known, and this node's own is used. A
    /// peer that says 0 logs wants lists.
    func isReconcilable(_ hello: Hello, _ common: Link.CommonScope, own logs: UInt64) -> Bool {
        let own = common.part == nil ? logs : UInt64(frontier.tree(of: common.part).count)
        let theirs = common.scope == hello.scope ? hello.logs : own
        return hello.version >= MessageType.reconcile.version && hello.logs > 0
            && ReconcileStage.isWorthwhile(between: theirs, and: own)
    }

    /// Whether the differences found so far are resolved: fetched here, and served as far as the peer asked.
    func isSettled(_ link: Link) -> Bool { link.isSettled && requests.askedCount(link.session) == 0 }

    /// Does what is due of a reconciliation on a link.
    mutating func reconcile(_ id: SessionID) {
        guard links[id]?.mayReconcile(at: time) == true, let link = links[id] else { return }
        switch link.role {
        case .dialler: goOn(link)
        case .listener:
            tellItems(link.session)
            if let link = links[id] { answerIfSettled(link) }
        }
    }

    // MARK: The dialler

    private mutating func goOn(_ link: Link) {
        switch link.asker.state {
        case .idle:
            // Begins without waiting for quiet: no cursor is known, or traffic never ceases.
            let isOverdue = time >= link.comparedAt + Limits.comparisonMaximumMilliseconds && isDifferent(link)
            let isDue = link.owesReconciliation && isSettled(link)
            guard isDue || isOverdue, time >= link.comparison.pace.notBefore else { return }
            beginReconciling(link.session)
        case .asking:
            guard let finished = link.asker.finished,
                hasRoom(link.session)
            else { return }
            guard endStage(finished, link) == .ended else { return }
            if let link = links[link.session] { goOn(link) }
        case .applying(let next, let since):
            guard isSettled(link) || time >= since + Limits.progressDeadlineMilliseconds else { return }
            beginStage(next, link.session)
        }
    }

    private func isDifferent(_ link: Link) -> Bool {
        guard let word = link.lastWord else { return false }
        let sum = frontier.sum(of: link.part)
        return word.fingerprint != sum.fingerprint || word.count != sum.count
    }

    /// Begins a run with its first stage.
    mutating func beginReconciling(_ id: SessionID) {
        links[id]?.comparison.pace.begin(now: time)
        beginStage(.first(of: frontier.tree(of: links[id]?.part).count), id)
    }

    private mutating func beginStage(_ stage: ReconcileStage, _ id: SessionID) {
        let tree = frontier.tree(of: links[id]?.part)
        guard let question = links[id]?.asker.begin(stage, tree, now: time) else { return }
        links[id]?.progressAt = time
        send(.reconcile(question), to: id)
    }

    mutating func heardReconcile(_ message: Reconcile, from id: SessionID) throws(SyncViolation) {
        guard let link = links[id] else { return }
        switch link.role {
        case .listener:
            try links[id]?.answerer.ask(message, now: time)
        case .dialler where message == .begin:
            try links[id]?.asker.invite()
            links[id]?.owesReconciliation = true
        case .dialler:
            var asker = link.asker
            let (items, next) = try asker.answer(message)
            links[id]?.asker = asker
            links[id]?.progressAt = time
            // ItemsWanted first, since the next round makes the peer forget the ids that it listed.
            if let items { send(.itemsWanted(items), to: id) }
            if let next { send(.reconcile(next), to: id) }
        }
    }

    private enum Ending {
        case ended
        /// The queue is full; the rest follows later.
        case telling
    }

    /// Sends the items that the other side lacks, which ends the stage.
    private mutating func endStage(_ finished: ReconcileAsker.Asking, _ link: Link) -> Ending {
        let id = link.session
        let untold = finished.untold ?? Set(finished.have).sorted().filter { isNews($0, in: finished) }
        let end = finished.progress == .givenUp ? Items.End.givenUp : .last
        let rest = tell(untold, of: finished.number, end: end, to: id)
        guard rest.isEmpty else {
            links[id]?.asker.keep(rest, of: finished)
            return .telling
        }
        links[id]?.asker.end(finished, count: frontier.tree(of: link.part).count, now: time)
        guard links[id]?.asker.isIdle == true else { return .ended }
        links[id]?.comparedAt = time
        if finished.progress == .finished { links[id]?.owesReconciliation = false }
        return .ended
    }

    /// Whether a log is worth telling: not if the peer's Items of this stage showed more of it. Earlier offers do not
    /// count, since the peer may have lost those entries.
    private func isNews(_ log: UInt32, in stage: ReconcileAsker.Asking) -> Bool {
        guard let held = frontier.held(log) else { return false }
        return standings[held.log] != nil || !stage.ahead.contains(held.log)
    }

    /// Sends items as they are now, as many as the queue has room for; the last message carries `end`.
    ///
    /// - Returns: the logs left to send.
    private mutating func tell(_ logs: [UInt32], of stage: UInt32, end: Items.End, to id: SessionID) -> [UInt32] {
        var told: [HeldLog] = []
        var bytes = 0
        var place = 0
        let room = room(id)
        while place < logs.count, bytes < room {
            if logs[place] != withheld, let held = frontier.held(logs[place]) {
                let whole = whole(held, for: id)
                told.append(whole)
                bytes += whole.wireBytes
            }
            place += 1
        }
        let rest = Array(logs[place...])
        var lots = Changes.lots(told, atMost: Limits.itemsPerMessage)
        let last = rest.isEmpty ? lots.popLast() ?? [] : nil
        for lot in lots { send(.items(Items(stage: stage, logs: lot, end: .more)), to: id) }
        if let last { send(.items(Items(stage: stage, logs: last, end: end)), to: id) }
        return rest
    }

    // MARK: The side that was dialled

    /// Answers a question once there is room; the first of a stage waits until the stage before is resolved, within a
    /// deadline.
    private mutating func answerIfSettled(_ link: Link) {
        let id = link.session
        guard let question = link.answerer.question, link.answerer.untold.isEmpty, hasRoom(id),
            time >= link.answerer.opensAt
        else { return }
        guard !link.answerer.isAtStart || isSettled(link) || time >= answerDeadline(link, question) else { return }
        do throws(SyncViolation) {
            guard let answer = try links[id]?.answerer.answer(frontier.tree(of: link.part), now: time) else { return }
            send(.reconcile(answer), to: id)
        } catch {
            violated(id, error)
        }
    }

    private func answerDeadline(_ link: Link, _ question: ReconcileAnswerer.Question) -> UInt64 {
        min(
            max(link.progressAt, question.since) + Limits.reconciliationPatienceMilliseconds,
            question.since + Limits.reconciliationDelayMilliseconds
        )
    }

    mutating func heardItemsWanted(_ question: ItemsQuestion, from id: SessionID) throws(SyncViolation) {
        // The dialler lists no ids for which it could be asked; its answerer throws.
        let logs = try links[id]?.answerer.logs(question, now: time) ?? []
        links[id]?.answerer.untold.append(ReconcileAnswerer.Untold(stage: question.stage, logs: logs))
    }

    /// Sends items that were asked for, as they are now, not as in the snapshot.
    private mutating func tellItems(_ id: SessionID) {
        guard hasRoom(id), let first = links[id]?.answerer.untold.first else { return }
        let rest = tell(first.logs, of: first.stage, end: .last, to: id)
        if rest.isEmpty {
            links[id]?.answerer.untold.removeFirst()
        } else {
            links[id]?.answerer.untold[0].logs = rest
        }
    }

    // MARK: Both

    mutating func heardItems(_ items: Items, from id: SessionID) throws(SyncViolation) {
        guard let role = links[id]?.role, let disputes = links[id]?.disputes.count else { return }
        switch role {
        case .dialler:
            try links[id]?.asker.answered(items) { [frontier] in frontier.size(of: $0) }
            links[id]?.progressAt = time
        case .listener:
            let isWhole = try links[id]?.answerer.heard(items, now: time) ?? false
            if isWhole { links[id]?.owesReconciliation = false }
        }
        try heardWords(items.logs, by: id, as: .announced)
        for held in items.logs { offer(held.item, by: id, as: .announced) }
        if links[id]?.disputes.count != disputes { links[id]?.comparison.pace.brought() }
    }

    // MARK: Deadlines

    /// The future moments at which something of a reconciliation is due on this link.
    func reconcilingDue(_ id: SessionID) -> [UInt64] {
        guard links[id]?.isReconciling == true, let link = links[id], link.canReconcile else { return [] }
        var due: [UInt64] = []
        switch link.asker.state {
        case .idle:
            if link.role == .dialler, link.owesReconciliation { due.append(link.comparison.pace.notBefore) }
        case .asking: break
        case .applying(_, let since): due.append(since + Limits.progressDeadlineMilliseconds)
        }
        if let question = link.answerer.question {
            due.append(max(answerDeadline(link, question), link.answerer.opensAt))
            due.append(link.answerer.opensAt)
        }
        if let end = stageEnd(id) { due.append(end) }
        // Moments in the past wait for something else than time.
        return due.filter { $0 > time }
    }

    /// When the connection is dropped because its reconciliation stage does not go on; nil: no stage is under way.
    func stageEnd(_ id: SessionID) -> UInt64? { links[id]?.asker.stageEnd ?? links[id]?.answerer.stageEnd }
}
