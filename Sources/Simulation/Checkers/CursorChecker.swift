package import Entries
internal import Storage

/// A cursor never runs ahead of the store: the node holds, or durably wants, every change of the peer up to it.
///
/// It is checked at each start of a node and behind some commits that advance a cursor, against what is on disk: a
/// cursor ahead of its entries shows after a crash. So it is not among `Checkers.all`, which look at the final state.
package enum CursorChecker {
    package static let name = "cursor"

    /// Compares the cursor that `here` keeps of a peer with the peer's state `there`: a description of the first change
    /// that was passed without its entries, or nil.
    ///
    /// Exempt are:
    ///
    /// - logs that either side judges (settled, forked or set aside): other checkers compare them;
    /// - logs of people who ended their account: no entry of them is held;
    /// - changes that this node itself brought the peer: they are not announced back, and a home restored to an earlier
    ///   state learns of them by a comparison (`protocol/sync.md` §4);
    /// - `logs`, written at this node, for the same reason: entries that never left are withdrawn when a new device
    ///   takes over;
    /// - `unreadable` logs, which the peer could not read for a time, if nothing of them is held here: it offered them,
    ///   and then had nothing of them (`Requests.Patience`).
    package static func look(
        at here: StoreState,
        on node: NodeID,
        of peer: NodeID,
        with there: StoreState,
        ended: Set<IdentityID> = [],
        written logs: [LogID] = [],
        unreadable: Set<LogID> = []
    ) -> String? {
        guard let cursor = here.cursors.first(where: { $0.peer == peer })?.cursor,
            let range = there.ranges.first(where: { $0.store == cursor.store }), cursor.number <= range.last
        else { return nil }
        let held = Dictionary(here.frontier.map { ($0.log, $0.size) }, uniquingKeysWith: { $1 })
        // Of a want that is smaller than what the peer told by then, the rest would never be asked for.
        let wanted = Dictionary(here.wants.map { ($0.log, $0.size) }, uniquingKeysWith: max)
        var exempt = Set(here.setAside + (here.standings + there.standings).map(\.log) + logs)
        if let own = here.own?.log { exempt.insert(own) }
        func isHereOrWanted(_ row: FrontierRow) -> Bool {
            max(held[row.log] ?? 0, wanted[row.log] ?? 0) >= row.size
        }
        let passed = there.frontier.first { row in
            row.number <= cursor.number && row.source != node && !exempt.contains(row.log)
                && !ended.contains(row.identity) && !isHereOrWanted(row)
                && (held[row.log] != nil || !unreadable.contains(row.log))
        }
        return passed.map {
            "has passed change \($0.number), and holds \(held[$0.log] ?? 0) and wants \(wanted[$0.log] ?? 0) of "
                + "\($0.size) entries of \($0.log.description.prefix(8))"
        }
    }
}

extension Trial {
    /// Peers compared each time: few, since the whole frontier of each is read.
    private static let cursorsLookedAt = 4

    func checkCursors(of state: StoreState, at site: Site, peers: Set<NodeID>) {
        let logs = Set(state.frontier.map(\.log))
        let ended = Set(ledger.ends.filter { logs.contains($0.value) }.keys)
        let cursors = state.cursors.filter { peers.contains($0.peer) }
        // Rotates through the peers.
        let first = cursors.isEmpty ? 0 : Int(now % UInt64(cursors.count))
        for cursor in (cursors[first...] + cursors[..<first]).prefix(Self.cursorsLookedAt) {
            guard let peer = sites.first(where: { $0.node == cursor.peer }), peer.isRunning,
                let theirs = try? peer.home.state(),
                let found = CursorChecker.look(
                    at: state,
                    on: site.node,
                    of: peer.node,
                    with: theirs,
                    ended: ended,
                    written: site.logs,
                    unreadable: peer.unreadable
                )
            else { continue }
            findings.append(
                Finding(CursorChecker.name, "node \(site.number) at \(now), of node \(peer.number): \(found)")
            )
        }
    }
}
