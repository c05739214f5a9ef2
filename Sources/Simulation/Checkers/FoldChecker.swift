internal import Entries
internal import Storage

/// Each node shows what the reference fold makes of its entries, and two nodes with the same entries have the same
/// fold.
package enum FoldChecker: Checker {
    package static let name = "fold"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            guard let shown = site.shown else { return [] }
            return compare(shown, FoldState(of: site.entries.keys.sorted(), at: site), site, at: aftermath.wall)
        } + compare(aftermath.sites)
    }

    /// Compares each node with the first, over the logs that both hold whole and with the same items. The two fold
    /// their entries in opposite orders.
    private static func compare(_ sites: [SiteSnapshot]) -> [String] {
        guard let first = sites.first else { return [] }
        var fold: (logs: [LogID], state: FoldState)?
        return sites.dropFirst().compactMap { site in
            let logs = comparable(first, site)
            // Mostly the set of logs is the same for each node: its fold is reused.
            let expected = fold.flatMap { $0.logs == logs ? $0.state : nil } ?? FoldState(of: logs, at: first)
            fold = (logs, expected)
            guard FoldState(of: logs, at: site, .lastFirst) != expected else { return nil }
            return
                "nodes \(first.number) and \(site.number) hold the same of \(logs.count) logs and fold it in two ways"
        }
    }

    /// The logs of people all of whose logs are whole and the same at both: a missing delete affects the person's other
    /// logs.
    private static func comparable(_ one: SiteSnapshot, _ other: SiteSnapshot) -> [LogID] {
        let logs = Set(one.items.keys).union(other.items.keys)
        let odd = logs.filter { one.items[$0] != other.items[$0] || !one.isWhole($0) || !other.isWhole($0) }
        let people = Set(odd.flatMap { [one.identities[$0], other.identities[$0]].compactMap(\.self) })
        return logs.subtracting(odd).filter { log in one.identities[log].map { !people.contains($0) } ?? false }
            .sorted()
    }

    private static func compare(
        _ shown: SiteSnapshot.Shown,
        _ oracle: FoldState,
        _ site: SiteSnapshot,
        at wall: UInt64
    ) -> [String] {
        var found: [String] = []
        if shown.feed != Array(oracle.feed(at: wall, for: nil).prefix(StorageLimits.feedPagePosts)) {
            found.append("node \(site.number) shows another feed")
        }
        let ids = site.entries.keys.sorted().flatMap { site.entries[$0] ?? [] }
            .filter { $0.header.foldedKind == .post }.map(\.id)
        let odd = ids.filter { !agree(shown.posts[$0], oracle.post($0), oracle) }
        if let post = odd.first {
            found.append("node \(site.number) shows \(odd.count) posts otherwise, \(post.description.prefix(8)) first")
        }
        let follows = shown.following.keys.sorted().filter { shown.following[$0] != oracle.following($0) }
        if !follows.isEmpty {
            found.append("node \(site.number) has \(follows.count) people follow others than they do")
        }
        return found
    }

    private static func agree(_ row: PostRow?, _ view: VisiblePost?, _ oracle: FoldState) -> Bool {
        guard let row, let view else { return row == nil && view == nil }
        let tallies = oracle.tallies(view.id)
        return row.content == view.content && row.up == tallies.up && row.down == tallies.down
            && row.author == oracle.profile(row.identity).name
    }
}

extension FoldState {
    /// The order in which entries are folded: it must not matter.
    enum Order {
        case firstFirst
        case lastFirst
    }

    /// The reference fold of every entry of these logs that counts at a node.
    init(of logs: [LogID], at site: SiteSnapshot, _ order: Order = .firstFirst) {
        self.init()
        var counted: [(entry: Entry, identity: IdentityID)] = []
        for log in logs {
            guard let identity = site.identities[log] else { continue }
            for entry in site.entries[log] ?? [] { counted.append((entry, identity)) }
        }
        switch order {
        case .firstFirst: break
        case .lastFirst: counted.reverse()
        }
        for (entry, identity) in counted { insert(entry, by: identity) }
    }
}
