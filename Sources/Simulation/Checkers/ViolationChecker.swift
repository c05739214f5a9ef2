internal import Entries
internal import Sync

/// No honest node ever closed a link to another honest node for a violation.
package enum ViolationChecker: Checker {
    package static let name = "violation"

    package static func look(at aftermath: Aftermath) -> [String] {
        return aftermath.violations.compactMap { violation in
            let isHonest: Bool
            if let node = violation.of {
                isHonest = aftermath.honest.contains(node)
            } else {
                // A peer that never authenticated is known by its address, if there is one.
                isHonest = violation.address.map { $0.host.hasPrefix("node") } ?? !aftermath.hadLiars
            }
            guard isHonest else { return nil }
            let other = aftermath.sites.first { $0.node == violation.of }.map { "node \($0.number)" } ?? "somebody"
            return "node \(violation.by) closed to \(other): \(violation.violation)"
        }
    }
}
