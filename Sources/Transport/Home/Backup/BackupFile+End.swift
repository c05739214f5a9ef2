internal import Sodium

extension BackupFile {
    /// Whether a file begins as a backup does and lacks its end, as one is left that was killed.
    static func isCutOff(_ file: borrowing OpenFile) throws(SystemError) -> Bool {
        guard mark.starts(with: try file.bytes(mark.count, at: 0)) else { return false }
        return try !hasEnd(file)
    }

    /// Whether the closing record stands at the end, with the hash that follows from the record before.
    private static func hasEnd(_ file: borrowing OpenFile) throws(SystemError) -> Bool {
        let length = record(.end, [], hash: .zero).count
        let start = try file.facts().size - length
        // There is no backup without a file in it, and so no end without a record before.
        guard start >= mark.count + length,
            let before = Bytes32(try file.bytes(Bytes32.count, at: start - Bytes32.count))
        else { return false }
        return try file.bytes(length, at: start) == record(.end, [], hash: hash(before, .end, []))
    }
}
