package import Entries

extension EntryStore {
    /// How much of a log a person keeps when settling it.
    package enum Keeping: Hashable, Sendable {
        /// All entries of the stored history that are held and proven, hidden ones included.
        case everythingHeld
        case first(UInt64)
        case nothing
    }

    /// The size and root of the stored history to sign a settlement with; nil if less is held and proven.
    package func settlement(for log: LogID, keeping: Keeping) throws(StorageError) -> KnownRoot? {
        try reader.settlement(for: log, keeping: keeping)
    }

    /// The highest serial that an identity is known to have used, in certificates and settlements; nil: none is known.
    package func highestSerial(of identity: IdentityID) throws(StorageError) -> UInt64? {
        try reader.highestSerial(of: identity)
    }
}
