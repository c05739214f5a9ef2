import Entries

/// The logs that each session owes an answer for, with those passed on to another session meanwhile.
struct AskedSessions {
    private var counts: [SessionID: Requests.Asked.Counts] = [:]

    subscript(_ session: SessionID) -> Requests.Asked.Counts? { counts[session] }

    mutating func add(_ log: LogID, _ asked: Requests.Asked) {
        counts[asked.session, default: Requests.Asked.Counts()].add(log, of: asked.owner)
    }

    mutating func remove(_ log: LogID, _ asked: Requests.Asked) {
        counts[asked.session]?.remove(log, of: asked.owner)
        if counts[asked.session]?.total == 0 { counts[asked.session] = nil }
    }

    mutating func removeAll(of session: SessionID) {
        counts[session] = nil
    }

    mutating func change(_ log: LogID, from before: Requests.Asked?, to after: Requests.Asked?) {
        guard before?.session != after?.session || before?.owner != after?.owner else { return }
        if let before { remove(log, before) }
        if let after { add(log, after) }
    }
}
