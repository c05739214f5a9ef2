package import Entries
internal import Storage

/// A cursor never says more than is here: whatever the peer changed up to it, this node holds or durably wants.
///
/// Looked at whenever a node starts, and now and then behind a commit that brings a cursor forward, over what the disk has: a
/// cursor that ran ahead of its entries shows after a crash. So it is none of those that look at the end.
package enum CursorChecker {
    package static let name = "cursor"

    /// What was found in words; nil: the cursor that `here` has of a peer, whose disk has `there`, is right.
    ///
    /// A log that either of them judges (settled, forked or set aside) is compared in other ways, and of people who ended their
    /// account nothing is held. What this node itself brought the peer is not told back: a home that was put back to before
    /// that learns of it by a comparison (`protocol/sync.md §4`). So it does of `logs`, which were written here: when a new
    /// device takes the place of one, what never left is withdrawn; and of what the peer could not read for a time, as it
    /// offered a log of which nothing was known here, and then had nothing of it (`Requests.Patience`).
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
    /// Each time of a few peers only: the whole frontier of each is read.
    private static let cursorsLookedAt = 4

    func checkCursors(of state: StoreState, at site: Site, peers: Set<NodeID>) {
        let logs = Set(state.frontier.map(\.log))
        let ended = Set(ledger.ends.filter { logs.contains($0.value) }.keys)
        let cursors = state.cursors.filter { peers.contains($0.peer) }
        // Others each time.
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
