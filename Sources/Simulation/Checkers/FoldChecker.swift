internal import Entries
internal import Storage

/// What each node shows is what the oracle makes of its entries, and the same everywhere.
package enum FoldChecker: Checker {
    package static let name = "fold"

    package static func look(at aftermath: Aftermath) -> [String] {
        var found: [String] = []
        var first: (number: Int, fold: FoldState)?
        for site in aftermath.sites {
            let oracle = fold(of: site)
            if let shown = site.shown { found += compare(shown, oracle, site, at: aftermath.wall) }
            // A body that is wanted is shown where it is, and what was left out counts where it is.
            guard site.wantedBodies == 0, site.gaps.isEmpty else { continue }
            if let first {
                let isComparable = aftermath.sites[first.number].fingerprint == site.fingerprint
                if isComparable, first.fold != oracle {
                    found.append("nodes \(first.number) and \(site.number) hold the same and fold it in two ways")
                }
            } else {
                first = (site.number, oracle)
            }
        }
        return found
    }

    /// The reference, over every entry that counts at a node.
    private static func fold(of site: SiteSnapshot) -> FoldState {
        var fold = FoldState()
        for log in site.entries.keys.sorted() {
            guard let identity = site.identities[log] else { continue }
            for entry in site.entries[log] ?? [] { fold.insert(entry, by: identity) }
        }
        return fold
    }

    private static func compare(
        _ shown: SiteSnapshot.Shown,
        _ oracle: FoldState,
        _ site: SiteSnapshot,
        at wall: UInt64
    ) -> [String] {
        var found: [String] = []
        if shown.feed != Array(oracle.feed(at: wall, for: nil).prefix(10_000)) {
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

    private static func agree(_ row: PostRow?, _ view: PostView?, _ oracle: FoldState) -> Bool {
        guard let row, let view else { return row == nil && view == nil }
        let tallies = oracle.tallies(view.id)
        guard row.up == tallies.up, row.down == tallies.down, row.author == oracle.profile(row.identity).name else {
            return false
        }
        switch (row.content, view.content) {
        case (.shown(let text), .shown(let expected)):
            return text.text == expected.text && text.title == expected.title && text.source == expected.source
        case (.deleted, .deleted), (.wanted, .wanted): return true
        default: return false
        }
    }
}
