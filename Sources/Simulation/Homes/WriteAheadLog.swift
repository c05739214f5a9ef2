internal import Foundation

/// How much of a write-ahead log stands, and how much of it the disk has for certain (sqlite.org/walformat.html).
///
/// Read from the index beside it, which SQLite keeps in the native byte order, between two transactions.
struct WriteAheadLog: Hashable {
    /// Changes whenever the log begins anew.
    let salts: UInt64
    /// Frames that are committed.
    let frames: UInt32
    /// Frames that a checkpoint has moved, or tried to: it syncs the log before.
    let moved: UInt32
    let pageBytes: Int

    /// Nil if there is no index: nothing is in the log.
    init?(index path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 136), header.count == 136 else { return nil }
        func word(_ offset: Int) -> UInt32 {
            header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }
        let size = header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) }
        pageBytes = size == 1 ? 65_536 : Int(size)
        frames = word(16)
        salts = UInt64(word(32)) << 32 | UInt64(word(36))
        // Behind the two copies of the header: frames moved, five read marks, eight bytes of locks, frames tried.
        moved = max(word(96), word(128))
    }

    /// Where the file ends behind so many frames.
    func bytes(behind frames: UInt32) -> UInt64 { 32 + UInt64(frames) * UInt64(24 + pageBytes) }

    /// How many frames are on the disk for certain, if those of an earlier reading were.
    func synced(since earlier: WriteAheadLog?) -> UInt32 {
        guard let earlier, earlier.salts == salts else { return moved }
        return max(moved, earlier.frames)
    }
}
