/// What is at hand of an entry's payload.
package enum EntryBody: Hashable, Sendable {
    case present([UInt8])
    /// Only length and hash are known: erased, or held back by whoever sent it.
    case withheld
}

/// One entry: its header, the id that follows from it, and its body if it is here.
///
/// The id and the body always fit the header: both ways to make one see to it. That an entry *belongs* to its log is
/// a claim that only a `VerifiedChunk` makes.
package struct Entry: Hashable, Sendable {
    package let header: EntryHeader
    package let id: EntryID
    package let body: EntryBody

    /// An entry with its payload; the length and the hash are computed from it.
    ///
    /// The payload has at most `EntryLimits.maximumPayloadBytes`: the caller has checked.
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

    /// An entry whose payload is not here.
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

/// Bounds of what an entry may be (`protocol/log.md`, Entry).
package enum EntryLimits {
    /// One screen of text a hundred times over, and small enough that sixteen bodies fit one message.
    package static let maximumPayloadBytes = 65_536
    /// Sequence numbers fit 32 bits, so that (log number, seq) fits one 64-bit key on disk.
    package static let maximumLogEntries: UInt64 = (1 << 32) - 1
    /// Interior nodes of a log's tree are kept from this level up: below it at most 2^8 − 1 leaves are hashed again for a
    /// proof.
    package static let lowestKeptLevel = 8
    /// From here on times and clocks fold as this value: the largest integer that every JSON reader keeps exact.
    package static let maximumClock: UInt64 = (1 << 53) - 1
}
