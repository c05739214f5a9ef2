package import Entries

/// Why the store could not do what it was asked; whatever it was, nothing was changed.
package enum StorageError: Error, Hashable, Sendable {
    /// The file system, or the database's own limit, has no room left.
    case diskFull
    /// A new version first copies the database, and the disk has not as much room.
    case noRoomToCopy(bytes: UInt64, free: UInt64)
    /// The file, its directory or the disk may not be written.
    case readOnly
    /// The file, or one that SQLite needs beside it, may not be opened.
    case unopenable
    /// The disk refused a write for another reason than that it is full: a quota, or it is broken.
    case unwritable
    /// The file is no database of Scurry's, or parts of it are unreadable; SQLite's words.
    case damaged(String)
    /// A later program made this database; nothing is tried on it.
    case newerVersion(found: Int, known: Int)
    /// An earlier program made it; whoever opens it to write brings it up to date.
    case olderVersion
    /// There is no database at this place.
    case absent
    /// The database belongs to another network, and does so for ever.
    case foreignNetwork
    /// Another process held the database for longer than `StorageLimits.busyTimeoutMilliseconds`.
    case busy
    /// The home has an own log already, and it is another one.
    case ownLogExists
    /// Of the own log more is known than is here up to a head: it cannot be continued yet.
    case ownLogIncomplete
    /// The own log was cut off or forked, or the account has ended: it is continued by nothing that a home can do.
    case ownLogEnded
    /// SQLite refuses what it is given, and would again: a rule of a table, say; SQLite's words.
    case unfit(String)
    case other(String)
}

extension StorageError: CustomStringConvertible {
    /// One line for a person, without a full stop.
    package var description: String {
        switch self {
        case .diskFull: "the disk is full; nothing was changed"
        case .noRoomToCopy(let bytes, let free):
            "a new version copies the database first: that takes \((bytes >> 20) + 1) MiB, and \(free >> 20) MiB are free"
        case .readOnly: "the database cannot be written: check the permissions of the home and its disk"
        case .unopenable: "the database cannot be opened: check the permissions of the home and its disk"
        case .unwritable: "the disk takes no more: over quota, or broken; nothing was changed"
        case .damaged(let what): "the database is damaged (\(what))"
        case .newerVersion(let found, let known):
            "the database has version \(found), this program knows up to \(known): a newer scurry made it"
        case .olderVersion: "the database is of an earlier version"
        case .absent: "there is no database here"
        case .foreignNetwork: "the database belongs to another network"
        case .busy: "the database is in use by another program; try again"
        case .ownLogExists: "this home writes another log already"
        case .ownLogEnded: "the own log has ended"
        case .ownLogIncomplete: "the own log is not whole here: a peer has more of it, or more of it has left this home"
        case .unfit(let what), .other(let what): "the database failed: \(what)"
        }
    }
}

/// A rule that an own entry would break: nothing was signed.
package enum AppendRefusal: Hashable, Sendable {
    /// This home has no person: a hub.
    case noOwnLog
    /// The device key is under a passphrase that nobody has given.
    case locked
    /// The key is not that of the own log's device.
    case wrongKey
    /// A copied home, or a peer that knows a longer own log: a person has to decide first.
    case signingStopped
    /// The person has 16 devices before this one: what it would sign, nobody would carry (`protocol/identity.md` §6).
    case notCarried
    /// Another home wrote this log too: it signs nothing more, the person settles it and goes on with a new device.
    case logForked
    /// The root key said where this log ends.
    case logSettled
    /// The root key ended the account, for ever.
    case accountEnded
    case payloadTooLong(bytes: Int)
    /// What an edit or a delete names is not known here.
    case unknownPost(EntryID)
    /// What an edit or a delete names is somebody else's.
    case notOwnPost(EntryID)
    /// What an edit names was deleted.
    case deletedPost(EntryID)
    /// The log has 2³² − 1 entries.
    case logFull
}

/// Why `EntryStore.append` wrote nothing.
package enum AppendError: Error, Hashable, Sendable {
    case refused(AppendRefusal)
    case storage(StorageError)
}
