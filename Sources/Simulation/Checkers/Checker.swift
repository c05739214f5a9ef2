package import Entries

/// What is left when all is over: what the honest nodes hold, and what people wrote.
package struct Aftermath: Sendable {
    /// Of the nodes that have not left for good.
    package var sites: [SiteSnapshot]
    package var ledger: Ledger
    package var violations: [ReportedViolation]
    /// Unix milliseconds.
    package var wall: UInt64
    /// Whether somebody lied: then some wants can never be supplied, and are asked for now and then.
    package var hadLiars: Bool
    /// All honest nodes, those that have left as well.
    package var honest: Set<NodeID>

    /// `honest`: those in `sites`, if nothing is said.
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

/// Looks for one thing that must not be.
package protocol Checker {
    static var name: String { get }
    /// What was found, in words; nothing is good.
    static func look(at aftermath: Aftermath) -> [String]
}

/// All of them, in the order in which their findings help most.
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
