internal import Entries

/// No link between honest nodes was ever closed for a violation.
package enum ViolationChecker: Checker {
    package static let name = "violation"

    package static func look(at aftermath: Aftermath) -> [String] {
        let honest = Set(aftermath.sites.map(\.node))
        return aftermath.violations.compactMap { violation in
            let isHonest: Bool
            if let node = violation.of {
                isHonest = honest.contains(node)
            } else {
                // Whoever was dialled is a node; of who dialled and showed nothing, only without liars it is known.
                isHonest = violation.address != nil || !aftermath.hadLiars
            }
            guard isHonest else { return nil }
            let other = aftermath.sites.first { $0.node == violation.of }.map { "node \($0.number)" } ?? "somebody"
            return "node \(violation.by) closed to \(other): \(violation.violation)"
        }
    }
}
