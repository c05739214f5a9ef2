internal import Entries
internal import Sodium

/// Nodes with equal items hold equal entries and times, as many as the item says; bodies and one gap may be missing.
///
/// Whether a gap may be there at all is for `SuppliedChecker`.
package enum HeldChecker: Checker {
    package static let name = "held"

    package static func look(at aftermath: Aftermath) -> [String] {
        var found: [String] = []
        var known: [FrontierItem: [UInt64: (id: EntryID, number: Int)]] = [:]
        var times: [FrontierItem: (time: UInt64, number: Int)] = [:]
        for site in aftermath.sites {
            for log in site.items.keys.sorted() {
                guard let item = site.items[log] else { continue }
                let entries = site.entries[log] ?? []
                found += compare(entries, item, site)
                if let time = site.times[log], site.gaps[log] == nil {
                    let first = times[item] ?? (time, site.number)
                    times[item] = first
                    if first.time != time {
                        found.append(
                            "nodes \(first.number) and \(site.number) have one item and two times of "
                                + "\(log.description.prefix(8)): \(first.time) and \(time)"
                        )
                    }
                }
                for entry in entries {
                    let sequence = entry.header.sequence
                    guard let other = known[item]?[sequence] else {
                        known[item, default: [:]][sequence] = (entry.id, site.number)
                        continue
                    }
                    guard other.id != entry.id else { continue }
                    found.append(
                        "nodes \(other.number) and \(site.number) have one item and two entries \(sequence) of "
                            + "\(log.description.prefix(8))"
                    )
                    break
                }
            }
        }
        return found
    }

    private static func compare(_ entries: [Entry], _ item: FrontierItem, _ site: SiteSnapshot) -> [String] {
        let name = item.log.description.prefix(8)
        let gap = site.gaps[item.log]?.clamped(to: 0..<item.size)
        let wanted = (0..<item.size).lazy.filter { !(gap?.contains($0) ?? false) }
        if !entries.lazy.map(\.header.sequence).elementsEqual(wanted) {
            let left = gap.map { " without \($0)" } ?? ""
            return ["node \(site.number) says \(item.size)\(left) and holds \(entries.count) entries of \(name)"]
        }
        // With a gap the root cannot be computed: `look` compares the entries with those of other nodes.
        guard gap?.isEmpty ?? true else { return [] }
        if root(of: entries) != item.root {
            return ["node \(site.number) holds other entries of \(name) than its item says"]
        }
        return []
    }

    private static func root(of entries: [Entry]) -> Bytes32? {
        var range = LogRange()
        for entry in entries { range.append(leaf: entry.id.raw) }
        return range.root
    }
}
