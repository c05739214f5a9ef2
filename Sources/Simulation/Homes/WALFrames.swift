internal import Foundation

/// The committed frames of a SQLite write-ahead log, and those that are certainly synced (sqlite.org/walformat.html).
///
/// Read between two transactions from the WAL index beside it, which SQLite keeps in native byte order.
struct WALFrames: Hashable {
    /// The two salts, which change whenever the log starts over.
    let salts: UInt64
    /// Committed frames.
    let frames: UInt32
    /// Frames that a checkpoint has copied, or tried to: it syncs the log first.
    let moved: UInt32
    let pageBytes: Int

    /// Nil if there is no index: the log is empty.
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
        // Behind the two header copies: frames copied, five read marks, eight bytes of locks, frames attempted.
        moved = max(word(96), word(128))
    }

    /// File offset behind this many frames.
    func bytes(behind frames: UInt32) -> UInt64 { 32 + UInt64(frames) * UInt64(24 + pageBytes) }

    /// Frames that are certainly on disk, given that all frames of an earlier reading are.
    func synced(since earlier: WALFrames?) -> UInt32 {
        guard let earlier, earlier.salts == salts else { return moved }
        return max(moved, earlier.frames)
    }
}
