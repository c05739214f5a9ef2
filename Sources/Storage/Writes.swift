/// What becomes of a transaction that the disk did not take.
package enum Retry: Hashable, Sendable {
    /// Of what peers bring: it is tried again until it fits.
    case again
    /// Of an own entry, or a file: whoever asked for it has been told.
    case once
}

/// What came of the last transactions that store entries, for a person who asks whether the disk takes them.
struct Writes: Sendable {
    private var again: StorageError?
    private var once: (failure: StorageError, end: ContinuousClock.Instant)?

    /// Time for which a failure of the kind `once` is of interest: whoever asked knows it, and an idle node may write
    /// nothing for days that would show that there is room again.
    static let onceLasts = Duration.seconds(600)

    /// Why the disk did not take the last one; nil: it did, or that was told long ago.
    func failure(at now: ContinuousClock.Instant = .now) -> StorageError? {
        again ?? once.flatMap { now < $0.end ? $0.failure : nil }
    }

    /// Whether something that a peer brought is not stored.
    var isBehind: Bool { again != nil }

    /// A batch that fitted shows that an own entry does. The reverse is not so: a post may fit where the batch that is
    /// tried again does not.
    mutating func succeeded(_ retry: Retry) {
        if retry == .again { again = nil }
        once = nil
    }

    /// Notes what the disk did not take; other failures are answers to whoever asked, and say nothing of it.
    mutating func failed(_ retry: Retry, _ failure: StorageError, at now: ContinuousClock.Instant = .now) {
        guard failure.isOfDisk else { return }
        switch retry {
        case .again: again = failure
        case .once: once = (failure, now + Self.onceLasts)
        }
    }
}
