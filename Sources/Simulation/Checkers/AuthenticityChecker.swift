internal import Entries

/// What stands in an honest person's log was written by that person.
package enum AuthenticityChecker: Checker {
    package static let name = "authenticity"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            site.entries.keys.sorted().compactMap { log in
                guard let signed = aftermath.ledger.signed[log], let entries = site.entries[log] else { return nil }
                let foreign = entries.first { signed[$0.header.sequence] != $0.id }
                return foreign.map {
                    "node \(site.number) holds entry \($0.header.sequence) of \(log.description.prefix(8)), which its "
                        + "author never wrote"
                }
            }
        }
    }
}
