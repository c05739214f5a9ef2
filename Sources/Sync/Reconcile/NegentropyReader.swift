import Entries
import Sodium

/// One range of a message: its bound, and what the sender says of it.
struct NegentropyRange: Hashable {
    let end: NegentropyBound
    let content: Content

    enum Content: Hashable {
        /// The range needs no further comparison.
        case skip
        case fingerprint(Fingerprint)
        /// Every item that the sender has in the range.
        case ids([Bytes32])
    }

    /// The mode numbers.
    enum Mode: UInt64 {
        case skip = 0
        case fingerprint = 1
        case ids = 2
    }
}

/// Parses a Negentropy V1 message strictly: every value has one encoding, and bounds ascend (`protocol/sync.md` §13).
struct NegentropyReader {
    private var reader: ByteReader
    private var lastTimestamp: UInt64 = 0

    static let version: UInt8 = 0x61

    /// The ranges of a message.
    ///
    /// - Throws: the first error.
    static func ranges(_ bytes: [UInt8]) throws(NegentropyError) -> [NegentropyRange] {
        var reader = NegentropyReader(reader: ByteReader(bytes))
        guard reader.reader.byte() == version else { throw .wrongVersion }
        var ranges: [NegentropyRange] = []
        while !reader.reader.isAtEnd {
            let range = try reader.range(after: ranges.last?.end)
            ranges.append(range)
        }
        return ranges
    }

    private mutating func range(after last: NegentropyBound?) throws(NegentropyError) -> NegentropyRange {
        let end = try bound()
        if let last, end <= last { throw .boundOutOfOrder }
        guard let mode = NegentropyRange.Mode(rawValue: try integer()) else { throw .badMode }
        switch mode {
        case .skip: return NegentropyRange(end: end, content: .skip)
        case .fingerprint:
            guard let bytes = reader.bytes(count: Fingerprint.count), let print = Fingerprint(bytes)
            else { throw .truncated }
            return NegentropyRange(end: end, content: .fingerprint(print))
        case .ids:
            return NegentropyRange(end: end, content: .ids(try ids()))
        }
    }

    private mutating func bound() throws(NegentropyError) -> NegentropyBound {
        let offset = try integer()
        let length = try integer()
        guard length <= UInt64(Bytes32.count) else { throw .badPrefix }
        guard let prefix = reader.bytes(count: Int(length)) else { throw .truncated }
        guard offset > 0 else {
            guard length == 0 else { throw .badPrefix }
            return .end
        }
        let (timestamp, isOverflow) = lastTimestamp.addingReportingOverflow(offset - 1)
        guard !isOverflow, timestamp < .max else { throw .timeOverflow }
        lastTimestamp = timestamp
        var id = Bytes32()
        id.withUnsafeMutableBytes { $0.copyBytes(from: prefix) }
        return NegentropyBound(timestamp: timestamp, length: Int(length), id: id)
    }

    private mutating func ids() throws(NegentropyError) -> [Bytes32] {
        let count = try integer()
        guard count <= UInt64(Limits.reconciliationIDs) else { throw .idListTooLong }
        guard count * UInt64(Bytes32.count) <= UInt64(reader.remaining) else { throw .truncated }
        var ids: [Bytes32] = []
        ids.reserveCapacity(Int(count))
        while ids.count < Int(count), let id = reader.bytes32() { ids.append(id) }
        return ids
    }

    /// An integer in base 128, high digit first, bit 7 set in every byte but the last; the shortest form only.
    private mutating func integer() throws(NegentropyError) -> UInt64 {
        guard var byte = reader.byte() else { throw .truncated }
        guard byte != 0x80 else { throw .badInteger }
        var value = UInt64(byte & 0x7F)
        while byte & 0x80 != 0 {
            guard let next = reader.byte() else { throw .truncated }
            guard value >> 57 == 0 else { throw .badInteger }
            value = value << 7 | UInt64(next & 0x7F)
            byte = next
        }
        return value
    }
}
