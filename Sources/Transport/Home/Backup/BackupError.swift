/// Why a backup was not written, or a home was not made of one.
package enum BackupError: Error, Hashable, Sendable {
    /// A file of that name is there already; it is not touched.
    case exists(String)
    /// Something that a home has is there without one; it is not touched.
    case inTheWay(String)
    /// The file ends before its end: the copy of it was cut off.
    case truncated
    /// A byte of it is another one.
    case damaged
    /// It is no backup of a home.
    case foreign
    /// A later program wrote it.
    case newerVersion
    case home(HomeError)
}
