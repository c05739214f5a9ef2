/// Limits how fast one peer's comparisons are answered, by a debt that time pays off: the generic cell rate algorithm
/// (ITU-T I.371), with a cost for each answer.
///
/// Counts bytes; bounds: `Limits.reconciliationBytesPerMillisecond` and `reconciliationBurstMilliseconds`. Delays: an
/// answer may begin while the debt is a burst at most. No question waits longer than
/// `Limits.reconciliationWaitMilliseconds`: the peer would give up.
struct AnswerRate {
    /// When all answers so far are paid for: monotonic milliseconds times `Limits.reconciliationBytesPerMillisecond`,
    /// so that answers of a few bytes add up.
    private var paidAt: UInt64 = 0

    /// Charges for an answer, and for its question where that takes work too.
    mutating func charge(bytes: Int, now: UInt64) {
        paidAt = max(paidAt, now * Limits.reconciliationBytesPerMillisecond) + UInt64(bytes)
    }

    /// Earliest time for an answer to a question that came at `askedAt`; nil: to one that is still to come.
    func opensAt(askedAt: UInt64?) -> UInt64 {
        let paidAt = paidAt / Limits.reconciliationBytesPerMillisecond
        let paid = paidAt - min(paidAt, Limits.reconciliationBurstMilliseconds)
        return askedAt.map { min(paid, $0 + Limits.reconciliationWaitMilliseconds) } ?? paid
    }
}
