/// Why packed entries do not parse (`protocol/log.md` §2).
package enum EntryCodingError: Error, Hashable, Sendable {
    case truncated
    case trailingBytes
    /// A reserved shape bit, a varint that is not the shortest, or an explicit form that has a shorter one.
    case malformed
    case payloadTooLong
    /// The body is withheld and may not be erased.
    case bodyRequired
}

/// The packed form of consecutive entries: about 12 bytes each beside the payload (`protocol/log.md` §2).
///
/// `shape u8 · [version u8 · flags u8] · kind varint · time zigzag varint (difference to the previous entry, at first
/// to 0) · clock zigzag varint (difference to its own time) · length varint · payload, or payload hash`.
package enum EntryCoding {
    static let withheldBit: UInt8 = 1
    static let erasableBit: UInt8 = 2
    static let explicitBit: UInt8 = 4
    /// All others are reserved.
    static let shapeBits = withheldBit | erasableBit | explicitBit

    package static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
        var writer = ByteWriter()
        var previousTime: UInt64 = 0
        for entry in entries {
            append(entry, after: &previousTime, to: &writer)
        }
        return writer.bytes
    }

    /// Appends one entry; `previousTime` is the previous entry's time, at first 0, and is updated.
    package static func append(_ entry: Entry, after previousTime: inout UInt64, to writer: inout ByteWriter) {
        append(entry.header, entry.body, after: &previousTime, to: &writer)
    }

    /// Appends one entry from its parts.
    ///
    /// Reads the header's payload hash only if the body is withheld, so the holder of a body need not compute it.
    package static func append(
        _ header: EntryHeader,
        _ body: EntryBody,
        after previousTime: inout UInt64,
        to writer: inout ByteWriter
    ) {
        let isCommon = header.version == EntryHeader.currentVersion && header.flags <= EntryHeader.erasableFlag
        let withheld = body == .withheld ? withheldBit : 0
        if isCommon {
            writer.append(withheld | (header.isErasable ? erasableBit : 0))
        } else {
            writer.append(withheld | explicitBit)
            writer.append(header.version)
            writer.append(header.flags)
        }
        writer.append(varint: UInt64(header.kind))
        writer.append(zigzag: Int64(bitPattern: header.time &- previousTime))
        writer.append(zigzag: Int64(bitPattern: header.clock &- header.time))
        writer.append(varint: UInt64(header.length))
        switch body {
        case .present(let payload): writer.append(payload)
        case .withheld: writer.append(header.payloadHash)
        }
        previousTime = header.time
    }

    /// Parses and hashes exactly `count` entries from sequence number `start` on.
    ///
    /// - Throws: `EntryCodingError`; nothing is repaired.
    package static func decode(
        _ bytes: ArraySlice<UInt8>,
        count: Int,
        log: LogID,
        start: UInt64
    ) throws(EntryCodingError) -> [Entry] {
        var reader = ByteReader(bytes)
        var entries: [Entry] = []
        // An entry has at least five bytes, so a false count reserves no memory.
        entries.reserveCapacity(min(count, bytes.count / 5))
        var previousTime: UInt64 = 0
        for offset in 0..<UInt64(count) {
            let entry = try decodeOne(&reader, log: log, sequence: start + offset, previousTime: previousTime)
            previousTime = entry.header.time
            entries.append(entry)
        }
        guard reader.isAtEnd else { throw .trailingBytes }
        return entries
    }

    private static func decodeOne(
        _ reader: inout ByteReader,
        log: LogID,
        sequence: UInt64,
        previousTime: UInt64
    ) throws(EntryCodingError) -> Entry {
        guard let shape = reader.byte() else { throw .truncated }
        guard shape <= shapeBits else { throw .malformed }
        var version = EntryHeader.currentVersion
        var flags = shape & erasableBit == 0 ? 0 : EntryHeader.erasableFlag
        if shape & explicitBit != 0 {
            guard let explicitVersion = reader.byte(), let explicitFlags = reader.byte() else { throw .truncated }
            (version, flags) = (explicitVersion, explicitFlags)
            let hasShorterSpelling = version == EntryHeader.currentVersion && flags <= EntryHeader.erasableFlag
            guard shape & erasableBit == 0, !hasShorterSpelling else { throw .malformed }
        }
        let kind: UInt16 = try varint(&reader)
        let time = previousTime &+ unfolded(try varint(&reader))
        let clock = time &+ unfolded(try varint(&reader))
        let length: UInt32 = try varint(&reader)
        let isLong = length > EntryLimits.maximumPayloadBytes

        if shape & withheldBit == 0 {
            guard !isLong else { throw .payloadTooLong }
            guard let payload = reader.bytes(count: Int(length)) else { throw .truncated }
            return Entry(
                version: version,
                flags: flags,
                kind: kind,
                log: log,
                sequence: sequence,
                time: time,
                clock: clock,
                payload: Array(payload)
            )
        }
        // A payload above the limit is always withheld; one within it only if it may be erased.
        guard isLong || flags & EntryHeader.erasableFlag != 0 else { throw .bodyRequired }
        guard let hash = reader.bytes32() else { throw .truncated }
        return Entry(
            withheld: EntryHeader(
                version: version,
                flags: flags,
                kind: kind,
                log: log,
                sequence: sequence,
                time: time,
                clock: clock,
                length: length,
                payloadHash: PayloadHash(raw: hash)
            )
        )
    }

    /// Decodes a zigzag number, modulo 2⁶⁴.
    private static func unfolded(_ zigzag: UInt64) -> UInt64 {
        zigzag >> 1 ^ (0 &- zigzag & 1)
    }

    private static func varint<Value: FixedWidthInteger>(_ reader: inout ByteReader) throws(EntryCodingError) -> Value {
        let atStart = reader
        guard let number = reader.varint() else { throw atStart.endsInVarint ? .truncated : .malformed }
        guard let value = Value(exactly: number) else { throw .malformed }
        return value
    }
}
