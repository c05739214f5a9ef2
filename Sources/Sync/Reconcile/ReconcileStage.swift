/// Which part of the items a stage of a reconciliation is about (D19; `protocol/sync.md §13`).
///
/// A log that went on is two differences: its new place is among the newest, its old one may be anywhere. So the newest
/// are compared first and taken over, whereupon the old places vanish on both sides, and the whole is nearly equal when
/// its turn comes. Of a million logs with a hundred changed the messages take 5 to 11 KB so; in one go, 140 KB where mostly
/// lively logs went on, 170 KB where any did, and 5 KB where the newest did (`bench frontier`).
package enum ReconcileStage: Hashable, Sendable {
    case newest(Int)
    case whole

    /// True if two frontiers of so many items are reconciled rather than listed: neither is empty, and the larger is at
    /// most four times the smaller. Both sides judge the same two numbers, so that they come to the same.
    ///
    /// Of much the smaller one nearly everything is missing: a list names it for a quarter of the bytes.
    static func isWorthwhile(between one: UInt64, and other: UInt64) -> Bool {
        let (less, more) = (min(one, other), max(one, other))
        let (most, isBeyond) = less.multipliedReportingOverflow(by: Limits.reconciliationSizeFactor)
        return less > 0 && (isBeyond || more <= most)
    }

    package static func first(of count: Int) -> ReconcileStage {
        stage(Limits.reconciliationStageItems, of: count)
    }

    /// What follows once the findings of this one were taken over; nil: nothing.
    package func next(found: Int, of count: Int) -> ReconcileStage? {
        switch self {
        case .whole: nil
        case .newest(let width):
            found == 0 ? .whole : Self.stage(width * Limits.reconciliationStageFactor, of: count)
        }
    }

    /// Where it begins.
    package func start(of count: Int) -> Int {
        switch self {
        case .whole: 0
        case .newest(let width): max(0, count - width)
        }
    }

    private static func stage(_ width: Int, of count: Int) -> ReconcileStage {
        width >= count ? .whole : .newest(width)
    }
}
