/// Since when a peer owes one answer, and how many bytes the connection had received by then (`protocol/sync.md` §5,
/// Waiting).
///
/// The connection's deadline is moved by any answer, this one only by parts of the answer itself. A peer that owes much
/// over a slow line is waited for as long as it sends, since all of it is on its way; one that answers other requests,
/// but never this one, is not.
struct Waiting: Hashable {
    /// Monotonic milliseconds.
    let since: UInt64
    /// Bytes received on the connection until then.
    let received: UInt64
    /// When the last part of the answer came, or else when it was asked for: monotonic milliseconds.
    let progressAt: UInt64
    /// Bytes received on the connection until then.
    let receivedByProgress: UInt64

    init(since: UInt64, received: UInt64) {
        (self.since, self.received) = (since, received)
        (progressAt, receivedByProgress) = (since, received)
    }

    private init(since: UInt64, received: UInt64, progress: Waiting) {
        (self.since, self.received) = (since, received)
        (progressAt, receivedByProgress) = (progress.since, progress.received)
    }

    /// Once a part of the answer has come, at `now`: its bytes earn time as those of a slow line do.
    ///
    /// Not all the time there is: a peer that gives an entry now and then would be waited for without end, and nobody
    /// else asked.
    func extended(by bytes: Int, now: Waiting) -> Waiting {
        let earned = UInt64(bytes) * 1_000 / Limits.slowBytesPerSecond
        return since + earned < now.since ? Waiting(since: since + earned, received: received, progress: now) : now
    }

    /// Whether another peer is to be asked; `received`: bytes received on the connection until now.
    func isOverdue(received total: UInt64, now: UInt64) -> Bool {
        let bytes = total >= received ? total - received : 0
        let slow = min(bytes * 1_000 / Limits.slowBytesPerSecond, Limits.slowProgressMilliseconds)
        let steady = min(bytes * 1_000 / Limits.steadyBytesPerSecond, Limits.steadyProgressMilliseconds)
        let allowed = min(Limits.progressDeadlineMilliseconds + slow, Limits.slowProgressMilliseconds)
        let most = min(Limits.progressDeadlineMilliseconds + steady, Limits.steadyProgressMilliseconds)
        return now >= since + max(allowed, most)
    }
}
