/// A node asks for the bodies and the parts of histories that its store lacks, and for no others: what it wants beyond them
/// it would ask for until its next start, and what it does not want it would never get.
package enum WantsChecker: Checker {
    package static let name = "wants"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site -> [String] in
            // One that does not run wants nothing, and is found elsewhere.
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
