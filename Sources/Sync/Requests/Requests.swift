import Entries

/// What other nodes offer and this one lacks: one table over all sessions (`protocol/sync.md §5`).
///
/// A log is asked of one peer at a time. Who lacks it, is silent or goes away loses its turn to the next that offered as
/// much; what nobody could supply is kept, and asked of anybody, later and later.
struct Requests {
    private var wants: [LogID: Want] = [:]
    private var patient = PatientLogs()
    /// Wants by who offered each first: what somebody else offers as well, or nobody any more, costs no room.
    private var room: Shares
    private let bounds: NodeBounds
    private var asked = AskedSessions()
    private var late = LateAnswers()
    /// No patience ends before this: how long nothing need be looked through.
    private(set) var nextDue: UInt64 = .max

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
    /// Wants that sessions brought, each counted once.
    var offeredCount: Int { room.total }
    /// Logs of which nobody who is there says to have more, but who was asked for it in vain (`protocol/sync.md §5`).
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

    /// Notes that a session offers more of a log than is held.
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
                // The earlier announcement waits for the whole of it now: a cursor that comes late does no harm.
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

    /// The session's cursor waits for the log.
    func isAwaited(_ log: LogID, of session: SessionID) -> Bool {
        wants[log]?.offers.contains { $0.session == session && $0.epoch != nil } ?? false
    }

    /// True if the session may be asked for what lies beyond `held` now.
    func isAskable(_ log: LogID, of session: SessionID, held: UInt64) -> Bool {
        guard let want = wants[log], want.asked == nil, !late.has(log, of: session) else { return false }
        return want.offers.contains { $0.session == session && $0.size > held }
    }

    /// True if the session offers more than `held`, and may be asked for it as far as it goes.
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
        waiting: Waiting = .start,
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

    /// Where the newest entries were asked from, if the chunk says that it leaves others out before it.
    func askedFrom(_ chunk: UnverifiedChunk, by session: SessionID) -> UInt64? {
        guard !chunk.left.isEmpty, let asked = wants[chunk.log]?.asked, asked.session == session,
            case .newest = asked.extent
        else { return nil }
        return asked.next
    }

    /// Whether what the session answers next about the log has to bring its certificate: only the first chunk does.
    func certificateDue(_ log: LogID, from session: SessionID) -> RangeWant.CertificateWish {
        guard let asked = wants[log]?.asked, asked.session == session else { return .known }
        return asked.certificate
    }

    /// A chunk has come; true if it is the next part of an answer.
    ///
    /// Where it ends at its own head the answer is over; what of a patient want may be left is asked of the next.
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

    /// The session has nothing of it; false if it was not asked.
    mutating func lacks(_ log: LogID, _ session: SessionID, at now: UInt64) -> Bool {
        guard wants[log]?.asked?.session == session else { return false }
        release(log, at: now)
        return true
    }

    /// Nobody is asked for it now; what is wanted patiently has its next turn all the same, and not at once.
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

    /// Takes back what a session offered of one log.
    mutating func withdraw(_ log: LogID, by session: SessionID, at now: UInt64) -> Offer? {
        _ = lacks(log, session, at: now)
        var withdrawn: Offer?
        modify(log) { want in
            guard let place = want.offers.firstIndex(where: { $0.session == session }) else { return }
            withdrawn = want.offers.remove(at: place)
        }
        return withdrawn
    }

    /// Takes back all that a session offered.
    ///
    /// - Returns: logs that others still offer, ascending: they may be asked now.
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
        for log in patient.logs where wants[log]?.patience?.failed.contains(session) == true {
            modify(log) { $0.patience?.failed.removeAll { $0 == session } }
        }
        late.removeAll(of: session)
        asked.removeAll(of: session)
        return orphaned.sorted()
    }

    // MARK: Who owes an answer for too long

    /// Lets others be asked for what a session has owed for too long, where somebody else offered it, or it is wanted
    /// patiently.
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

    /// Lets others be asked for one log; false if nobody is asked for it.
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

    /// A session owes an answer still for which others are asked by now.
    func isPassedOn(_ log: LogID, of session: SessionID) -> Bool {
        late.has(log, of: session)
    }

    /// The same where a chunk may be the end of the answer.
    mutating func hasAnsweredLate(_ chunk: UnverifiedChunk, _ session: SessionID) -> Bool {
        late.ends(with: chunk, from: session) && hasAnsweredLate(chunk.log, session)
    }

    /// A session's answer has come to its end; true if others are asked for the log by now: it may be asked for it again.
    mutating func hasAnsweredLate(_ log: LogID, _ session: SessionID) -> Bool {
        guard let asked = late.remove(log, of: session) else { return false }
        self.asked.remove(log, asked)
        return true
    }

    /// So much of the log is here now: gives the offers that this fulfils, and the sessions that may be asked for more.
    mutating func settle(_ log: LogID, at held: UInt64) -> (fulfilled: [Offer], remaining: [SessionID]) {
        var fulfilled: [Offer] = []
        modify(log) { want in
            fulfilled = want.offers.filter { $0.size <= held }
            if !fulfilled.isEmpty { want.offers.removeAll { $0.size <= held } }
            if want.target <= held { want.patience = nil }
        }
        return (fulfilled, candidates(log))
    }

    /// The sessions that may be asked for a log, if nobody is asked now.
    func candidates(_ log: LogID) -> [SessionID] {
        guard let want = wants[log], want.asked == nil else { return [] }
        return want.offers.lazy.map(\.session).filter { !late.has(log, of: $0) }
    }

    /// The most that a session offers that may be asked now; nil if somebody is being asked, or nobody offers any.
    func bestOffer(_ log: LogID) -> UInt64? {
        guard let want = wants[log], want.asked == nil else { return nil }
        return want.offers.lazy.filter { !late.has(log, of: $0.session) }.map(\.size).max()
    }

    /// Nothing from `ceiling` on is asked for any more: offers of more are offers of that much.
    mutating func clip(_ log: LogID, at ceiling: UInt64) {
        modify(log) { want in
            for place in want.offers.indices { want.offers[place].size = min(want.offers[place].size, ceiling) }
            want.target = min(want.target, ceiling)
        }
    }

    /// Forgets a log: it is set aside, or not carried.
    mutating func drop(_ log: LogID) -> [Offer] {
        var offers: [Offer] = []
        modify(log) { want in
            offers = want.offers
            want = Want(target: want.target)
        }
        return offers
    }

    // MARK: Patience

    /// When a want that was asked for so often has its next turn.
    static func turn(after attempts: Int, from now: UInt64) -> UInt64 {
        let delay = Backoff.milliseconds(
            failures: attempts,
            base: Limits.wantRetryMilliseconds,
            maximum: Limits.retryMaximumMilliseconds
        )
        // Many at once: each look goes through all of them.
        let lot = delay / 8
        return (now + delay + lot - 1) / lot * lot
    }

    /// Nobody who offered it has it: anybody is asked later; false if too many such wants are `source`'s already.
    ///
    /// What is offered and lacked again between two turns is no attempt: else peers that tell each other often of what none
    /// of them has would be through with a day's attempts in a minute. What was here and is let go of goes on behind this attempt,
    /// from 1 on.
    mutating func wait(_ item: LogSize, from now: UInt64, by source: NodeID?, behind attempt: Int? = nil) -> Bool {
        let before = wants[item.log]?.patience
        if before == nil {
            let count = source.map(patient.count(of:)) ?? 0
            guard patient.count < bounds.patientWantsCount, count < bounds.patientWantsPerPeerCount else {
                return false
            }
        }
        var patience = before ?? Patience(attempts: 0, due: now, source: source)
        if patience.due <= now { patience.postpone(from: now) }
        if let attempt {
            (patience.attempts, patience.due) = (attempt, min(patience.due, Self.turn(after: attempt - 1, from: now)))
        }
        if wants[item.log] == nil { wants[item.log] = Want(target: item.size) }
        modify(item.log) { $0.patience = patience }
        nextDue = min(nextDue, patience.due)
        return true
    }

    /// A patient want of so much is about to be noted durably; false if that was done.
    mutating func note(_ item: LogSize) -> Bool {
        guard let noted = wants[item.log]?.patience?.noted, noted < item.size else { return false }
        modify(item.log) { $0.patience?.noted = item.size }
        return true
    }

    /// The session offered it, was asked and had nothing: until an answer of it comes it is not believed.
    mutating func fail(_ log: LogID, _ session: SessionID) {
        guard wants[log]?.patience?.failed.contains(session) == false else { return }
        modify(log) { $0.patience?.failed.append(session) }
    }

    /// Nobody is asked for it patiently any more.
    mutating func giveUp(_ log: LogID) {
        modify(log) { $0.patience = nil }
    }

    /// Patient wants whose time has come and that nobody is asked for, ascending.
    mutating func due(at now: UInt64) -> [LogID] {
        guard now >= nextDue else { return [] }
        var due: [LogID] = []
        nextDue = .max
        for log in patient.logs {
            guard let want = wants[log], let patience = want.patience, want.asked == nil else { continue }
            if patience.due <= now {
                due.append(log)
            } else {
                nextDue = min(nextDue, patience.due)
            }
        }
        return due.sorted()
    }

    /// There is nobody to ask: the next look at what is due.
    mutating func lookAgain(at due: UInt64) {
        nextDue = min(nextDue, due)
    }

    // MARK: Private

    /// Changes a want that is there; one that nothing speaks for any more is forgotten.
    private mutating func modify(_ log: LogID, _ change: (inout Want) -> Void) {
        guard let place = wants.index(forKey: log) else { return }
        let before = wants.values[place].asked
        let patience = wants.values[place].patience
        let payer = wants.values[place].offers.first?.session
        change(&wants.values[place])
        let want = wants.values[place]
        pay(from: payer, to: want.offers.first?.session)
        asked.change(log, from: before, to: want.asked)
        patient.change(log, from: patience, to: want.patience)
        if want.offers.isEmpty, want.asked == nil, want.patience == nil { wants.remove(at: place) }
    }

    private mutating func modify(_ log: LogID, orInsert new: Want, _ change: (inout Want) -> Void) {
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
