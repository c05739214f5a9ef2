import Entries

/// What sessions offer of each log: offers come, grow, wait for a cursor, and are fulfilled or withdrawn.
extension Requests {
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
        if outcome == .new { name(item.log, session) }
        return outcome
    }

    /// Whether the session's cursor waits for the log.
    func isAwaited(_ log: LogID, of session: SessionID) -> Bool {
        wants[log]?.offers.contains { $0.session == session && $0.epoch != nil } ?? false
    }

    /// Whether the session's cursor waits for so much of the log.
    func isAwaited(_ item: LogSize, of session: SessionID) -> Bool {
        wants[item.log]?.offers.contains { $0.session == session && $0.epoch != nil && $0.size >= item.size } ?? false
    }

    /// Whether the session offers more than `held`, and owes no answer for the log itself.
    func isOffered(_ log: LogID, by session: SessionID, beyond held: UInt64) -> Bool {
        guard let want = wants[log], !isPassedOn(log, of: session), want.asked?.session != session
        else { return false }
        return want.offers.contains { $0.session == session && $0.size > held }
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
        return want.offers.lazy.map(\.session).filter { !isPassedOn(log, of: $0) }
    }

    /// The largest offer among the sessions that may be asked; nil if there is none, or one is being asked.
    func bestOffer(_ log: LogID) -> UInt64? {
        guard let want = wants[log], want.asked == nil else { return nil }
        return want.offers.lazy.filter { !isPassedOn(log, of: $0.session) }.map(\.size).max()
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
}
