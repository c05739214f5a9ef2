#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import GRDB

/// Opens a database on a read-only or a full file system: without the files that SQLite keeps beside it, it is read as
/// it is.
enum ReadOnlyDisk {
    /// Whether an opening failed because nothing can be made beside the database at `path`.
    ///
    /// On a full disk only where no WAL holds anything, which would not be read: a writer lacks the same room, as long
    /// as there is none (`StoreReader.isFrozen`).
    static func isReason(for error: DatabaseError, at path: String) -> Bool {
        if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return !hasLog(path) }
        return switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_READONLY: holds(path)
        default: false
        }
    }

    /// The URI by which SQLite opens an immutable file: no locks, no WAL. An existing WAL is not read.
    static func name(of path: String) -> String { name(of: path, "immutable=1") }

    /// The URI of a file, with parameters for opening it ("Uniform Resource Identifiers", sqlite.org/uri.html).
    static func name(of path: String, _ parameters: String) -> String {
        var name = "file:"
        for byte in path.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-".utf8.contains(byte)
            if isPlain {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return name + "?" + parameters
    }

    /// Bytes that this user may still write in the directory of `path`; nil if the system does not say.
    static func freeBytes(beside path: String) -> UInt64? {
        var facts = statvfs()
        guard statvfs(directory(of: path), &facts) == 0 else { return nil }
        return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
    }

    /// Whether the database's WAL holds anything, or cannot be looked at.
    private static func hasLog(_ path: String) -> Bool {
        var facts = stat()
        return stat(DatabaseFiles.beside(path) + "-wal", &facts) == 0 ? facts.st_size > 0 : errno != ENOENT
    }

    static func directory(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// Whether the file system at `path` is read-only (`statvfs`, ST_RDONLY).
    static func holds(_ path: String) -> Bool {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 && facts.f_flag & 1 != 0
    }
}
