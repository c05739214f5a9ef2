internal import Sodium

/// The 96-byte header whose hash is the entry's id (`protocol/log.md` §1).
///
/// `version u8 · flags u8 · kind u16 · log 32 · seq u64 · time u64 · clock u64 · payload length u32 · payload hash 32`,
/// integers big-endian. Any value of any field is valid here; the fold decides what an entry means.
package struct EntryHeader: Hashable, Sendable {
    package let version: UInt8
    package let flags: UInt8
    package let kind: UInt16
    package let log: LogID
    /// Sequence number in the log, from 0.
    package let sequence: UInt64
    /// Unix milliseconds of the writer's wall clock, not verified.
    package let time: UInt64
    /// Orders the writes of one identity's registers (`protocol/fold.md` §3).
    package let clock: UInt64
    /// Length of the payload in bytes.
    package let length: UInt32
    package let payloadHash: PayloadHash

    package init(
        version: UInt8,
        flags: UInt8,
        kind: UInt16,
        log: LogID,
        sequence: UInt64,
        time: UInt64,
        clock: UInt64,
        length: UInt32,
        payloadHash: PayloadHash
    ) {
        self.version = version
        self.flags = flags
        self.kind = kind
        self.log = log
        self.sequence = sequence
        self.time = time
        self.clock = clock
        self.length = length
        self.payloadHash = payloadHash
    }

    package static let count = 96
    /// The only version that the fold reads.
    package static let currentVersion: UInt8 = 1
    /// Flag bit 0: the payload may be erased.
    package static let erasableFlag: UInt8 = 1

    package var isErasable: Bool { flags & Self.erasableFlag != 0 }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.count)
        writer.append(version)
        writer.append(flags)
        writer.append(kind)
        writer.append(log)
        writer.append(sequence)
        writer.append(time)
        writer.append(clock)
        writer.append(length)
        writer.append(payloadHash)
        return writer.bytes
    }

    /// `H("scurry/entry", header)`.
    package var id: EntryID { EntryID(raw: Blake2b.hash(.entry, bytes)) }
}
