internal import Sync

/// Once nothing is new, nothing but keep-alives is sent; wants that nobody can supply are asked for now and then.
package enum QuietChecker: Checker {
    package static let name = "quiet"
    /// What liars promised or held back: such retries become rarer and rarer, and there are few of them in an hour.
    private static let retries: Set<UInt8> = [4, 5, 8, 9]

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.compactMap { site in
            let isPatient = site.wantedLogs > 0 || site.wantedBodies > 0
            let others = aftermath.sites.contains { $0.wantedLogs > 0 || $0.wantedBodies > 0 }
            let loud = site.spoken.matters.filter { entry in
                !(aftermath.hadLiars && (isPatient || others) && retries.contains(entry.type))
            }
            if loud.isEmpty { return nil }
            let words = loud.map { "\($0.count) of type \($0.type)" }.joined(separator: ", ")
            return "node \(site.number) sent \(words) when nothing was new"
        }
    }
}
