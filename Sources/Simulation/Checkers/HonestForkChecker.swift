internal import Entries

/// No honest writer forks: no device signs two entries with one sequence number, and no node has fork evidence against
/// it.
package enum HonestForkChecker: Checker {
    package static let name = "fork"

    package static func look(at aftermath: Aftermath) -> [String] {
        let twice = aftermath.ledger.signedTwice.map { entry in
            "node \(entry.node) signed entry \(entry.sequence) of \(entry.log.description.prefix(8)) twice"
        }
        let evidence = aftermath.sites.flatMap { site in
            site.items.values
                .filter {
                    $0.cut != nil && aftermath.ledger.isHonest($0.log) && !aftermath.ledger.mayFork.contains($0.log)
                }
                .map { "node \(site.number) has proof that \($0.log.description.prefix(8)) forked" }.sorted()
        }
        return twice + evidence
    }
}
