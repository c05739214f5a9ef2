/// What came of the last transactions that store entries, for a person who asks whether the disk takes them.
struct Writes: Sendable {
    enum Kind: Hashable, Sendable {
        /// Of what peers bring: it is tried again until it fits.
        case again
        /// Of an own entry, or a file: whoever asked for it has been told.
        case once
    }

    private var again: StorageError?
    private var once: StorageError?

    /// Why the disk did not take the last one; nil: it did.
    var failure: StorageError? { again ?? once }

    /// A batch that fitted shows that an own entry does. The reverse is not so: a post may fit where the batch that is
    /// tried again does not.
    mutating func succeeded(_ kind: Kind) {
        if kind == .again { again = nil }
        once = nil
    }

    /// Notes what the disk did not take; other failures are answers to whoever asked, and say nothing of it.
    mutating func failed(_ kind: Kind, _ failure: StorageError) {
        guard failure.isOfDisk else { return }
        switch kind {
        case .again: again = failure
        case .once: once = failure
        }
    }
}
