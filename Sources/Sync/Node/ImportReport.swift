package import Entries

/// Report of a transaction that stored a part of a bundle (`protocol/bundle.md` §4).
package struct ImportReport: Hashable, Sendable {
    package let report: TakeReport
    /// Places of wanted bodies that the file supplied.
    package let bodies: [BodyPlace]
    /// Evidence in the file about the log that this home writes; nil: none.
    package let own: OwnShown?

    package init(report: TakeReport, bodies: [BodyPlace], own: OwnShown?) {
        self.report = report
        self.bodies = bodies
        self.own = own
    }

    /// State of the own log in a file, proven by the own device's signature.
    package enum OwnShown: Hashable, Sendable {
        /// This home's history, up to its end: it counts like a peer that agrees (`protocol/own-log.md` §2).
        case agreed
        /// More entries than are held here: the home was copied, or restored from a backup.
        case longer(held: UInt64, shown: UInt64)
        /// Another history.
        case forked(held: UInt64, shown: UInt64)
    }
}
