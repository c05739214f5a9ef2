internal import Entries
internal import GRDB

/// Reads the registers of a profile.
struct ProfileReading {
    private let latest: LatestWrite
    private let entries: EntryTable

    init(_ db: Database) throws {
        latest = try LatestWrite(db, table: "profiles", register: ("identity", "field"))
        entries = EntryTable(db)
    }

    /// The profile entry that holds a field's register; nil if no profile has the field.
    func winner(_ field: ProfileField, of identity: IdentityNumber) throws -> Profile? {
        guard let key = try latest.entry(identity, field.rawValue) else { return nil }
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
