package import Entries

/// Why a store operation failed; nothing was changed, with the exception named at `EntryStore`.
package enum StorageError: Error, Hashable, Sendable {
    /// The file system, or the database's own limit, has no room left.
    case diskFull
    /// A migration first copies the database, and the disk has less free space than that needs.
    case noRoomToCopy(bytes: UInt64, free: UInt64)
    /// The file, its directory or the disk may not be written.
    case readOnly
    /// The file, or one that SQLite needs beside it, may not be opened.
    case unopenable
    /// The file may not be opened beside all that are open: the limit of this process or of the system is reached.
    case tooManyFiles
    /// A directory, pipe or device lies at this path, the database's or one that SQLite needs beside it.
    case noFile(String)
    /// A write failed although the disk is not full: over quota, or broken.
    case unwritable
    /// The file is not a Scurry database, or parts of it are unreadable; the message says what.
    case damaged(String)
    /// A later version of the program made this database; it is left untouched.
    case newerVersion(found: Int, known: Int)
    /// An earlier version of the program made this database; opening it for writing migrates it.
    case olderVersion
    /// There is no database at this place.
    case absent
    /// The database belongs to another network, and does so for ever.
    case foreignNetwork
    /// Another process held the database for longer than `StorageLimits.busyTimeoutMilliseconds`.
    case busy
    /// The home writes another log already.
    case ownLogExists
    /// The own log is not held up to a head, or more of it is published or held by a peer: it cannot be continued yet.
    case ownLogIncomplete
    /// The own log is settled, forked or not carried, or the account has ended: the home cannot continue it.
    case ownLogEnded
    /// SQLite rejects a statement or a value, and would again, as for a table constraint; SQLite's message.
    case unfit(String)
    case other(String)
}

extension StorageError {
    /// Whether a disk takes nothing: full, over quota, broken, or read-only.
    package var isOfDisk: Bool {
        switch self {
        case .diskFull, .unwritable, .readOnly, .unopenable: true
        default: false
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// One line for a person, without a full stop.
    package var description: String {
        switch self {
        case .diskFull, .unwritable: "\(reason); nothing was changed"
        default: reason
        }
    }

    /// As `description`, without a word on what was changed: for an operation of several transactions.
    package var reason: String {
        switch self {
        case .diskFull: "the disk is full"
        case .noRoomToCopy(let bytes, let free):
            "a new version copies the database first: "
                + "that takes \(Megabytes.needed(bytes)), and \(Megabytes.free(free)) are free"
        case .readOnly: "the database cannot be written: check the permissions of the home and its disk"
        case .unopenable: "the database cannot be opened: check the permissions of the home and its disk"
        case .tooManyFiles: "too many files are open: there is none left for the database"
        case .noFile(let path): "\(path) is not a file"
        case .unwritable: "the disk takes no more: over quota, or broken"
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

/// Why an own entry was refused: nothing was signed.
package enum AppendRefusal: Hashable, Sendable {
    /// This home has no person: a hub.
    case noOwnLog
    /// The device key is protected by a passphrase that was not given.
    case locked
    /// The key is not that of the own log's device.
    case wrongKey
    /// Signing has stopped (`SigningStop`): a copied home, or a peer with more of the own log. A person has to decide.
    case signingStopped
    /// 16 logs of the person come before this one: nobody would carry its entries (`protocol/identity.md` §6).
    case notCarried
    /// The log is forked, written by another home too: the person settles it and goes on with a new device.
    case logForked
    /// The root key settled this log.
    case logSettled
    /// The root key ended the account, for ever.
    case accountEnded
    case payloadTooLong(bytes: Int)
    /// The target of an edit or delete is not known here, or not a post where one is required.
    case unknownPost(EntryID)
    /// The target of an edit or delete belongs to another identity.
    case notOwnPost(EntryID)
    /// The target of an edit was deleted, or a delete has nothing left to name.
    case deletedPost(EntryID)
    /// The log has 2³² − 1 entries.
    case logFull
}

/// Why `EntryStore.append` wrote nothing.
package enum AppendError: Error, Hashable, Sendable {
    case refused(AppendRefusal)
    case storage(StorageError)
}
