package import Entries
internal import GRDB

/// One device of a person, as far as this node has seen it.
package struct DeviceView: Hashable, Sendable {
    package let log: LogID
    package let device: DeviceID
    package let serial: UInt64
    /// Entries that count.
    package let size: UInt64
    /// Entries that are held and proven of the stored history, hidden ones too.
    package let held: UInt64
    /// Time of the last entry that counts, Unix milliseconds; nil if none does.
    package let lastTime: UInt64?
    package let state: State
    /// Whether this home writes the log.
    package let ownership: Ownership

    package enum Ownership: Hashable, Sendable {
        case own
        case other
    }

    package enum State: Hashable, Sendable {
        case writing
        /// The root key settled the log, and all settled entries are held.
        case settled(size: UInt64)
        /// The root key settled the log, and some settled entries are missing here.
        case settling(size: UInt64)
        case forked(cut: UInt64)
        /// 16 logs of the person come before it (`protocol/identity.md` §6).
        case notCarried
        /// The account has ended: no entry of the person counts any more.
        case ended
    }
}

extension StoreReader {
    /// The devices of a person, in the order in which they are carried.
    package func devices(of identity: IdentityID) throws(StorageError) -> [DeviceView] {
        try reading { db in
            let logs = LogTable(db)
            guard let number = try logs.number(ofKnown: identity) else { return [] }
            let own = try HomeRow.read(db).ownLog
            let hasEnded = try EndTable(db).hasEnded(number)
            let states = try logs.numbers(of: number).compactMap { try logs.log(number: $0) }
            return try states.sorted { $0.candidate < $1.candidate }.compactMap { log in
                guard let certificate = try logs.certificate(of: log.number) else { return nil }
                return DeviceView(
                    log: log.log,
                    device: certificate.certificate.device,
                    serial: log.serial,
                    size: log.size,
                    held: max(log.head?.size ?? 0, log.size),
                    lastTime: log.size > 0 ? log.time : nil,
                    state: hasEnded ? .ended : Self.state(of: log),
                    ownership: log.number == own ? .own : .other
                )
            }
        }
    }

    /// The head in force of a log and the device that signed it; nil where none is held.
    package func head(of log: LogID) throws(StorageError) -> (head: Head, device: DeviceID)? {
        try reading { db in
            let logs = LogTable(db)
            guard let state = try logs.log(log), let head = state.head,
                let certificate = try logs.certificate(of: state.number)
            else { return nil }
            return (head, certificate.certificate.device)
        }
    }

    /// The latest counted posts of a log, newest first; deleted ones included.
    package func posts(of log: LogID, limit: Int, reader: IdentityID?) throws(StorageError) -> [PostRow] {
        try reading { db in
            guard let log = try LogTable(db).log(log) else { return [] }
            let posts = try PostReading(db, reader: reader)
            let previous = try Prepared(
                db,
                "SELECT key FROM entries WHERE key >= ? AND key < ? AND kind = ? ORDER BY key DESC LIMIT 256"
            )
            var rows: [PostRow] = []
            var end = log.key(log.size)
            while rows.count < limit {
                let keys = try previous.all(log.key(0), end, Int(EntryKind.post.rawValue)) { EntryKey($0.integer(0)) }
                guard let last = keys.last else { break }
                end = last
                // An entry whose payload breaks a rule is not a post.
                for key in keys where rows.count < limit {
                    if let id = try posts.entries.found(at: key)?.id, let row = try posts.post(id) { rows.append(row) }
                }
            }
            return rows
        }
    }

    /// Whether the root key ended a person's account.
    package func hasEnded(_ identity: IdentityID) throws(StorageError) -> Bool {
        try reading { db in
            guard let number = try LogTable(db).number(ofKnown: identity) else { return false }
            return try EndTable(db).hasEnded(number)
        }
    }

    private static func state(of log: LogState) -> DeviceView.State {
        if log.carriage == .forgotten { return .notCarried }
        if let settled = log.settled {
            return log.isComplete ? .settled(size: settled.size) : .settling(size: settled.size)
        }
        return log.cut.map { .forked(cut: $0.size) } ?? .writing
    }
}
