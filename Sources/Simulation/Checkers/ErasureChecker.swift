internal import Entries

/// What its author deleted is in no file of any node.
package enum ErasureChecker: Checker {
    package static let name = "erasure"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            // A delete that has not come yet, or that was lost with its home, erases nothing here.
            let erased = Self.erased(at: site)
            let left = site.tokens.intersection(erased.compactMap { aftermath.ledger.tokens[$0] })
            if left.isEmpty { return [] }
            return ["node \(site.number) still has the words of \(left.count) deleted entries: nut#\(left.min() ?? 0)"]
        }
    }

    /// What deletes that count at a node name, of the same person's entries.
    private static func erased(at site: SiteSnapshot) -> Set<EntryID> {
        var authors: [EntryID: IdentityID] = [:]
        var named: [(EntryID, IdentityID)] = []
        for (log, entries) in site.entries {
            guard let identity = site.identities[log] else { continue }
            for entry in entries {
                authors[entry.id] = identity
                guard let payload = entry.payload,
                    case .delete(let delete)? = try? Payload.decode(kind: entry.header.kind, bytes: payload)
                else { continue }
                named += delete.entries.map { ($0, identity) }
            }
        }
        return Set(named.filter { authors[$0.0] == $0.1 }.map(\.0))
    }
}
