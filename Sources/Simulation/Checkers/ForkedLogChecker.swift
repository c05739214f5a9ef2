internal import Entries

/// A log whose writer forked ends in the same item everywhere; that nobody asks for it again, `QuietChecker` sees.
package enum ForkedLogChecker: Checker {
    package static let name = "forked log"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.ledger.forked.sorted().flatMap { log -> [String] in
            let items = aftermath.sites.map { $0.items[log] }
            let name = log.description.prefix(8)
            var found: [String] = []
            if Set(items).count > 1 { found.append("\(name) has \(Set(items).count) items") }
            for site in aftermath.sites {
                guard let item = site.items[log], let cut = item.cut else { continue }
                if let last = site.entries[log]?.last, last.header.sequence >= cut {
                    found.append("node \(site.number) counts entries of \(name) beyond the cut")
                }
            }
            return found
        }
    }
}
