import Entries

/// Counts the fields of a message before it is decoded.
///
/// A message of 1 MiB can hold half a million empty sub-messages, which the decoder would expand to a hundred times as
/// much memory before they could be counted.
enum FieldScan {
    /// Whether the body has at most `limit` fields of any number at its top level, including those within groups. A
    /// body that cannot be read passes: the decoder refuses it.
    static func isWithin(_ body: [UInt8], limit: Int) -> Bool {
        var reader = ByteReader(body)
        var count = 0
        while !reader.isAtEnd {
            count += 1
            guard count <= limit else { return false }
            guard let key = lenientVarint(&reader) else { return true }
            switch key & 7 {
            case 0:
                guard lenientVarint(&reader) != nil else { return true }
            case 1:
                guard reader.bytes(count: 8) != nil else { return true }
            case 2:
                guard let length = lenientVarint(&reader), length <= UInt64(reader.remaining),
                    reader.bytes(count: Int(length)) != nil
                else { return true }
            case 5:
                guard reader.bytes(count: 4) != nil else { return true }
            case 3, 4:
                // The two ends of a group are bare keys; the fields between count as if there were no group.
                break
            default:
                return true
            }
        }
        return true
    }

    /// A varint in any encoding that Protocol Buffers allow.
    private static func lenientVarint(_ reader: inout ByteReader) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard let byte = reader.byte() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
