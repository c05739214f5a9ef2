internal import Entries
internal import GRDB

/// Edits, deletes and profiles: what identities write about their own entries and themselves.
///
/// Each edit and each profile is kept, since a delete may cover the one in force.
struct OwnWriteTable {
    private let insertEdit: Prepared
    private let deleteEdit: Prepared
    private let insertDelete: Prepared
    private let findDelete: Prepared
    private let dropDelete: Prepared
    private let insertProfile: Prepared
    private let deleteProfile: Prepared

    init(_ db: Database) throws {
        insertEdit = try Prepared(
            db,
            "INSERT OR IGNORE INTO edits (target, identity, clock, entry) VALUES (?, ?, ?, ?)"
        )
        deleteEdit = try Prepared(
            db,
            "DELETE FROM edits WHERE target = ? AND identity = ? AND clock = ? AND entry = ?"
        )
        insertDelete = try Prepared(db, "INSERT OR IGNORE INTO deletes (target, identity) VALUES (?, ?)")
        findDelete = try Prepared(db, "SELECT 1 FROM deletes WHERE target = ? AND identity = ?")
        dropDelete = try Prepared(db, "DELETE FROM deletes WHERE target = ? AND identity = ?")
        insertProfile = try Prepared(
            db,
            "INSERT OR IGNORE INTO profiles (identity, field, clock, entry) VALUES (?, ?, ?, ?)"
        )
        deleteProfile = try Prepared(
            db,
            "DELETE FROM profiles WHERE identity = ? AND field = ? AND clock = ? AND entry = ?"
        )
    }

    func add(_ edit: Edit, target: TargetNumber, at key: EntryKey, clock: UInt64, by identity: IdentityNumber) throws {
        try insertEdit.run(target, identity, Int64(clock), key)
    }

    func removeEdit(of target: TargetNumber, at key: EntryKey, clock: UInt64, by identity: IdentityNumber) throws {
        try deleteEdit.run(target, identity, Int64(clock), key)
    }

    enum Deletion {
        case new
        case known
    }

    func delete(_ target: TargetNumber, by identity: IdentityNumber) throws -> Deletion {
        try insertDelete.run(target, identity)
        return insertDelete.changes > 0 ? .new : .known
    }

    func isDeleted(_ target: TargetNumber, by identity: IdentityNumber) throws -> Bool {
        try findDelete.first(target, identity) { _ in true } ?? false
    }

    func removeDelete(_ target: TargetNumber, by identity: IdentityNumber) throws {
        try dropDelete.run(target, identity)
    }

    func add(_ profile: Profile, at key: EntryKey, clock: UInt64, by identity: IdentityNumber) throws {
        for field in ProfileField.allCases where profile.has(field) {
            try insertProfile.run(identity, field.rawValue, Int64(clock), key)
        }
    }

    func removeProfile(at key: EntryKey, clock: UInt64, by identity: IdentityNumber) throws {
        for field in ProfileField.allCases {
            try deleteProfile.run(identity, field.rawValue, Int64(clock), key)
        }
    }
}

/// A field of a profile, by its number in the table `profiles`.
enum ProfileField: Int, CaseIterable {
    case name = 1
    case fullName = 2
    case bio = 3
    case avatar = 4
}

extension Profile {
    fileprivate func has(_ field: ProfileField) -> Bool {
        switch field {
        case .name: name != nil
        case .fullName: fullName != nil
        case .bio: bio != nil
        case .avatar: avatar != nil
        }
    }
}
