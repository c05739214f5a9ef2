internal import Entries

/// No entry that an author was told is saved is missing anywhere.
package enum SavedChecker: Checker {
    package static let name = "saved"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            let missing = aftermath.ledger.saved.filter { saved in
                site.entry(saved.sequence, of: saved.log)?.id != saved.id
                    && !aftermath.ledger.isExcused(saved, at: site)
            }
            guard let first = missing.first else { return [] }
            return [
                "node \(site.number) lacks \(missing.count) entries that were saved: the first is \(first.sequence) of "
                    + "\(first.log.description.prefix(8)), written at node \(first.node)"
            ]
        }
    }
}
