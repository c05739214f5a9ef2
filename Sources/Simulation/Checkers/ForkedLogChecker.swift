internal import Entries

/// A log whose writer forked ends in the same item and the same fold everywhere, and is not asked for again.
package enum ForkedLogChecker: Checker {
    package static let name = "forked log"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.ledger.forked.sorted().flatMap { log -> [String] in
            let items = Set(aftermath.sites.map { $0.items[log] })
            let name = log.description.prefix(8)
            var found: [String] = []
            if items.count > 1 { found.append("\(name) has \(items.count) items") }
            for site in aftermath.sites {
                guard let item = site.items[log], let cut = item.cut else { continue }
                if let last = site.entries[log]?.last, last.header.sequence >= cut {
                    found.append("node \(site.number) counts entries of \(name) beyond the cut")
                }
            }
            return found + folds(of: log, aftermath.sites) + questions(about: log, aftermath.sites)
        }
    }

    /// What is left of it says the same everywhere, whatever else is missing.
    private static func folds(of log: LogID, _ sites: [SiteSnapshot]) -> [String] {
        var first: (number: Int, fold: FoldState)?
        for site in sites where site.isWhole(log) {
            let fold = FoldState(of: [log], at: site)
            if let first, first.fold != fold {
                return ["nodes \(first.number) and \(site.number) fold \(log.description.prefix(8)) in two ways"]
            }
            first = first ?? (site.number, fold)
        }
        return []
    }

    /// Nobody asks for entries where nobody lacks any, nor for bodies but those that somebody lacks.
    private static func questions(about log: LogID, _ sites: [SiteSnapshot]) -> [String] {
        // As long as nobody knows that it forked, it is a log as any other.
        guard sites.contains(where: { $0.items[log]?.cut != nil || $0.items[log]?.settled != nil }) else { return [] }
        let isSupplied = sites.allSatisfy { $0.gaps[log] == nil && !hasMoreToCome($0.items[log]) }
        let missing = sites.reduce(into: Set<BodyPlace>()) { $0.formUnion($1.missingBodies) }
        return sites.compactMap { site in
            let entries = isSupplied ? site.quiet.asked.entries[log] ?? 0 : 0
            let bodies = site.quiet.asked.bodies.filter { $0.key.log == log && !missing.contains($0.key) }
            guard entries > 0 || !bodies.isEmpty else { return nil }
            return "node \(site.number) was asked \(entries + bodies.values.reduce(0, +)) times for "
                + "\(log.description.prefix(8)) again"
        }
    }

    /// Entries before the settled end, or before the cut, that nobody may have any more: they were lost with a home, or a liar
    /// keeps them back.
    private static func hasMoreToCome(_ item: FrontierItem?) -> Bool {
        guard let item else { return false }
        return item.size < min(item.cut ?? .max, item.settled?.size ?? item.cut ?? 0)
    }
}
