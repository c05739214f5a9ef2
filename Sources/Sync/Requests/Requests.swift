import Entries

/// The wanted logs: what other nodes offer and this one lacks, one table over all sessions (`protocol/sync.md` §5).
///
/// A log is asked of one peer at a time. A peer that lacks it, is silent or goes away loses its turn to the next
/// offerer; a log that none could supply becomes a patient want, asked of any peer with a backoff.
struct Requests {
    private(set) var wants: [LogID: Want] = [:]
    private(set) var patient = PatientLogs()
    /// Wants charged to the session that offered each first; another offer of the same log, or a want without offers,
    /// is free.
    private(set) var room: Shares
    let bounds: NodeBounds
    private var asked = AskedSessions()
    /// The logs that each session offers, or was asked for in vain.
    private var named = SessionLogs()
    private var late = LateAnswers()
    /// The logs that somebody was asked for in vain, since `passLacks` was last called for them.
    private var lacked = LackedLogs()
    /// The earliest due time of a patient want: until then they need not be scanned.
    var nextDue: UInt64 = .max
    /// Whether a patient want that was due found nobody who may be asked, in the last scan.
    var isAnyHeldUp = false

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

    func want(_ log: LogID) -> Want? { wants[log] }

    // MARK: Whose turn it is

    /// Whether the session may be asked for more than `held`: it offers more and owes no late answer, and nobody is
    /// asked for the log. Who was asked in vain, or gave less than another offers, comes behind the others: else one
    /// that offers at once what it lacked, or one older head after the other, would be asked for ever.
    func isAskable(_ log: LogID, of session: SessionID, held: UInt64) -> Bool {
        guard let want = wants[log], want.asked == nil, !late.has(log, of: session),
            want.offers.contains(where: { $0.session == session && $0.size > held })
        else { return false }
        return !want.lackers.contains(session)
            || !want.offers.contains { offer in
                offer.size > held && !want.lackers.contains(offer.session) && !late.has(log, of: offer.session)
            }
    }

    /// The session was asked for the log in vain, or gave less than another offers; once all offerers were, it comes
    /// behind the others again.
    mutating func noteLack(_ log: LogID, of session: SessionID) {
        guard let offers = wants[log]?.offers, offers.contains(where: { $0.session != session }) else { return }
        modify(log) { want in
            want.lackers.insert(session)
            if offers.allSatisfy({ want.lackers.contains($0.session) }) { want.lackers = [session] }
        }
        lacked.insert(log)
        name(log, session)
    }

    /// Whether `passLacks` has something to do.
    var hasLacks: Bool { !lacked.isEmpty }

    /// Called every few seconds: who was asked in vain may be asked again, since the others may not answer at all. Not
    /// while somebody is asked, or two that are slow would take turns; but then too after so many looks, or one that
    /// gives a drop each time would keep away for good who was late once.
    ///
    /// - Returns: the logs, `limit` at most, to be asked for.
    mutating func passLacks(limit: Int) -> [LogID] {
        var free: [LogID] = []
        for log in lacked.popFirst(limit) {
            guard let want = wants[log] else { continue }
            if want.asked != nil, want.lackLooks < Limits.lackLooksWhileAsked {
                modify(log) { $0.lackLooks += 1 }
                lacked.insert(log)
            } else {
                modify(log) { ($0.lackers, $0.lackLooks) = ([], 0) }
                free.append(log)
            }
        }
        return free
    }

    /// Whether another session offers more than this one has given, and was not asked in vain for it: who boasts of
    /// what it lacks puts nobody behind it.
    func isMoreOffered(_ log: LogID, than end: UInt64, except session: SessionID) -> Bool {
        guard let want = wants[log] else { return false }
        return want.offers.contains {
            $0.session != session && $0.size > end && !want.lackers.contains($0.session)
        }
    }

    // MARK: A session ends

    /// Notes that the session offers the log, or was asked for it in vain.
    mutating func name(_ log: LogID, _ session: SessionID) {
        named.note(log, of: session) { [wants] in wants[$0]?.names(session) == true }
    }

    /// Withdraws all offers of a session. Only what it named or is asked for is gone through: strangers that come and
    /// go would else cost a walk through what all others offer.
    ///
    /// - Returns: the logs affected that are still wanted, ascending: others may be asked now.
    mutating func withdrawAll(by session: SessionID, at now: UInt64) -> [LogID] {
        var orphaned: [LogID] = []
        for log in named.removeAll(of: session).union(asked[session]?.logs ?? []).sorted() {
            let isAffected = wants[log]?.isFor(session) == true
            if isAffected { _ = withdraw(log, by: session, at: now) }
            if wants[log]?.names(session) == true {
                modify(log) { want in
                    want.lackers.remove(session)
                    want.patience?.failed.removeAll { $0 == session }
                }
            }
            if isAffected, wants[log] != nil { orphaned.append(log) }
        }
        late.removeAll(of: session)
        asked.removeAll(of: session)
        // Others may have had to wait for the session.
        if isAnyHeldUp { nextDue = min(nextDue, now) }
        return orphaned
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
        lacked.remove(log)
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
