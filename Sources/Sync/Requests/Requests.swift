import Entries

/// The wanted logs: what other nodes offer and this one lacks, one table over all sessions (`protocol/sync.md §5`).
///
/// A log is asked of one peer at a time. A peer that lacks it, is silent or goes away loses its turn to the next
/// offerer; a log that none could supply becomes a patient want, asked of any peer with a backoff.
struct Requests {
    private(set) var wants: [LogID: Want] = [:]
    private(set) var patient = PatientLogs()
    /// Wants charged to the session that offered each first; another offer of the same log, or a want without offers,
    /// is free.
    private var room: Shares
    let bounds: NodeBounds
    private var asked = AskedSessions()
    private var late = LateAnswers()
    /// The logs that somebody was asked for in vain, since `passLacks` was last called for them; in that order, with
    /// some that are not wanted any more.
    private var lacked: Set<LogID> = []
    private var lackedOrder: [LogID] = []
    /// The earliest due time of a patient want: until then they need not be scanned.
    var nextDue: UInt64 = .max

    init(durable: [LogSize], now: UInt64, bounds: NodeBounds = NodeBounds()) {
        self.bounds = bounds
        room = Shares(capacity: bounds.wantedLogsCount, least: bounds.wantedLogsPerSessionCount)
        for want in durable.prefix(bounds.patientWantsCount) {
            let patience = Patience(attempts: 0, due: now, source: nil, noted: want.size)
            wants[want.log] = Want(patience: patience, target: want.size)
            patient.change(want.log, from: nil, to: patience)
            nextDue = now
        }
    }

    var count: Int { wants.count }
    var patientCount: Int { patient.count }
    /// Wants charged to sessions, each once.
    var offeredCount: Int { room.total }
    /// Logs that no connected peer says to have more of, but those asked in vain (`protocol/node.md` §3).
    var unsuppliedCount: Int { patient.logs.count { wants[$0]?.isClaimed == false } }
    func askedCount(_ session: SessionID) -> Int { asked[session]?.total ?? 0 }
    func askedCount(_ session: SessionID, of owner: UInt64) -> Int { asked[session]?.owners[owner] ?? 0 }

    func askedCount(_ session: SessionID, _ writer: Asking.Writer) -> Int {
        guard let counts = asked[session] else { return 0 }
        return switch writer {
        case .known: counts.total - counts.strangers
        case .unknown: counts.strangers
        }
    }

    /// Records that a session offers more of a log than is held.
    mutating func offer(
        _ item: LogSize,
        by session: SessionID,
        epoch: Milestones.Epoch?
    ) -> OfferOutcome {
        guard wants[item.log] != nil || room.hasRoom(for: 1, session) else { return .refused }
        var outcome = OfferOutcome.new
        modify(item.log, orInsert: Want(target: item.size)) { want in
            want.target = max(want.target, item.size)
            if let place = want.offers.firstIndex(where: { $0.session == session }) {
                // The earlier announcement waits for the larger size too: a cursor that advances late does no harm.
                want.offers[place].size = max(want.offers[place].size, item.size)
                outcome = .known
                if want.offers[place].epoch == nil, epoch != nil {
                    want.offers[place].epoch = epoch
                    outcome = .announced
                }
            } else {
                want.offers.append(Offer(session: session, size: item.size, epoch: epoch))
            }
        }
        return outcome
    }

    func want(_ log: LogID) -> Want? { wants[log] }

    /// Whether the session's cursor waits for the log.
    func isAwaited(_ log: LogID, of session: SessionID) -> Bool {
        wants[log]?.offers.contains { $0.session == session && $0.epoch != nil } ?? false
    }

    /// Whether the session's cursor waits for so much of the log.
    func isAwaited(_ item: LogSize, of session: SessionID) -> Bool {
        wants[item.log]?.offers.contains { $0.session == session && $0.epoch != nil && $0.size >= item.size } ?? false
    }

    /// Whether the session may be asked for more than `held`: it offers more and owes no late answer, and nobody is
    /// asked for the log. Who was asked in vain comes behind the others: else one that offers at once what it lacked
    /// would be asked for ever.
    func isAskable(_ log: LogID, of session: SessionID, held: UInt64) -> Bool {
        guard let want = wants[log], want.asked == nil, !late.has(log, of: session),
            want.offers.contains(where: { $0.session == session && $0.size > held })
        else { return false }
        return !want.lackers.contains(session)
            || !want.offers.contains { offer in
                offer.size > held && !want.lackers.contains(offer.session) && !late.has(log, of: offer.session)
            }
    }

    /// The session was asked for the log in vain; once all offerers were, it comes behind the others again.
    mutating func noteLack(_ log: LogID, of session: SessionID) {
        guard let offers = wants[log]?.offers, offers.contains(where: { $0.session != session }) else { return }
        modify(log) { want in
            want.lackers.insert(session)
            if offers.allSatisfy({ want.lackers.contains($0.session) }) { want.lackers = [session] }
        }
        if lackedOrder.count > 2 * lacked.count + 64 {
            var kept: Set<LogID> = []
            lackedOrder = lackedOrder.filter { lacked.contains($0) && kept.insert($0).inserted }
        }
        if lacked.insert(log).inserted { lackedOrder.append(log) }
    }

    /// Whether `passLacks` has something to do.
    var hasLacks: Bool { !lacked.isEmpty }

    /// Called every few seconds: who was asked in vain may be asked again, since the others may not answer at all.
    ///
    /// - Returns: the logs, `limit` at most, to be asked for.
    mutating func passLacks(limit: Int) -> [LogID] {
        let passed = lackedOrder.prefix(limit)
        lackedOrder.removeFirst(passed.count)
        let wanted = passed.filter { lacked.remove($0) != nil }
        for log in wanted { forgetLacks(log) }
        return wanted
    }

    /// A chunk of an answer was verified: all offerers have their turn again.
    mutating func forgetLacks(_ log: LogID) {
        guard wants[log]?.lackers.isEmpty == false else { return }
        modify(log) { $0.lackers = [] }
    }

    /// Whether the session offers more than `held`, and owes no answer for the log itself.
    func isOffered(_ log: LogID, by session: SessionID, beyond held: UInt64) -> Bool {
        guard let want = wants[log], !late.has(log, of: session), want.asked?.session != session
        else { return false }
        return want.offers.contains { $0.session == session && $0.size > held }
    }

    mutating func ask(
        _ log: LogID,
        of session: SessionID,
        from held: UInt64,
        owner: UInt64?,
        waiting: Waiting,
        branch: RangeWant.Branch = .held,
        extent: RangeWant.Extent = .all,
        certificate: RangeWant.CertificateWish = .known
    ) {
        modify(log) {
            $0.asked = Asked(
                session: session,
                waiting: waiting,
                next: held,
                owner: owner,
                branch: branch,
                extent: extent,
                certificate: certificate
            )
        }
    }

    /// The `from` of the request with `newest` that this chunk with `left` answers; nil if it answers none.
    func askedFrom(_ chunk: UnverifiedChunk, by session: SessionID) -> UInt64? {
        guard !chunk.left.isEmpty, let asked = wants[chunk.log]?.asked, asked.session == session,
            case .newest = asked.extent
        else { return nil }
        return asked.next
    }

    /// Whether the session's next chunk of the log must have its certificate: only the first one of an answer.
    func certificateDue(_ log: LogID, from session: SessionID) -> RangeWant.CertificateWish {
        guard let asked = wants[log]?.asked, asked.session == session else { return .known }
        return asked.certificate
    }

    /// Whether a chunk is the next part of an answer.
    ///
    /// The chunk that ends at its own head ends the answer; the rest of a patient want is asked of the next peer.
    mutating func isAnswer(_ chunk: UnverifiedChunk, from session: SessionID, now: UInt64, received: UInt64 = 0) -> Bool
    {
        var isAnswer = false
        var due = UInt64.max
        modify(chunk.log) { want in
            guard let asked = want.asked, asked.session == session,
                asked.next == chunk.askedFrom ?? chunk.start,
                asked.branch == .held || chunk.proof == .known
            else { return }
            isAnswer = true
            want.patience?.failed.removeAll { $0 == session }
            let end = chunk.start + chunk.count
            guard end == chunk.size else {
                return want.asked = Asked(
                    session: session,
                    waiting: Waiting(since: now, received: received),
                    next: end,
                    owner: asked.owner,
                    branch: asked.branch
                )
            }
            want.asked = nil
            want.patience?.postpone(from: now)
            due = want.patience?.due ?? due
        }
        nextDue = min(nextDue, due)
        return isAnswer
    }

    /// The session lacks the log; false if it was not asked.
    mutating func lacks(_ log: LogID, _ session: SessionID, at now: UInt64) -> Bool {
        guard wants[log]?.asked?.session == session else { return false }
        release(log, at: now)
        return true
    }

    /// Ends the request; a patient want that is due has its next turn after a backoff, not at once.
    private mutating func release(_ log: LogID, at now: UInt64) {
        var due = UInt64.max
        modify(log) { want in
            want.asked = nil
            guard let patience = want.patience else { return }
            if patience.due <= now { want.patience?.postpone(from: now) }
            due = want.patience?.due ?? due
        }
        nextDue = min(nextDue, due)
    }

    /// Withdraws a session's offer of one log.
    mutating func withdraw(_ log: LogID, by session: SessionID, at now: UInt64) -> Offer? {
        _ = lacks(log, session, at: now)
        var withdrawn: Offer?
        modify(log) { want in
            guard let place = want.offers.firstIndex(where: { $0.session == session }) else { return }
            withdrawn = want.offers.remove(at: place)
        }
        return withdrawn
    }

    /// Withdraws all offers of a session.
    ///
    /// - Returns: the logs affected that are still wanted, ascending: others may be asked now.
    mutating func withdrawAll(by session: SessionID, at now: UInt64) -> [LogID] {
        var orphaned: [LogID] = []
        var affected: [LogID] = []
        for (log, want) in wants
        where want.asked?.session == session || want.offers.contains(where: { $0.session == session }) {
            affected.append(log)
        }
        for log in affected {
            _ = withdraw(log, by: session, at: now)
            if wants[log] != nil { orphaned.append(log) }
        }
        for log in lacked where wants[log]?.lackers.contains(session) == true {
            modify(log) { $0.lackers.remove(session) }
        }
        for log in patient.logs where wants[log]?.patience?.failed.contains(session) == true {
            modify(log) { $0.patience?.failed.removeAll { $0 == session } }
        }
        late.removeAll(of: session)
        asked.removeAll(of: session)
        return orphaned.sorted()
    }

    // MARK: Overdue answers

    /// Passes on what a session has owed for too long, if another session offers the log or it is a patient want.
    ///
    /// - Returns: the logs, ascending.
    mutating func passOn(of session: SessionID, at now: UInt64, if isOverdue: (Waiting) -> Bool) -> [LogID] {
        guard let logs = asked[session]?.logs, !logs.isEmpty else { return [] }
        var passed: [LogID] = []
        for log in logs {
            guard let want = wants[log], let asked = want.asked, asked.session == session, isOverdue(asked.waiting),
                want.patience != nil || want.offers.contains(where: { $0.session != session })
            else { continue }
            passed.append(log)
        }
        passed.sort()
        for log in passed { _ = passOn(log, at: now) }
        return passed
    }

    /// Passes on the request for one log; false if there is none.
    mutating func passOn(_ log: LogID, at now: UInt64) -> Bool {
        guard let asked = wants[log]?.asked else { return false }
        var due = UInt64.max
        modify(log) { want in
            want.asked = nil
            want.patience?.postpone(from: now)
            due = want.patience?.due ?? due
        }
        nextDue = min(nextDue, due)
        self.asked.add(log, asked)
        late.add(log, asked)
        return true
    }

    /// Whether the session still owes an answer that was passed on to others.
    func isPassedOn(_ log: LogID, of session: SessionID) -> Bool {
        late.has(log, of: session)
    }

    /// Ends a late answer if the chunk is its last one; false if it is not.
    mutating func finishLate(_ chunk: UnverifiedChunk, _ session: SessionID) -> Bool {
        late.ends(with: chunk, from: session) && finishLate(chunk.log, session)
    }

    /// Ends the session's overdue answer, which is complete, so that it may be asked again; false if there was none.
    mutating func finishLate(_ log: LogID, _ session: SessionID) -> Bool {
        guard let asked = late.remove(log, of: session) else { return false }
        self.asked.remove(log, asked)
        return true
    }

    // MARK: Offers

    /// The log is held up to this size: returns the offers fulfilled, and the sessions that may be asked for more.
    mutating func settle(_ log: LogID, at held: UInt64) -> (fulfilled: [Offer], remaining: [SessionID]) {
        var fulfilled: [Offer] = []
        modify(log) { want in
            fulfilled = want.offers.filter { $0.size <= held }
            if !fulfilled.isEmpty { want.offers.removeAll { $0.size <= held } }
            if want.target <= held { want.patience = nil }
        }
        return (fulfilled, candidates(log))
    }

    /// The sessions that may be asked for a log; none while one is being asked.
    func candidates(_ log: LogID) -> [SessionID] {
        guard let want = wants[log], want.asked == nil else { return [] }
        return want.offers.lazy.map(\.session).filter { !late.has(log, of: $0) }
    }

    /// The largest offer among the sessions that may be asked; nil if there is none, or one is being asked.
    func bestOffer(_ log: LogID) -> UInt64? {
        guard let want = wants[log], want.asked == nil else { return nil }
        return want.offers.lazy.filter { !late.has(log, of: $0.session) }.map(\.size).max()
    }

    /// Cuts all offers of a log to the ceiling, at and beyond which nothing is requested.
    mutating func clip(_ log: LogID, at ceiling: UInt64) {
        modify(log) { want in
            for place in want.offers.indices { want.offers[place].size = min(want.offers[place].size, ceiling) }
            want.target = min(want.target, ceiling)
        }
    }

    /// Drops a log's offers and requests: it is set aside, or not carried.
    mutating func drop(_ log: LogID) -> [Offer] {
        var offers: [Offer] = []
        modify(log) { want in
            offers = want.offers
            want = Want(target: want.target)
        }
        return offers
    }

    // MARK: The table

    /// Changes an existing want, and removes it if it has no offer, request or retries left.
    mutating func modify(_ log: LogID, _ change: (inout Want) -> Void) {
        guard let place = wants.index(forKey: log) else { return }
        let before = wants.values[place].asked
        let patience = wants.values[place].patience
        let payer = wants.values[place].offers.first?.session
        change(&wants.values[place])
        let want = wants.values[place]
        pay(from: payer, to: want.offers.first?.session)
        asked.change(log, from: before, to: want.asked)
        patient.change(log, from: patience, to: want.patience)
        guard want.offers.isEmpty, want.asked == nil, want.patience == nil else { return }
        wants.remove(at: place)
        if !lacked.isEmpty { lacked.remove(log) }
    }

    mutating func modify(_ log: LogID, orInsert new: Want, _ change: (inout Want) -> Void) {
        guard wants[log] == nil else { return modify(log, change) }
        wants[log] = new
        modify(log, change)
    }

    private mutating func pay(from before: SessionID?, to after: SessionID?) {
        guard before != after else { return }
        if let before { room.give(back: 1, before) }
        if let after { room.take(1, after) }
    }
}
