package import Entries

/// The counts and the state of a store.
package struct StoreStatus: Hashable, Sendable {
    /// Entries that count, of all logs.
    package let entries: Int
    package let logs: Int
    package let people: Int
    package let posts: Int
    /// Stored entries that do not count: pending, or hidden.
    package let pendingEntries: Int
    /// Logs of which a peer announced more than any peer supplied; whether there is more is not known.
    package let unsuppliedLogs: Int
    package let wantedBodies: Int
    /// Logs with a gap, whose newest entries came first.
    package let gaps: Int
    /// Entries missing in these gaps.
    package let missingEntries: Int
    package let setAsideLogs: Int
    package let databaseBytes: Int
    /// Of these, bytes in pages that hold something.
    package let usedBytes: Int
    /// Bodies evicted to keep within the disk budget.
    package let evictedBodies: Int
    package let own: OwnLogState?
    package let ownIdentity: IdentityID?
    package let signing: Signing
    package let latestArrival: UInt64

    package enum Signing: Hashable, Sendable {
        case allowed
        /// A person has to decide first (`StoreReader.signingStop` says why).
        case stopped
    }
}
