package import Entries
package import Sync

/// A trial was not allowed to end: it says nothing.
package struct Interrupted: Error {}

/// What a node reported of another.
package struct ReportedViolation: Hashable, Sendable {
    package let by: Int
    /// Nil before the other had shown who it is.
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

/// Something that must not be, by the name of the checker that saw it.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package let checker: String
    package let what: String

    package init(_ checker: String, _ what: String) {
        self.checker = checker
        self.what = what
    }

    package var description: String { "\(checker): \(what)" }

    /// What is to be said of a network that agreed so many milliseconds after everything was mended; nil: never.
    package static func late(_ milliseconds: UInt64?, bound: UInt64) -> [Finding] {
        guard let milliseconds else { return [Finding("healing", "the nodes never agreed")] }
        guard milliseconds > bound else { return [] }
        return [Finding("healing", "the nodes agreed after \(milliseconds / 1_000) s, at most \(bound / 1_000) s")]
    }
}
