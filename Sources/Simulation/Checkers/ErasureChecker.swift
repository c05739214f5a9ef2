internal import Entries

/// No file of any node contains a body that its author deleted, or that was erased with an ended account.
///
/// And every body that nobody deleted is found in the files: else the search itself is broken, and would not see a
/// leftover.
package enum ErasureChecker: Checker {
    package static let name = "erasure"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            guard let tokens = site.tokens else { return [] }
            // A delete that has not arrived here, or was lost with its home, erases nothing here.
            let erased = site.erased
            let ended = gone(at: site, aftermath.ledger)
            let left = tokens.intersection((erased + ended).compactMap { aftermath.ledger.tokens[$0] })
            let unseen = held(at: site, but: erased).subtracting(tokens)
            var found: [String] = []
            if let first = left.min() {
                found.append("node \(site.number) still has the words of \(left.count) deleted entries: nut#\(first)")
            }
            if let log = carried(at: site, aftermath.ledger) {
                found.append("node \(site.number) carries \(log.description.prefix(8)), of an account that ended")
            }
            if let first = unseen.min() {
                found.append(
                    "node \(site.number) has the words of \(unseen.count) entries in no file, nut#\(first) for one: "
                        + "nobody can say what is erased"
                )
            }
            return found
        }
    }

    private static func carried(at site: SiteSnapshot, _ ledger: Ledger) -> LogID? {
        site.identities.filter { log, identity in
            guard let end = ledger.ends[identity], log != end else { return false }
            return site.items[end] != nil
        }.keys.min()
    }

    /// Entries of the accounts that this node knows to have ended: only their headers may be left, in the person's own
    /// home.
    private static func gone(at site: SiteSnapshot, _ ledger: Ledger) -> [EntryID] {
        let people = Set(ledger.ends.filter { site.items[$0.value] != nil }.keys)
        guard !people.isEmpty else { return [] }
        return ledger.entries.values.filter { ledger.persons[$0.header.log].map(people.contains) ?? false }.map(\.id)
    }

    /// Tokens of the bodies that this node holds and that no delete erased.
    private static func held(at site: SiteSnapshot, but erased: Set<EntryID>) -> Set<UInt64> {
        site.entries.values.reduce(into: []) { held, entries in
            for entry in entries where !erased.contains(entry.id) {
                if let payload = entry.payload { held.formUnion(Ledger.tokens(in: payload)) }
            }
        }
    }
}
