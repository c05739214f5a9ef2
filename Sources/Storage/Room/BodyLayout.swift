/// How SQLite lays rows of `bodies` in pages (SQLite's file format, "Cell Payload Overflow Pages").
///
/// A row that is longer than a page keeps its beginning in its leaf page, and the rest in overflow pages of its own.
struct BodyLayout: Hashable {
    /// Bytes of a page, all of them usable.
    let pageBytes: Int

    /// Least bytes that a row takes besides its payload.
    private static let rowBytes = 4

    /// Zeros to which a dead row of `bytes` zeros is cut: it then has no overflow pages, and takes at most as much of
    /// its leaf page as before. As many as `bytes` if it has none.
    func keptBytes(of bytes: Int) -> Int {
        let record = bytes + Self.headBytes(of: bytes)
        let (least, most) = ((pageBytes - 12) * 32 / 255 - 23, pageBytes - 35)
        guard record > most else { return bytes }
        let fitting = least + (record - least) % (pageBytes - 4)
        let local = fitting <= most ? fitting : least
        return local - Self.headBytes(of: local)
    }

    /// Least bytes that a row takes: all of a body that is needed, and of a dead row what `keptBytes` leaves.
    func spaceBytes(of row: BodyRow) -> Int {
        (row.isDead ? keptBytes(of: row.bytes) : row.bytes) + Self.rowBytes
    }

    /// Whether a row is dead and longer than what `keptBytes` leaves of it.
    func isTooLong(_ row: BodyRow) -> Bool { row.isDead && keptBytes(of: row.bytes) < row.bytes }

    /// As `spaceBytes`, once a row is dead.
    func deadBytes(of row: BodyRow) -> Int { keptBytes(of: row.bytes) + Self.rowBytes }

    /// Bytes of a record's head: its length, the type of the number, and that of the payload, of 1 to 3 bytes.
    private static func headBytes(of bytes: Int) -> Int {
        let type = 2 * bytes + 12
        return type < 1 << 7 ? 3 : type < 1 << 14 ? 4 : 5
    }
}
