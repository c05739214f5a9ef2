/// The disk space that the database and its write-ahead log (WAL) may take (`protocol/sync.md` §8, Budgets).
package struct DiskBudget: Hashable, Sendable {
    package let bytes: Int

    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// Kept free for a largest transaction, twice: in the WAL and in the file.
    var reserveBytes: Int { min(StorageLimits.budgetReserveBytes, bytes / 3) }

    /// High-water mark: bodies are evicted when more than this is in use.
    var highBytes: Int { bytes - reserveBytes }

    /// Above this the next transactions might not fit: eviction runs for longer.
    var pressedBytes: Int { highBytes + reserveBytes / 4 }

    /// Bytes evicted or cleared in one eviction transaction (`StorageLimits.budgetRowBytes`), which takes three to
    /// seven times as much of the WAL.
    var lotBytes: Int { min(StorageLimits.budgetLotBytes, reserveBytes / 16) }

    /// Bytes of dead bodies beyond which more is moved to free them, in place of evicting more.
    var deadBytes: Int { bytes / 8 }

    /// Size of the WAL at which it is checkpointed.
    var logBytes: Int { reserveBytes / 8 }

    /// Share of the newest bodies of identities followed: while all of them take no more, none gives way. A quarter,
    /// which alone is below the low-water mark. A guess.
    var followedBytes: Int { bytes / 4 }

    /// What a body counts for, in bytes, in the share and in a lot: a short one takes more than its payload.
    static func countedBytes(of payload: Int) -> Int { max(payload, StorageLimits.budgetRowBytes) }

    /// The same, in SQL, of all rows of `bodies` that a query reads.
    static let countedBytesOfPayloads = "ifnull(sum(max(length(payload), \(StorageLimits.budgetRowBytes))), 0)"

    /// Low-water mark: eviction goes down to this, so that not every transaction has to evict.
    var lowBytes: Int { highBytes - min(StorageLimits.budgetStepBytes, highBytes / 16) }
}
