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
