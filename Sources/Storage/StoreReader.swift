package import Entries

/// Reads a store without ever changing it, also while another process writes.
package final class StoreReader: Sendable {
    /// Opens the database of a home. Errors: `absent`, `damaged`, `newerVersion`, `foreignNetwork`.
    package init(path: String, network: NetworkID?) throws(StorageError) { fatalError() }

    package func feed(_ query: FeedQuery) throws(StorageError) -> FeedPage { fatalError() }
    /// Posts that came in after an arrival number, oldest arrival first; the filters of the query apply, its cursor does not.
    package func arrivals(after arrival: UInt64, _ query: FeedQuery) throws(StorageError) -> [PostRow] { fatalError() }
    package func latestArrival() throws(StorageError) -> UInt64 { fatalError() }
    /// The post; nil if the id is unknown, or no post's.
    package func post(_ id: EntryID, reader: IdentityID?) throws(StorageError) -> PostRow? { fatalError() }
    /// The thread that a post opened: itself, then all that name it as their root, oldest first.
    package func thread(_ root: EntryID, now: UInt64, reader: IdentityID?) throws(StorageError) -> [ThreadPost] { fatalError() }
    /// All that a post ever said, newest first: the first is what it says now.
    package func history(of post: EntryID) throws(StorageError) -> [PostVersion] { fatalError() }
    /// Posts and edits whose id begins so, ascending, at most `StorageLimits.candidates`.
    package func entries(_ prefix: IDPrefix) throws(StorageError) -> [EntryID] { fatalError() }
    package func identities(_ prefix: IDPrefix) throws(StorageError) -> [IdentityID] { fatalError() }
    package func person(_ identity: IdentityID) throws(StorageError) -> Person? { fatalError() }
    /// People with a log, ascending by id.
    package func people(after identity: IdentityID?, limit: Int) throws(StorageError) -> [Person] { fatalError() }
    package func following(_ identity: IdentityID) throws(StorageError) -> [IdentityID] { fatalError() }
    package func followers(_ identity: IdentityID) throws(StorageError) -> [IdentityID] { fatalError() }
    package func followCounts(_ identity: IdentityID) throws(StorageError) -> FollowCounts { fatalError() }
    package func channels() throws(StorageError) -> [ChannelRow] { fatalError() }
    package func ownIdentity() throws(StorageError) -> IdentityID? { fatalError() }
    package func status() throws(StorageError) -> StoreStatus { fatalError() }
    package func fingerprint() throws(StorageError) -> FingerprintReport { fatalError() }
    /// Changes whenever another connection has committed: cheap to ask for often.
    package func dataVersion() throws(StorageError) -> Int { fatalError() }
}
