import Entries

/// Overdue answers whose requests were passed on to other sessions. Until it answers, a session still counts as asked,
/// and is not asked for the log again.
struct LateAnswers {
    private var bySession: [SessionID: [LogID: Requests.Asked]] = [:]

    func has(_ log: LogID, of session: SessionID) -> Bool {
        !bySession.isEmpty && bySession[session]?[log] != nil
    }

    mutating func add(_ log: LogID, _ asked: Requests.Asked) {
        bySession[asked.session, default: [:]][log] = asked
    }

    /// Removes an overdue answer; nil: there is none.
    mutating func remove(_ log: LogID, of session: SessionID) -> Requests.Asked? {
        guard !bySession.isEmpty, let asked = bySession[session]?.removeValue(forKey: log) else { return nil }
        if bySession[session]?.isEmpty == true { bySession[session] = nil }
        return asked
    }

    mutating func removeAll(of session: SessionID) {
        bySession[session] = nil
    }

    /// Whether the chunk is the last of the overdue answer.
    ///
    /// The session may push as well: only a chunk that starts where the answer is due, or has `left`, belongs to it.
    mutating func ends(with chunk: UnverifiedChunk, from session: SessionID) -> Bool {
        guard let asked = bySession[session]?[chunk.log], !chunk.left.isEmpty || chunk.start == asked.next
        else { return false }
        let end = chunk.start + chunk.count
        guard end != chunk.size else { return true }
        bySession[session]?[chunk.log]?.next = end
        return false
    }
}
