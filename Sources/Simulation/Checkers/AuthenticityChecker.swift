internal import Entries

/// Every entry in an honest person's log was written by that person, and all logs of that person are by their own
/// devices.
package enum AuthenticityChecker: Checker {
    package static let name = "authenticity"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site in site.entries.keys.sorted().compactMap { look(at: $0, site, aftermath.ledger) }
        }
    }

    private static func look(at log: LogID, _ site: SiteSnapshot, _ ledger: Ledger) -> String? {
        guard let signed = ledger.signed[log] else {
            guard let identity = site.identities[log], ledger.ends[identity] != log,
                ledger.people.contains(identity)
            else { return nil }
            return "node \(site.number) holds log \(log.description.prefix(8)), of a device that its person never had"
        }
        let foreign = site.entries[log]?.first {
            signed[$0.header.sequence] != $0.id && !ledger.signedBefore.contains($0.id)
        }
        return foreign.map {
            "node \(site.number) holds entry \($0.header.sequence) of \(log.description.prefix(8)), which its author never "
                + "wrote"
        }
    }
}
