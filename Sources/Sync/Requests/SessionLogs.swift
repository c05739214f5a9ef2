import Entries

/// The logs of which a table holds something for each session, so that the end of one costs no walk through the table.
///
/// What the table lets go of stays here until it is most of what a session has: noting a log costs little more than an
/// array does, and letting go of it nothing.
struct SessionLogs {
    private struct Logs {
        /// With some of which nothing is held any more, and some twice.
        var noted: [LogID] = []
        /// Those that are stale are left out once there are so many.
        var sweepAt = 64
    }

    private var sessions: [SessionID: Logs] = [:]

    /// Logs noted for all sessions, with the stale ones; only tests ask.
    var count: Int { sessions.values.reduce(0) { $0 + $1.noted.count } }

    /// Notes a log that the table now holds something of for the session; `isHeld` tells whether it still does.
    mutating func note(_ log: LogID, of session: SessionID, isHeld: (LogID) -> Bool) {
        sessions[session, default: Logs()].noted.append(log)
        guard let logs = sessions[session], logs.noted.count >= logs.sweepAt else { return }
        var seen: Set<LogID> = []
        let held = logs.noted.filter { isHeld($0) && seen.insert($0).inserted }
        sessions[session] = Logs(noted: held, sweepAt: 2 * held.count + 64)
    }

    /// Takes the logs of a session that ended, each once; some may be stale.
    mutating func removeAll(of session: SessionID) -> Set<LogID> {
        Set(sessions.removeValue(forKey: session)?.noted ?? [])
    }
}
