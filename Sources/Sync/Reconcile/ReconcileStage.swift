/// The part of the items that a stage of a reconciliation compares (`protocol/sync.md` §13).
///
/// A log that grew makes two differences: its new place is among the newest, its old one may be anywhere. So the newest
/// are compared first and fetched, whereupon the old places vanish on both sides, and the whole is nearly equal when it
/// is compared. For a million logs with a hundred changed the messages take 5 to 11 KB so. In one go they would take
/// 140 KB if mostly lively logs grew, 170 KB if any did, and 5 KB if the newest did (`bench frontier`).
package enum ReconcileStage: Hashable, Sendable {
    case newest(Int)
    case whole

    /// Whether two frontiers of these sizes are reconciled rather than listed: neither is empty, and the larger is at
    /// most four times the smaller. Both sides evaluate the same two numbers, and reach the same result.
    ///
    /// A much smaller frontier lacks nearly everything: a list names it for a quarter of the bytes.
    static func isWorthwhile(between one: UInt64, and other: UInt64) -> Bool {
        let (less, more) = (min(one, other), max(one, other))
        let (most, isBeyond) = less.multipliedReportingOverflow(by: Limits.reconciliationSizeFactor)
        return less > 0 && (isBeyond || more <= most)
    }

    package static func first(of count: Int) -> ReconcileStage {
        stage(Limits.reconciliationStageItems, of: count)
    }

    /// The stage behind this one, once its findings are fetched; nil: none.
    package func next(found: Int, of count: Int) -> ReconcileStage? {
        switch self {
        case .whole: nil
        case .newest(let width):
            found == 0 ? .whole : Self.stage(width * Limits.reconciliationStageFactor, of: count)
        }
    }

    /// The place of its first item.
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
