internal import Sodium

/// Trimming of packed entries (`protocol/log.md` §2) for a reader that holds the first ones.
extension EntryCoding {
    /// Drops the first `count` entries, of which it reads only the form; hashes nothing.
    ///
    /// Rewrites the time of the entry that is then the first, which was a difference to the previous one.
    ///
    /// - Throws: `EntryCodingError`.
    package static func dropping(_ count: UInt64, of bytes: [UInt8]) throws(EntryCodingError) -> [UInt8] {
        var reader = ByteReader(bytes)
        var time: UInt64 = 0
        for _ in 0..<count {
            let beginning = try PackedBeginning(&reader, after: time)
            time = beginning.time
            guard reader.varint() != nil, let length = reader.varint() else { throw .malformed }
            let payload = beginning.isWithheld ? UInt64(Bytes32.count) : length
            guard payload <= UInt64(reader.remaining), reader.bytes(count: Int(payload)) != nil else {
                throw .truncated
            }
        }
        guard !reader.isAtEnd else { return [] }
        let start = bytes.count - reader.remaining
        let first = try PackedBeginning(&reader, after: time)
        var writer = ByteWriter(capacity: bytes.count - start + 9)
        writer.append(bytes[start..<bytes.count - first.timeRemaining])
        writer.append(zigzag: Int64(bitPattern: first.time))
        writer.append(bytes[(bytes.count - reader.remaining)...])
        return writer.bytes
    }
}

/// The fields of a packed entry up to its time.
private struct PackedBeginning {
    let isWithheld: Bool
    let time: UInt64
    /// Bytes that remained before the time was read.
    let timeRemaining: Int

    init(_ reader: inout ByteReader, after previousTime: UInt64) throws(EntryCodingError) {
        guard let shape = reader.byte() else { throw .truncated }
        guard shape <= EntryCoding.shapeBits else { throw .malformed }
        if shape & EntryCoding.explicitBit != 0, reader.bytes(count: 2) == nil { throw .truncated }
        guard reader.varint() != nil else { throw .malformed }
        timeRemaining = reader.remaining
        guard let difference = reader.zigzag() else { throw .malformed }
        isWithheld = shape & EntryCoding.withheldBit != 0
        time = previousTime &+ UInt64(bitPattern: difference)
    }
}

extension UnverifiedChunk {
    /// The chunk from its entry `start` on.
    ///
    /// - Throws: `EntryCodingError`.
    package func trimmed(to start: UInt64) throws(EntryCodingError) -> UnverifiedChunk {
        guard start > self.start, start - self.start < count else { return self }
        let dropped = start - self.start
        return UnverifiedChunk(
            log: log,
            certificate: certificate,
            start: start,
            count: count - dropped,
            size: size,
            proof: proof,
            entries: try EntryCoding.dropping(dropped, of: entries),
            right: right
        )
    }
}
