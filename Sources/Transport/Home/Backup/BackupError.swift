/// Why a backup was not written, or a home was not restored.
package enum BackupError: Error, Hashable, Sendable {
    /// A file of that name exists; it is not touched.
    case exists(String)
    /// A home's file exists without a home; it is not touched.
    case inTheWay(String)
    /// A database is copied before it is written into the backup, and the disks of these directories do not take it.
    case noRoomForCopy([String])
    /// The backup is there under its name, and whole; but its directory could not be synced, and a power cut may take
    /// it.
    case mayBeLost(SystemError)
    /// The backup is truncated.
    case truncated
    /// A record's hash is wrong, or its content is invalid.
    case damaged
    /// The file is no backup of a home.
    case foreign
    /// A later version wrote it.
    case newerVersion
    case home(HomeError)
}
