import Entries

/// What sessions were asked for, and others are asked for by now: it counts as theirs still, and is not asked of them anew,
/// until they answer.
struct LateAnswers {
    private var bySession: [SessionID: [LogID: Requests.Asked]] = [:]

    func has(_ log: LogID, of session: SessionID) -> Bool {
        !bySession.isEmpty && bySession[session]?[log] != nil
    }

    mutating func add(_ log: LogID, _ asked: Requests.Asked) {
        bySession[asked.session, default: [:]][log] = asked
    }

    /// Nil: it is not late.
    mutating func remove(_ log: LogID, of session: SessionID) -> Requests.Asked? {
        guard !bySession.isEmpty, let asked = bySession[session]?.removeValue(forKey: log) else { return nil }
        if bySession[session]?.isEmpty == true { bySession[session] = nil }
        return asked
    }

    mutating func removeAll(of session: SessionID) {
        bySession[session] = nil
    }

    /// Whether the chunk is the last of the answer.
    ///
    /// Who was to answer may push as well: the answer goes on where it was asked for, or says what it leaves out before it.
    mutating func ends(with chunk: UnverifiedChunk, from session: SessionID) -> Bool {
        guard let asked = bySession[session]?[chunk.log], !chunk.left.isEmpty || chunk.start == asked.next
        else { return false }
        let end = chunk.start + chunk.count
        guard end != chunk.size else { return true }
        bySession[session]?[chunk.log]?.next = end
        return false
    }
}
