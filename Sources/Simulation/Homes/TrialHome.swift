package import Entries
package import Storage

/// The storage of a simulated node: the real database in files, or a light one in memory.
package protocol TrialHome: HeldStore {
    /// Closes the database in good order.
    func close() throws
    /// Kills the process; every committed transaction is kept.
    func kill() throws
    /// Cuts the power: of the data committed but not synced, `share` (0 to 1) is kept. No effect on a light home.
    func cutPower(keeping share: Double) throws
    /// Copies the database as a backup, in place of the one before.
    func backUp() throws
    /// Replaces the database, which is closed, by the backup; false if there is none.
    func restoreBackup(_ trace: RestoredTrace) throws -> Bool
    var hasBackup: Bool { get }
    /// The state that a node would start from now; the home is open.
    func state() throws -> StoreState
    /// Sets whether the disk accepts writes.
    func setRoom(_ room: SimulatedRoom) throws
    /// A log whose stored data cannot be read, until the process ends; nil: none.
    var damaged: LogID? { get set }
    /// Deletes the home.
    func remove()

    func register(_ device: Device) throws
    /// The device whose key is in this home; nil on a hub.
    var device: Device? { get }
    /// The facts about its place that the home records, by which it detects that it was copied or restored.
    var facts: HomeFacts { get }
    func append(_ payload: Payload, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    func delete(_ post: EntryID, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    func strayEdits() throws -> [EntryID]
    /// Makes a new device of the same person the writer of this home.
    func replaceLog(by device: Device, at now: UInt64) throws
    /// Settles a log, or (nil) ends the account, with the root key; nil if this home holds less of the log than is to
    /// be kept.
    func end(_ log: LogID?, keeping: SettlementKeeping, of device: Device, at now: UInt64) throws
        -> (settlement: Settlement, report: TakeReport)?
    func signingStop() throws -> SigningStop?
    /// The reader of the feed; nil: the home has none.
    var reader: StoreReader? { get }
    /// Every file that may hold a body; nil: the home has no files.
    var files: [String]? { get }
}

/// Whether a home can detect that it was restored from a backup.
package enum RestoredTrace {
    /// The files have other inodes than before.
    case seen
    /// Nothing differs, not even the inodes: the machine was reset to a snapshot.
    case unseen
}
