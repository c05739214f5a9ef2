internal import Entries
internal import Sodium

/// After the faults end, every honest node runs and all have the same fingerprint.
package enum ConvergenceChecker: Checker {
    package static let name = "convergence"

    package static func look(at aftermath: Aftermath) -> [String] {
        guard let first = aftermath.sites.first else { return [] }
        return aftermath.sites.compactMap { site in
            guard let fingerprint = site.fingerprint else { return "node \(site.number) does not run" }
            if fingerprint == first.fingerprint { return nil }
            return "node \(site.number) differs from node \(first.number): \(differences(site, first))"
        }
    }

    private static func differences(_ site: SiteSnapshot, _ other: SiteSnapshot) -> String {
        let logs = Set(site.items.keys).union(other.items.keys).filter { site.items[$0] != other.items[$0] }.sorted()
        let words = logs.prefix(3).map { log in
            let sides = [site.items[log], other.items[log]].map { $0.map(describe) ?? "nothing" }
            return "\(log.description.prefix(8)) \(sides[0]) | \(sides[1])"
        }
        return "\(logs.count) logs: \(words.joined(separator: ", "))"
    }

    private static func describe(_ item: FrontierItem) -> String {
        var words = "\(item.size) root \(item.root.description.prefix(4))"
        if let cut = item.cut { words += " cut \(cut)" }
        if let settled = item.settled { words += " settled \(settled.size) root \(settled.root.description.prefix(4))" }
        return words
    }
}
