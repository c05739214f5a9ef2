package import Sodium

/// Writes fixed layouts that are hashed or signed: big-endian integers and raw bytes.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: Bytes32) {
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ value: some Identifier) {
        append(value.raw)
    }

    package mutating func append(_ value: Signature) {
        append(value.first)
        append(value.second)
    }

    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends the shortest varint, 1 to 10 bytes (`protocol/README.md` §3).
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a signed difference as a zigzag varint (`protocol/README.md` §3).
    package mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }
}

/// Reads untrusted bytes front to back; a read past the end returns nil and never traps.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package var remaining: Int { bytes.endIndex - position }
    package var isAtEnd: Bool { position == bytes.endIndex }

    package mutating func byte() -> UInt8? {
        guard position < bytes.endIndex else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
        guard let slice = bytes(count: Value.bitWidth / 8) else { return nil }
        return slice.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    package mutating func bytes(count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, remaining >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func bytes32() -> Bytes32? {
        bytes(count: Bytes32.count).flatMap { slice in slice.withUnsafeBytes { Bytes32(raw: $0) } }
    }

    package mutating func signature() -> Signature? {
        bytes(count: Signature.count).flatMap { Signature($0) }
    }

    /// Reads a varint; nil unless it is the shortest and has at most 64 bits.
    package mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let next = byte() {
            if shift == 63, next > 1 { return nil }
            value |= UInt64(next & 0x7F) << shift
            if next & 0x80 == 0 {
                return next == 0 && shift > 0 ? nil : value
            }
            shift += 7
            if shift > 63 { return nil }
        }
        return nil
    }

    /// Whether the remaining bytes could begin a varint, so that it was truncated and not malformed.
    package var endsInVarint: Bool {
        remaining < 10 && bytes[position...].allSatisfy { $0 & 0x80 != 0 }
    }

    package mutating func zigzag() -> Int64? {
        varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }
}
