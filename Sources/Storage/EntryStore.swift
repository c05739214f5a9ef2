package import Entries
package import Sodium

/// The one writer of a home's database (`protocol/` has nothing to say about it: a store is nobody else's business).
///
/// Calls are synchronous, may block on the disk, and come from any thread but an event loop's.
package final class EntryStore: Sendable {
    package enum Place: Hashable, Sendable {
        case file(String)
        /// For tests and simulations: gone with the store.
        case memory
    }

    package enum Creation: Hashable, Sendable {
        case ifAbsent
        case never
    }

    /// Whether what is appended may leave this home at once: this start has heard from a peer, or waits for one.
    package enum Publication: Hashable, Sendable {
        case cleared
        case held
    }

    /// Opens or makes the database, migrates it after a copy, and draws a store id for this run.
    package init(_ place: Place, network: NetworkID, creation: Creation) throws(StorageError) { fatalError() }

    package var storeID: StoreID { fatalError() }
    /// What readers in this process read from.
    package var reader: StoreReader { fatalError() }

    /// What a node needs to begin.
    package func state() throws(StorageError) -> StoreState { fatalError() }

    // MARK: Own log

    /// Names the log that this home writes; the same one again changes nothing. Errors: `ownLogExists`, `foreignNetwork`.
    package func registerOwnLog(_ certificate: SignedCertificate) throws(StorageError) { fatalError() }
    package func ownCertificate() throws(StorageError) -> SignedCertificate? { fatalError() }
    /// Signs and stores one entry, durably.
    package func append(
        _ payload: Payload,
        with device: SigningKey,
        at now: UInt64,
        publication: Publication
    ) throws(AppendError) -> OwnAppend { fatalError() }
    /// Deletes an own post and each edit of it that is held, in one entry.
    package func deleteOwn(
        post: EntryID,
        with device: SigningKey,
        at now: UInt64,
        publication: Publication
    ) throws(AppendError) -> OwnAppend { fatalError() }
    /// Own deleted posts of which an edit turned up that no delete names: `deleteOwn` them again.
    package func strayEdits() throws(StorageError) -> [EntryID] { fatalError() }
    package func stopSigning() throws(StorageError) { fatalError() }
    package func resumeSigning() throws(StorageError) { fatalError() }

    // MARK: Peers

    package func take(_ batch: TakeBatch) throws(StorageError) -> TakeReport { fatalError() }
    /// Certificate and compact range of [0, stored end) of each log that is known.
    package func prefixes(of logs: [LogID]) throws(StorageError) -> [LogID: LogPrefix] { fatalError() }
    /// Answers in the order of the wants, fewer where the limit was reached, at least one entry in all.
    package func ranges(_ wants: [RangeWant], byteLimit: Int) throws(StorageError) -> [RangeAnswer] { fatalError() }
    /// The compact range of [0, end); nil if the log does not reach so far.
    package func prefixNodes(of log: LogID, end: UInt64) throws(StorageError) -> [Bytes32]? { fatalError() }
    /// Answers in the order of the places, fewer where the limit was reached, at least one.
    package func bodies(_ places: [BodyPlace], byteLimit: Int) throws(StorageError) -> [BodyAnswer] { fatalError() }

    // MARK: Upkeep

    /// Makes the derived tables anew from the signed ones.
    package func rebuild() throws(StorageError) -> RebuildReport { fatalError() }
    /// Closes; the store is of no use afterwards.
    package func close() {}
}

package struct RebuildReport: Hashable, Sendable {
    package let logs: Int
    package let entries: Int
    package let posts: Int
}
