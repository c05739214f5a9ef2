/// When a peer's next comparison is answered: one that asks much waits, but not so long that it gives up.
///
/// The generic cell rate algorithm (ITU-T I.371): each answer moves the moment at which all so far are paid for, and
/// the next one may come a burst before it.
struct AnswerPace {
    /// When all answers so far are paid for, monotonic milliseconds, at `Limits.reconciliationBytesPerMillisecond`.
    private var paidAt: UInt64 = 0

    /// Charges for an answer, and for its question where that takes work too.
    mutating func charge(bytes: Int, now: UInt64) {
        paidAt = max(paidAt, now) + UInt64(bytes) / Limits.reconciliationBytesPerMillisecond
    }

    /// Earliest time for an answer to a question that came at `since`; nil: to one that is still to come.
    func opensAt(since: UInt64?) -> UInt64 {
        let paid = paidAt - min(paidAt, Limits.reconciliationBurstMilliseconds)
        return since.map { min(paid, $0 + Limits.reconciliationWaitMilliseconds) } ?? paid
    }
}
