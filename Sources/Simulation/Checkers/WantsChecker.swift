/// A node wants exactly the bodies and gaps that its store lacks: anything more it would request until its next start,
/// anything less it would never get.
package enum WantsChecker: Checker {
    package static let name = "wants"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            // A stopped node wants nothing; `ConvergenceChecker` reports it.
            guard site.fingerprint != nil else { return [] }
            var found: [String] = []
            if site.wantedBodies != site.missingBodies.count {
                found.append(
                    "node \(site.number) wants \(site.wantedBodies) bodies and lacks \(site.missingBodies.count)"
                )
            }
            if site.wantedGaps != site.gaps.count {
                found.append("node \(site.number) wants \(site.wantedGaps) gaps filled and has \(site.gaps.count)")
            }
            return found
        }
    }
}
