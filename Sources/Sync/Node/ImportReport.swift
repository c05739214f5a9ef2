package import Entries

/// What a transaction took from a file (`protocol/bundle.md` §4).
package struct ImportReport: Hashable, Sendable {
    package let report: TakeReport
    /// Bodies that were wanted, and are here now.
    package let bodies: [BodyPlace]
    /// What the file shows of the log that this home writes; nil if nothing.
    package let own: OwnShown?

    package init(report: TakeReport, bodies: [BodyPlace], own: OwnShown?) {
        self.report = report
        self.bodies = bodies
        self.own = own
    }

    /// What a file shows of the own log, proven by the own device's signature.
    package enum OwnShown: Hashable, Sendable {
        /// The same history, as far as it goes: as good as a peer's answer.
        case agreed
        /// More of it than is here: the home was copied, or restored from a backup.
        case longer(held: UInt64, shown: UInt64)
        /// Another history.
        case forked(held: UInt64, shown: UInt64)
    }
}
