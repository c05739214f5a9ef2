package import Entries

/// The record of what honest people wrote and were told is saved, which the checkers compare the nodes with.
package struct Ledger: Sendable {
    /// An entry that its author was told is saved.
    package struct Saved: Hashable, Sendable {
        package let id: EntryID
        package let log: LogID
        package let sequence: UInt64
        package let node: Int

        package init(id: EntryID, log: LogID, sequence: UInt64, node: Int) {
            self.id = id
            self.log = log
            self.sequence = sequence
            self.node = node
        }
    }

    package private(set) var saved: [Saved] = []
    /// The entry ids that each honest device signed, by log and sequence number.
    package internal(set) var signed: [LogID: [UInt64: EntryID]] = [:]
    /// Honest people, all of whose devices are enrolled.
    package private(set) var people: Set<IdentityID> = []
    /// Entries at whose sequence number their device had signed another one.
    package private(set) var signedTwice: [Saved] = []
    /// The token that an entry's text carries and no other text does.
    package private(set) var tokens: [EntryID: UInt64] = [:]
    /// Entries that a delete of their author names.
    package private(set) var erased: Set<EntryID> = []
    /// Every entry that was signed, with its payload.
    package private(set) var entries: [EntryID: Entry] = [:]
    /// The person whose device writes a log.
    package private(set) var persons: [LogID: IdentityID] = [:]
    /// The greatest clock that a person's devices gave an entry.
    private var clocks: [IdentityID: UInt64] = [:]
    /// Entries signed in a home that was restored to an older state since.
    package internal(set) var signedBefore: Set<EntryID> = []
    /// Of a log whose home went back or left: entries from here on may be nowhere. Of a log that such a home began
    /// later: none.
    package internal(set) var forgotten: [LogID: UInt64] = [:]
    /// Logs whose home has left for good.
    package internal(set) var left: Set<LogID> = []
    /// Logs that their home may have gone on with, and does not know that it went back.
    package internal(set) var goneOn: Set<LogID> = []
    /// Those of `goneOn` that may fork, which no home can prevent: a node with none of the lost entries may accept
    /// others.
    package internal(set) var mayFork: Set<LogID> = []
    /// Logs that their person replaced by another.
    package internal(set) var replaced: Set<LogID> = []
    /// By log that its person ended: the settled size; entries from there on count nowhere.
    package internal(set) var settled: [LogID: UInt64] = [:]
    /// People who ended their account, and the log id of the end's frontier item.
    package internal(set) var ends: [IdentityID: LogID] = [:]
    /// Saved entries that were lost with their home.
    package internal(set) var excused: Set<EntryID> = []
    /// Saved entries whose body was lost with their home, and whose header was not.
    package internal(set) var bare: Set<EntryID> = []
    /// Logs that liars forked.
    package var forked: Set<LogID> = []
    package private(set) var nextToken: UInt64 = 1

    package init() {}

    package mutating func enroll(_ log: LogID, of person: IdentityID) {
        if signed[log] == nil { signed[log] = [:] }
        people.insert(person)
        persons[log] = person
    }

    /// The greatest clock of a person's entries; 0 before the first one.
    func clock(of person: IdentityID) -> UInt64 { clocks[person] ?? 0 }

    package func isHonest(_ log: LogID) -> Bool { signed[log] != nil }

    /// A number that no other text carries.
    package mutating func drawToken() -> UInt64 {
        defer { nextToken += 1 }
        return nextToken
    }

    /// Records a committed entry; its author may not know of it yet.
    package mutating func sign(_ entry: Entry, node: Int) {
        let header = entry.header
        if let earlier = signed[header.log]?[header.sequence], earlier != entry.id {
            signedTwice.append(Saved(id: entry.id, log: header.log, sequence: header.sequence, node: node))
        }
        signed[header.log, default: [:]][header.sequence] = entry.id
        entries[entry.id] = entry
        if let person = persons[header.log] { clocks[person] = max(clocks[person] ?? 0, header.clock) }
        guard let payload = entry.payload else { return }
        if let token = Self.tokens(in: payload).first { tokens[entry.id] = token }
        if case .delete(let delete)? = try? Payload.decode(kind: header.kind, bytes: payload) {
            erased.formUnion(delete.entries)
        }
    }

    /// Records that the author was told that an entry is saved.
    package mutating func tell(_ entry: Entry, node: Int) {
        saved.append(Saved(id: entry.id, log: entry.header.log, sequence: entry.header.sequence, node: node))
    }

    /// The text that carries a token.
    package static func text(_ token: UInt64, _ rest: String) -> String { "nut#\(token); \(rest)" }

    /// Every token that occurs in these bytes.
    package static func tokens(in bytes: [UInt8]) -> Set<UInt64> {
        let mark = Array("nut#".utf8)
        var found: Set<UInt64> = []
        var place = 0
        while place + mark.count < bytes.count {
            guard let next = bytes[place...].firstIndex(of: mark[0]) else { break }
            place = next + 1
            guard bytes[next...].starts(with: mark) else { continue }
            var number: UInt64 = 0
            var end = next + mark.count
            while end < bytes.count, (48...57).contains(bytes[end]) {
                number = number &* 10 &+ UInt64(bytes[end] - 48)
                end += 1
            }
            if end < bytes.count, end > next + mark.count, bytes[end] == UInt8(ascii: ";") { found.insert(number) }
        }
        return found
    }
}
