package import Entries

/// The final state of a trial: what the honest nodes hold, and what people wrote.
package struct Aftermath: Sendable {
    /// Snapshots of the nodes that have not left for good.
    package var sites: [SiteSnapshot]
    package var ledger: Ledger
    package var violations: [ReportedViolation]
    /// Unix milliseconds.
    package var wall: UInt64
    /// Whether there were liars: then some wants can never be supplied, and retries of them are allowed.
    package var hadLiars: Bool
    /// All honest nodes, including those that have left.
    package var honest: Set<NodeID>

    /// Without `honest`, the nodes in `sites` are.
    package init(
        sites: [SiteSnapshot],
        ledger: Ledger,
        violations: [ReportedViolation],
        wall: UInt64,
        hadLiars: Bool,
        honest: Set<NodeID>? = nil
    ) {
        self.sites = sites
        self.ledger = ledger
        self.violations = violations
        self.wall = wall
        self.hadLiars = hadLiars
        self.honest = honest ?? Set(sites.map(\.node))
    }
}

/// Checks one invariant of the final state.
package protocol Checker {
    static var name: String { get }
    /// A line for each breach of the invariant; empty: it holds.
    static func look(at aftermath: Aftermath) -> [String]
}

/// All checkers, those with the most telling findings first.
package enum Checkers {
    package static var all: [any Checker.Type] {
        [
            ConvergenceChecker.self, FingerprintChecker.self, SavedChecker.self, HonestForkChecker.self,
            AuthenticityChecker.self, HeldChecker.self, SuppliedChecker.self, WantsChecker.self, FoldChecker.self,
            ForkedLogChecker.self, ErasureChecker.self, LimitsChecker.self, QuietChecker.self, ViolationChecker.self,
        ]
    }

    package static func findings(in aftermath: Aftermath) -> [Finding] {
        all.flatMap { checker in checker.look(at: aftermath).map { Finding(checker.name, $0) } }
    }
}
