internal import Entries
internal import GRDB

/// Reads the registers of a profile.
struct ProfileReading {
    private let field: Prepared
    private let entries: EntryTable

    init(_ db: Database) throws {
        // Equal clocks are ordered by log id, which is not part of the key: few rows are sorted for it.
        field = try Prepared(
            db,
            """
            SELECT profiles.entry FROM profiles JOIN logs ON logs.number = profiles.entry >> 32
            WHERE profiles.identity = ? AND profiles.field = ?
            ORDER BY profiles.clock DESC, logs.log DESC, profiles.entry DESC LIMIT 1
            """
        )
        entries = EntryTable(db)
    }

    /// The profile entry that holds a field's register; nil if no profile has the field.
    func winner(_ field: ProfileField, of identity: IdentityNumber) throws -> Profile? {
        guard let key = try self.field.first(identity, field.rawValue, read: { EntryKey($0.integer(0)) }) else {
            return nil
        }
        guard let entry = try entries.entry(at: key), let payload = entry.payload,
            case .profile(let profile)? = try? Payload.decode(kind: entry.kind, bytes: payload)
        else { throw StorageError.damaged("a profile is missing") }
        return profile
    }

    func person(_ identity: IdentityID, number: IdentityNumber) throws -> Person {
        Person(
            identity: identity,
            name: try winner(.name, of: number)?.name,
            fullName: try winner(.fullName, of: number)?.fullName,
            bio: try winner(.bio, of: number)?.bio,
            avatar: try winner(.avatar, of: number)?.avatar
        )
    }
}
