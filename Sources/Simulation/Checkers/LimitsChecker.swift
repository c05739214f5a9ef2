internal import Sync

/// Queues and memory stay within the node's bounds (`NodeBounds`).
package enum LimitsChecker: Checker {
    package static let name = "limits"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.flatMap { site in
            site.peakLoad.exceeded(site.bounds).map { "node \(site.number): \($0)" }
        }
    }
}
