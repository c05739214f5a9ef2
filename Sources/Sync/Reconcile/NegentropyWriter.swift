import Entries
import Sodium

/// Writes a Negentropy V1 message range by range, bounds ascending.
struct NegentropyWriter {
    private(set) var bytes: [UInt8] = [NegentropyReader.version]
    private var lastTimestamp: UInt64 = 0

    var count: Int { bytes.count }
    /// Whether no range was written.
    var isEmpty: Bool { bytes.count == 1 }

    mutating func append(skipTo end: NegentropyBound) {
        append(end)
        append(NegentropyRange.Mode.skip.rawValue)
    }

    mutating func append(_ fingerprint: Fingerprint, to end: NegentropyBound) {
        append(end)
        append(NegentropyRange.Mode.fingerprint.rawValue)
        bytes.append(contentsOf: fingerprint.bytes)
    }

    mutating func append(_ ids: [Bytes32], to end: NegentropyBound) {
        append(end)
        append(NegentropyRange.Mode.ids.rawValue)
        append(UInt64(ids.count))
        for id in ids { id.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    }

    /// Removes the bytes behind a place. Only the end bound may follow, since times are relative to the ones removed.
    mutating func cut(to count: Int) {
        bytes.removeSubrange(count...)
    }

    private mutating func append(_ bound: NegentropyBound) {
        if bound.timestamp == .max {
            append(0)
        } else {
            append(bound.timestamp - lastTimestamp + 1)
            lastTimestamp = bound.timestamp
        }
        append(UInt64(bound.length))
        bound.id.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(bound.length)) }
    }

    private mutating func append(_ value: UInt64) {
        var shift: UInt64 = 63
        while shift > 0 {
            if value >> shift != 0 { bytes.append(UInt8(value >> shift & 0x7F) | 0x80) }
            shift -= 7
        }
        bytes.append(UInt8(value & 0x7F))
    }
}
