internal import Entries
internal import Sodium

/// A row of `entries` with its body: all that the header holds, except what can be computed from the payload.
struct StoredEntry {
    let key: EntryKey
    let kind: UInt16
    let version: UInt8
    let flags: UInt8
    let time: UInt64
    let clock: UInt64
    let body: Body

    enum Body {
        case present([UInt8])
        case withheld(length: UInt32, hash: PayloadHash)
    }

    static let columns = "key, kind, version, flags, time, clock_ahead, length, hash, payload"
    static let tables = "entries LEFT JOIN bodies ON bodies.number = entries.body"
    /// Entries from one key up to another.
    static let span = "SELECT \(columns) FROM \(tables) WHERE key >= ? AND key < ? ORDER BY key"

    /// - Throws: `StorageError.damaged`.
    init(_ columns: Columns) throws {
        key = EntryKey(columns.integer(0))
        guard let kind = UInt16(exactly: columns.integer(1)), let version = UInt8(exactly: columns.integer(2)),
            let flags = UInt8(exactly: columns.integer(3))
        else { throw StorageError.damaged("an entry's header is impossible") }
        self.kind = kind
        self.version = version
        self.flags = flags
        time = columns.bits(4)
        clock = time &+ columns.bits(5)
        if columns.isNull(7) {
            guard !columns.isNull(8) else { throw StorageError.damaged("an entry's body is missing") }
            body = .present(columns.bytes(8))
        } else {
            guard let length = UInt32(exactly: columns.integer(6)) else {
                throw StorageError.damaged("an entry's length is impossible")
            }
            body = .withheld(length: length, hash: try columns.id(7))
        }
    }

    var isErasable: Bool { flags & EntryHeader.erasableFlag != 0 }

    var payload: [UInt8]? {
        switch body {
        case .present(let payload): payload
        case .withheld: nil
        }
    }

    /// Bytes of a payload that folds as many choices, some 36 bytes each; 0 of one that folds as a whole.
    var choiceBytes: UInt64 {
        switch EntryKind(rawValue: kind) {
        case .vote, .follow, .delete: UInt64(payload?.count ?? 0)
        case .post, .edit, .profile, .private, .label, .channel, .proof, nil: 0
        }
    }

    /// Whether the body is missing and asked for, unless a delete covers the entry.
    var wantsBody: Bool {
        switch body {
        case .present: false
        case .withheld(let length, _): isErasable && EntryHeader.wantsBody(kind: kind, length: length)
        }
    }

    /// The complete header; hashes a payload that is present.
    func header(in log: LogID) -> EntryHeader {
        switch body {
        case .present(let payload):
            header(in: log, length: UInt32(clamping: payload.count), hash: PayloadHash(of: payload))
        case .withheld(let length, let hash): header(in: log, length: length, hash: hash)
        }
    }

    /// Header and body for packing: without the log id, and without a present payload's hash, which the receiver
    /// computes.
    func packable() -> (header: EntryHeader, body: EntryBody) {
        let nowhere = LogID(raw: .zero)
        switch body {
        case .present(let payload):
            let none = PayloadHash(raw: .zero)
            return (header(in: nowhere, length: UInt32(clamping: payload.count), hash: none), .present(payload))
        case .withheld(let length, let hash):
            return (header(in: nowhere, length: length, hash: hash), .withheld)
        }
    }

    private func header(in log: LogID, length: UInt32, hash: PayloadHash) -> EntryHeader {
        EntryHeader(
            version: version,
            flags: flags,
            kind: kind,
            log: log,
            sequence: key.sequence,
            time: time,
            clock: clock,
            length: length,
            payloadHash: hash
        )
    }
}

extension EntryHeader {
    /// Whether a missing body is asked for: the entry is erasable, at most 65,536 bytes long, and not of a known kind
    /// without erasable bodies (`protocol/sync.md` §8).
    var wantsBody: Bool {
        isErasable && Self.wantsBody(kind: kind, length: length)
    }

    fileprivate static func wantsBody(kind: UInt16, length: UInt32) -> Bool {
        length <= EntryLimits.maximumPayloadBytes && EntryKind(rawValue: kind)?.isErasable ?? true
    }
}
