package import Entries
package import Sync

/// Thrown by a trial that is cut short: it has no verdict.
package struct Interrupted: Error {}

/// A violation that a node reported of a peer.
package struct ReportedViolation: Hashable, Sendable {
    package let by: Int
    /// Nil if the peer had not authenticated.
    package let of: NodeID?
    package let address: PeerAddress?
    package let violation: String

    package init(by: Int, of: NodeID?, address: PeerAddress?, violation: String) {
        self.by = by
        self.of = of
        self.address = address
        self.violation = violation
    }
}

/// A breach of an invariant, with the name of the checker that found it.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package let checker: String
    package let what: String

    package init(_ checker: String, _ what: String) {
        self.checker = checker
        self.what = what
    }

    package var description: String { "\(checker): \(what)" }

    /// The finding about a network that agreed this many milliseconds after the faults ended, if it was later than
    /// `bound`; nil: it never agreed.
    package static func late(_ milliseconds: UInt64?, bound: UInt64) -> [Finding] {
        guard let milliseconds else { return [Finding("healing", "the nodes never agreed")] }
        guard milliseconds > bound else { return [] }
        return [Finding("healing", "the nodes agreed after \(milliseconds / 1_000) s, at most \(bound / 1_000) s")]
    }
}
