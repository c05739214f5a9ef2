import Entries

/// Patient wants: logs that every offerer lacked, asked for again more and more rarely (`protocol/sync.md` §5).
extension Requests {
    /// The retries of a *patient want*: a log that every offerer lacked.
    struct Patience: Hashable {
        var attempts: Int
        var due: UInt64
        /// The node that offered it; nil: an earlier process noted it.
        let source: NodeID?
        /// Sessions that offered it and lacked it: they are asked again, but do not count as having it.
        var failed: [SessionID] = []
        /// The largest size noted durably; the store forgets the want once as much is held.
        var noted: UInt64 = 0

        /// Schedules the next attempt, after one at `now`.
        mutating func postpone(from now: UInt64) {
            due = Requests.turn(after: attempts, from: now)
            attempts += 1
        }
    }

    /// The due time of the next attempt, after `attempts` before this one.
    static func turn(after attempts: Int, from now: UInt64) -> UInt64 {
        let delay = Backoff.milliseconds(
            failures: attempts,
            base: Limits.wantRetryMilliseconds,
            maximum: Limits.retryMaximumMilliseconds
        )
        return Backoff.due(after: delay, from: now, lot: delay / 8)
    }

    /// Makes the log a patient want, since every offerer lacked it; false if there are too many such wants, in total or
    /// from `source`.
    ///
    /// An offer that is lacked again between two turns is no attempt: otherwise peers that often announce to each other
    /// what neither can supply would use up a day's attempts in a minute. `attempt`, from 1 on, is for entries that
    /// were held and let go of: the retries continue behind it.
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
        modify(item.log, orInsert: Want(target: item.size)) { $0.patience = patience }
        nextDue = min(nextDue, patience.due)
        return true
    }

    /// Raises the size noted durably; false if the log has no patient want, or as much was noted.
    mutating func note(_ item: LogSize) -> Bool {
        guard let noted = wants[item.log]?.patience?.noted, noted < item.size else { return false }
        modify(item.log) { $0.patience?.noted = item.size }
        return true
    }

    /// The session offered the log and lacked it: its offer does not count until it answers.
    mutating func fail(_ log: LogID, _ session: SessionID) {
        guard wants[log]?.patience?.failed.contains(session) == false else { return }
        modify(log) { $0.patience?.failed.append(session) }
        name(log, session)
    }

    /// Ends the retries of a log.
    mutating func giveUp(_ log: LogID) {
        modify(log) { $0.patience = nil }
    }

    /// The patient wants that are due and asked of nobody, ascending.
    mutating func due(at now: UInt64) -> [LogID] {
        guard now >= nextDue else { return [] }
        var due: [LogID] = []
        nextDue = .max
        isAnyHeldUp = false
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

    /// Nothing is asked now: scans again at `due`.
    mutating func lookAgain(at due: UInt64) {
        nextDue = min(nextDue, due)
    }

    /// Nobody may be asked: scans again at `due`, or once a session has ended.
    mutating func holdUp(until due: UInt64) {
        isAnyHeldUp = true
        lookAgain(at: due)
    }
}
