internal import Sync

/// Once nothing is new, nothing but keep-alives is sent; wants that nobody can supply are asked for now and then.
package enum QuietChecker: Checker {
    package static let name = "quiet"
    /// What liars promised or held back: such retries become rarer and rarer, and there are few of them in an hour.
    private static let retries: Set<UInt8> = [4, 5, 8, 9]

    /// From 1 s on, twice as late each time, something is asked for no more often within an hour: of each node.
    private static let rounds = 12

    package static func look(at aftermath: Aftermath) -> [String] {
        // A home that went back may have taken with it what others left out.
        let mayLack = aftermath.hadLiars || !aftermath.ledger.excused.isEmpty
        let wants = aftermath.sites.reduce(0) { $0 + $1.wantedLogs + $1.wantedBodies + $1.gaps.count }
        let most = mayLack ? UInt64(Self.rounds * wants * aftermath.sites.count) : 0
        return aftermath.sites.compactMap { site in
            let loud = site.spoken.matters.filter { !(retries.contains($0.type) && $0.count <= most) }
            if loud.isEmpty { return nil }
            let words = loud.map { "\($0.count) of type \($0.type)" }.joined(separator: ", ")
            return "node \(site.number) sent \(words) when nothing was new"
        }
    }
}
