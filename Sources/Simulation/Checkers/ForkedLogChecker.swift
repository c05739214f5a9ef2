internal import Entries

/// A log whose writer forked ends with the same item and fold at every node, and is not requested again.
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

    /// The remaining entries of the log fold alike at every node that holds them whole.
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

    /// No node requests entries that nobody lacks, or bodies other than those that some node lacks.
    private static func questions(about log: LogID, _ sites: [SiteSnapshot]) -> [String] {
        // As long as no node knows of the fork or of a settlement, it is a log like any other.
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

    /// Whether entries below the settled size, or below the cut, may be missing for good: lost with a home, or withheld
    /// by a liar.
    private static func hasMoreToCome(_ item: FrontierItem?) -> Bool {
        guard let item else { return false }
        return item.size < min(item.cut ?? .max, item.settled?.size ?? item.cut ?? 0)
    }
}
