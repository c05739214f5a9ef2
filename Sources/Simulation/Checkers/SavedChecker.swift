internal import Entries

/// No node lacks an entry that its author was told is saved, nor the body, unless its author deleted it.
package enum SavedChecker: Checker {
    package static let name = "saved"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            let missing = aftermath.ledger.saved.filter { saved in
                site.entry(saved.sequence, of: saved.log)?.id != saved.id
                    && !aftermath.ledger.isExcused(saved, at: site)
            }
            // A delete that was lost with its home may have erased the body before, here or at a relay.
            let deleted = aftermath.ledger.mayLack ? site.erased.union(aftermath.ledger.erased) : site.erased
            let bare = aftermath.ledger.saved.filter { saved in
                guard let entry = site.entry(saved.sequence, of: saved.log), entry.id == saved.id else { return false }
                return entry.payload == nil && !deleted.contains(saved.id)
                    && !aftermath.ledger.bare.contains(saved.id)
                    && !aftermath.ledger.isExcused(saved, at: site)
            }
            return words("entries that were saved", missing, site) + words("bodies that were saved", bare, site)
        }
    }

    private static func words(_ what: String, _ missing: [Ledger.Saved], _ site: SiteSnapshot) -> [String] {
        guard let first = missing.first else { return [] }
        return [
            "node \(site.number) lacks \(missing.count) \(what): the first is \(first.sequence) of "
                + "\(first.log.description.prefix(8)), written at node \(first.node)"
        ]
    }
}
