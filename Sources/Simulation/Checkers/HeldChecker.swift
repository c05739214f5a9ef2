internal import Entries
internal import Sodium

/// Equal items mean equal held entries, and as many as the item says; so many that bodies may be missing.
package enum HeldChecker: Checker {
    package static let name = "held"

    package static func look(at aftermath: Aftermath) -> [String] {
        var found: [String] = []
        var known: [FrontierItem: (number: Int, ids: [EntryID])] = [:]
        for site in aftermath.sites {
            for log in site.items.keys.sorted() {
                guard let item = site.items[log] else { continue }
                let ids = (site.entries[log] ?? []).map(\.id)
                let name = log.description.prefix(8)
                if UInt64(ids.count) != item.size {
                    found.append("node \(site.number) says \(item.size) and holds \(ids.count) entries of \(name)")
                } else if root(of: ids) != (item.size > 0 ? item.root : nil) {
                    found.append("node \(site.number) holds other entries of \(name) than its item says")
                }
                if let other = known[item] {
                    if other.ids != ids {
                        found.append(
                            "nodes \(other.number) and \(site.number) have one item and other entries of \(name)"
                        )
                    }
                } else {
                    known[item] = (site.number, ids)
                }
            }
        }
        return found
    }

    private static func root(of ids: [EntryID]) -> Bytes32? {
        var range = LogRange()
        for id in ids { range.append(leaf: id.raw) }
        return range.root
    }
}
