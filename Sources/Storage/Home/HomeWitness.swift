internal import Entries
internal import GRDB
internal import Sodium

/// A record, kept outside the home, of the size that its own log had reached: restoring the home in place does not
/// restore it.
///
/// A database overwritten in the same file has the same `HomeFacts`; only something outside can tell that it is older.
/// The record is written after own entries are durable, by a node a moment later for several at once (`noteOwnLog`), so
/// after a crash it says as much as the database holds or less, never more; published entries may be ahead of it by
/// those of that moment. An absent or torn record says nothing.
package struct HomeWitness: Sendable {
    /// How durable a write of the record is.
    package enum Haste: Hashable, Sendable {
        /// A power cut may lose it: an older record leads to no conclusion.
        case soon
        /// On the disk before the call returns: an older record would lead to a wrong conclusion.
        case lasting
    }

    private let read: @Sendable () -> [UInt8]?
    private let write: @Sendable ([UInt8], Haste) -> Bool
    /// Inode and creation time, which tell the database file from another one at the same path.
    private var place = HomeFacts()

    /// `read` returns the bytes written last; `write` returns whether it succeeded.
    package init(
        read: @escaping @Sendable () -> [UInt8]?,
        write: @escaping @Sendable ([UInt8], Haste) -> Bool
    ) {
        self.read = read
        self.write = write
    }

    /// This witness, for the database file that has these facts.
    func placed(at facts: HomeFacts) -> HomeWitness {
        var copy = self
        copy.place = HomeFacts(inode: facts.inode, birth: facts.birth)
        return copy
    }

    /// The record; nil if there is none, or it cannot be read.
    func said() -> WitnessedLog? {
        read().flatMap { WitnessedLog(decoding: $0) }
    }

    /// Writes the record, nil clears it; returns whether that succeeded.
    @discardableResult
    func say(_ log: LogID?, size: UInt64, _ haste: Haste = .soon) -> Bool {
        write(WitnessedLog(log: log, size: size, place: place).encode(), haste)
    }

    /// Clears the record, before the own log may become shorter or another one.
    ///
    /// - Returns: false if the record could not be cleared.
    @discardableResult
    package func forget() -> Bool {
        guard said()?.log != nil else { return true }
        return say(nil, size: 0, .lasting)
    }

    /// Records the size of the own log, if the home signs.
    func note(_ db: Database, _ haste: Haste = .soon) throws {
        let home = try HomeRow.read(db)
        guard try SigningStop.inForce(home, db) == nil else { return }
        let own = try home.ownLog.flatMap { try LogTable(db).log(number: $0) }
        say(own?.log, size: own?.head?.size ?? 0, haste)
    }
}

/// The witness's record, 256 bytes of text: the own log, its number of durable entries, and their file.
struct WitnessedLog: Hashable {
    /// Nil: the record is cleared.
    let log: LogID?
    let size: UInt64
    /// Inode and creation time of the database file.
    let place: HomeFacts

    private static let mark = "scurry witness 1"
    private static let count = 256

    init(log: LogID?, size: UInt64, place: HomeFacts) {
        self.log = log
        self.size = size
        self.place = place
    }

    /// Nil for bytes that are not a complete record.
    init?(decoding bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count >= 6, lines[0] == Self.mark else { return nil }
        let body = lines[..<5].map { $0 + "\n" }.joined()
        guard lines[5] == Self.sum(body) else { return nil }
        let words = lines[1..<5].map { $0.split(separator: " ").last.map(String.init) ?? "" }
        guard let size = UInt64(words[1]) else { return nil }
        log = Base32.decode(words[0]).flatMap { LogID($0) }
        self.size = size
        place = HomeFacts(inode: UInt64(words[2]), birth: Int64(words[3]))
    }

    /// The record in bytes, of constant length, so that a write overwrites it in place.
    func encode() -> [UInt8] {
        let body = """
            \(Self.mark)
            log \(log?.description ?? "-")
            size \(size)
            inode \(place.inode.map { "\($0)" } ?? "-")
            birth \(place.birth.map { "\($0)" } ?? "-")

            """
        let bytes = Array((body + Self.sum(body) + "\n").utf8)
        return bytes + [UInt8](repeating: UInt8(ascii: "\n"), count: max(0, Self.count - bytes.count))
    }

    /// Whether the database at this place holds less of the own log than was durable here, or writes another log.
    ///
    /// False for a record of another file, as the facts tell it: that says nothing about this one.
    func isAhead(of home: HomeRow, at facts: HomeFacts, _ db: Database) throws -> Bool {
        guard let log, !facts.differ(from: place),
            let own = try home.ownLog.flatMap({ try LogTable(db).log(number: $0) })
        else { return false }
        return own.log != log || own.head?.size ?? 0 < size
    }

    /// A checksum of 16 letters, to detect a torn write.
    private static func sum(_ body: String) -> String {
        "sum \(Base32.encode(Array(SHA256.hash(Array(body.utf8)).bytes.prefix(10))))"
    }
}
