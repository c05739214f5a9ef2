internal import Entries

/// What one node lacks, a gap or a body, no other node has.
///
/// So a gap may remain only while no other node has all of it: its writer lied, or lost it.
package enum SuppliedChecker: Checker {
    package static let name = "supplied"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            let others = aftermath.sites.filter { $0.number != site.number }
            var found: [String] = []
            for (log, gap) in site.gaps.sorted(by: { $0.key < $1.key }) {
                guard let item = site.items[log], let other = others.first(where: { holds(gap, of: item, $0) }) else {
                    continue
                }
                found.append(
                    "node \(site.number) lacks \(gap) of \(log.description.prefix(8)), which node \(other.number) has"
                )
            }
            let bodies = site.missingBodies.filter { place in
                others.contains { $0.entry(place.sequence, of: place.log)?.payload != nil }
            }
            if let first = bodies.min(by: { ($0.log, $0.sequence) < ($1.log, $1.sequence) }) {
                found.append(
                    "node \(site.number) lacks \(bodies.count) bodies that others have: the first is \(first.sequence) of "
                        + "\(first.log.description.prefix(8))"
                )
            }
            return found
        }
    }

    private static func holds(_ gap: Range<UInt64>, of item: FrontierItem, _ site: SiteSnapshot) -> Bool {
        site.items[item.log] == item && !(site.gaps[item.log]?.overlaps(gap) ?? false)
    }
}
