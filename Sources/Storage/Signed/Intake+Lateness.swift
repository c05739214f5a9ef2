internal import Entries
internal import GRDB

/// Notes what came late, for exports since a time (`protocol/bundle.md` §2).
extension Intake {
    /// Notes, of each log that reaches further now than in the file, the first entry behind that, if any of the new
    /// ones is late, or whose body came alone; called when their rows are written.
    func noteLateArrivals() throws {
        let limit = home.moveOn(to: now)
        for id in touchedLogs {
            guard let log = open[id] else { continue }
            let first = min(log.storedReach, dropped[id] ?? log.storedReach)
            guard first < log.reach, try isAnyLate(first..<log.reach, of: log, before: limit) else { continue }
            try lateArrivals.note(first, of: log.number, in: home.hour)
        }
        for (log, first) in lateBodies { try lateArrivals.note(first, of: log, in: home.hour) }
    }

    /// Keeps in mind that a body came whose entry was here before.
    func noteBody(of header: EntryHeader, in log: LogState) {
        guard header.time < LateArrivals.limit(at: now) else { return }
        lateBodies[log.number] = min(lateBodies[log.number] ?? .max, header.sequence)
    }

    /// Of a single entry, as most that come live are, the log knows the time.
    private func isAnyLate(_ range: Range<UInt64>, of log: LogState, before limit: UInt64) throws -> Bool {
        if range.count == 1, range.upperBound == log.size { return log.time < limit }
        return try lateArrivals.isAnyLate(range, of: log.number, before: limit)
    }
}

extension HomeRow {
    /// Moves the hour on to that of `now` (Unix milliseconds); a clock that went back does not bring it back: rather too
    /// much came lately than too little.
    ///
    /// - Parameter now: the machine's time.
    /// - Returns: the time before which an entry was written that comes late.
    mutating func moveOn(to now: UInt64) -> UInt64 {
        hour = max(hour, LateArrivals.hour(of: now))
        return LateArrivals.limit(at: max(now, LateArrivals.start(of: hour)))
    }
}
