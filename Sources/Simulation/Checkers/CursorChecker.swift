internal import Entries
internal import Storage

/// A cursor never says more than is here: whatever the peer changed up to it, this node holds or durably wants.
///
/// Looked at whenever a node starts, over what the disk has: a cursor that ran ahead of its entries shows after a crash.
extension Trial {
    func checkCursors(of state: StoreState, at site: Site) {
        let held = Dictionary(state.frontier.map { ($0.log, $0.item) }, uniquingKeysWith: { $1 })
        let wanted = Set(state.wants.map(\.log))
        let judged = Set(state.standings.map(\.log))
        for cursor in state.cursors {
            guard let peer = sites.first(where: { $0.node == cursor.peer }), peer.isRunning,
                let theirs = try? peer.home.state(),
                let range = theirs.ranges.first(where: { $0.store == cursor.cursor.store }),
                cursor.cursor.number <= range.last
            else { continue }
            let judgedThere = Set(theirs.standings.map(\.log))
            for row in theirs.frontier where row.number <= cursor.cursor.number {
                let isExempt = wanted.contains(row.log) || judged.contains(row.log) || judgedThere.contains(row.log)
                if isExempt || row.log == site.device?.log || state.setAside.contains(row.log) { continue }
                guard held[row.log]?.size ?? 0 < row.size else { continue }
                findings.append(
                    Finding(
                        "cursor",
                        "node \(site.number) at \(now) has passed change \(row.number) of node \(peer.number), and holds "
                            + "\(held[row.log]?.size ?? 0) of \(row.size) entries of \(row.log.description.prefix(8))"
                    )
                )
                break
            }
        }
    }
}
