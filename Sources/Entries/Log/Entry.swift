/// An entry's payload, as far as it is at hand.
package enum EntryBody: Hashable, Sendable {
    case present([UInt8])
    /// Only length and hash are known: the payload was erased, or the sender withheld it.
    case withheld
}

/// An entry: its header, its id, and its body if it is here.
///
/// Id and body always match the header. Only a `VerifiedChunk` proves that the entry belongs to its log.
package struct Entry: Hashable, Sendable {
    package let header: EntryHeader
    package let id: EntryID
    package let body: EntryBody

    /// An entry with its payload; computes length and hash.
    ///
    /// The caller ensures at most `EntryLimits.maximumPayloadBytes`.
    package init(
        version: UInt8 = EntryHeader.currentVersion,
        flags: UInt8,
        kind: UInt16,
        log: LogID,
        sequence: UInt64,
        time: UInt64,
        clock: UInt64,
        payload: [UInt8]
    ) {
        header = EntryHeader(
            version: version,
            flags: flags,
            kind: kind,
            log: log,
            sequence: sequence,
            time: time,
            clock: clock,
            length: UInt32(clamping: payload.count),
            payloadHash: PayloadHash(of: payload)
        )
        id = header.id
        body = .present(payload)
    }

    /// An entry without its payload.
    package init(withheld header: EntryHeader) {
        self.header = header
        id = header.id
        body = .withheld
    }

    package var payload: [UInt8]? {
        switch body {
        case .present(let payload): payload
        case .withheld: nil
        }
    }
}

/// Bounds of an entry (`protocol/log.md` §1).
package enum EntryLimits {
    /// A hundred screens of text, and small enough that fifteen bodies fit one message.
    package static let maximumPayloadBytes = 65_536
    /// Sequence numbers have 32 bits, so that (log number, seq) is one 64-bit key on disk.
    package static let maximumLogEntries: UInt64 = (1 << 32) - 1
    /// Lowest level of interior nodes that are stored: below it a proof hashes at most 2^8 − 1 leaves again.
    package static let lowestKeptLevel = 8
    /// Largest time and clock in the fold, which clamps to it: the largest integer that every JSON reader keeps exact.
    package static let maximumClock: UInt64 = (1 << 53) - 1
}
