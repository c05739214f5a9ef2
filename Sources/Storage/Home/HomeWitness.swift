internal import Entries
internal import GRDB
internal import Sodium

/// A few words beside the home, not in it, of how far its own log had gone: what is restored in place does not bring them back.
///
/// A database that is written over in the same file has the same `HomeFacts`; that it is older, only something outside can
/// tell. The words are written after each own entry is durable, so after a crash at any moment they say as much as the
/// database holds or less, and never more; what has left the home may be ahead of them by the entries of that moment. Absent or
/// torn words say nothing.
package struct HomeWitness: Sendable {
    package enum Haste: Hashable, Sendable {
        /// A power cut may take it: older words conclude nothing.
        case soon
        /// On the disk before the call returns: older words would.
        case lasting
    }

    private let read: @Sendable () -> [UInt8]?
    private let write: @Sendable ([UInt8], Haste) -> Bool
    /// The database's file, by what tells it from another one at the same place.
    private var place = HomeFacts()

    /// `read` gives what `write` was given last; `write` says whether that worked.
    package init(
        read: @escaping @Sendable () -> [UInt8]?,
        write: @escaping @Sendable ([UInt8], Haste) -> Bool
    ) {
        self.read = read
        self.write = write
    }

    func standing(at facts: HomeFacts) -> HomeWitness {
        var copy = self
        copy.place = HomeFacts(inode: facts.inode, birth: facts.birth)
        return copy
    }

    /// What was said last; nil where nothing was, or nothing that can be read.
    func said() -> WitnessedLog? {
        read().flatMap { WitnessedLog(decoding: $0) }
    }

    @discardableResult
    func say(_ log: LogID?, size: UInt64, _ haste: Haste = .soon) -> Bool {
        write(WitnessedLog(log: log, size: size, place: place).encode(), haste)
    }

    /// Unsays everything, before the own log may become shorter or another one.
    ///
    /// - Returns: false if what stands there could not be taken back.
    @discardableResult
    package func forget() -> Bool {
        guard said()?.log != nil else { return true }
        return say(nil, size: 0, .lasting)
    }

    /// Says how far the own log of a home that signs has gone.
    func note(_ db: Database, _ haste: Haste = .soon) throws {
        let home = try HomeRow.read(db)
        guard try SigningStop.inForce(home, db) == nil else { return }
        let own = try home.ownLog.flatMap { try LogTable(db).log(number: $0) }
        say(own?.log, size: own?.head?.size ?? 0, haste)
    }
}

/// What a witness says, in 256 bytes of text: the own log, how many of its entries were durable, and in which file.
struct WitnessedLog: Hashable {
    /// Nil: nothing is said.
    let log: LogID?
    let size: UInt64
    /// Inode and birth of the database's file.
    let place: HomeFacts

    private static let mark = "scurry witness 1"
    private static let count = 256

    init(log: LogID?, size: UInt64, place: HomeFacts) {
        self.log = log
        self.size = size
        self.place = place
    }

    /// Nil for bytes that are not a whole one.
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

    /// Always as long, so that it is written over itself.
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

    /// Whether the database at this place holds less of the own log than was durable here, or writes another one.
    ///
    /// Another file is told by the facts, and words about it say nothing of this one.
    func isAhead(of home: HomeRow, at facts: HomeFacts, _ db: Database) throws -> Bool {
        guard let log, !facts.differ(from: place),
            let own = try home.ownLog.flatMap({ try LogTable(db).log(number: $0) })
        else { return false }
        return own.log != log || own.head?.size ?? 0 < size
    }

    /// 16 letters: to notice what was written by halves.
    private static func sum(_ body: String) -> String {
        "sum \(Base32.encode(Array(SHA256.hash(Array(body.utf8)).bytes.prefix(10))))"
    }
}
