package import Entries
internal import GRDB
package import Sodium

extension EntryStore {
    /// Certificate and compact range of [0, stored end), pending entries included, of each known log.
    package func prefixes(of logs: [LogID]) throws(StorageError) -> [LogID: LogPrefix] {
        let (known, moment) = remembered.known(of: logs)
        let others = logs.filter { known[$0] == nil }
        guard !others.isEmpty else { return known }
        let read = try storing { try writer.read { try Self.prefixes(of: others, $0) } }
        remembered.add(read, readSince: moment)
        return known.merging(read) { $1 }
    }

    /// The cached prefix of one log; nil if it is not cached. Never reads the file.
    package func rememberedPrefix(of log: LogID) -> LogPrefix? { remembered.known(of: [log]).prefixes[log] }

    private static func prefixes(of logs: [LogID], _ db: Database) throws -> [LogID: LogPrefix] {
        let table = LogTable(db)
        var prefixes: [LogID: LogPrefix] = [:]
        for id in logs {
            guard let log = try table.log(id) else { continue }
            let side = log.settled == nil ? nil : try SideTable(db).side(of: log.number)?.tip
            prefixes[id] = log.prefix(try table.certificate(of: log.number), side: side)
        }
        return prefixes
    }

    /// Answers wants with chunks, proven by a head or a known root, straight from the rows.
    ///
    /// In the order of the wants; fewer than those once `byteLimit` is reached or too much was hashed
    /// (`StorageLimits.hashedBytesPerRead`), but at least one entry in all. A log that cannot be read is answered as
    /// `lacking` and reported to `damaged`; the others are still served.
    package func ranges(
        _ wants: [RangeWant],
        byteLimit: Int,
        damaged: (StorageError) -> Void = { _ in }
    ) throws(StorageError) -> [RangeAnswer] {
        try storing {
            try writer.read { try PackedRange($0).answers(to: wants, byteLimit: byteLimit, damaged: damaged) }
        }
    }

    /// The compact range of [0, end) of the stored log, hidden entries included; nil if it is not known.
    package func prefixNodes(of log: LogID, end: UInt64) throws(StorageError) -> [Bytes32]? {
        try storing {
            try writer.read { db in
                guard let log = try LogTable(db).log(log), log.knows(end) else { return nil }
                return try TreeNodes(db).covering(0..<end, of: log)
            }
        }
    }

    /// The compact range of [0, end) of the stored log, hidden entries included, with its proof; nil if it is not
    /// known, or nothing proves it.
    package func prefixProof(of log: LogID, end: UInt64) throws(StorageError) -> PrefixProof? {
        try storing {
            try writer.read { db in
                guard let log = try LogTable(db).log(log) else { return nil }
                return try Disputes(db).prefixProof(of: log, end: end)
            }
        }
    }

    /// The descendants of a place in the stored log's tree (`Descent`); nil if one of them is not known.
    package func nodes(of log: LogID, at place: TreePlace) throws(StorageError) -> [Bytes32]? {
        try storing {
            try writer.read { db in
                try LogTable(db).log(log).flatMap { try TreeNodes(db).descendants(of: place, in: $0) }
            }
        }
    }

    /// Bodies of counted entries, in the order of the places.
    ///
    /// Fewer than those once `byteLimit` is reached, but at least one.
    package func bodies(_ places: [BodyPlace], byteLimit: Int) throws(StorageError) -> [BodyAnswer] {
        try storing {
            try writer.read { db in
                let logs = LogTable(db)
                let entries = EntryTable(db)
                var answers: [BodyAnswer] = []
                var used = 0
                for place in places {
                    var payload: [UInt8]?
                    if let log = try logs.log(place.log), place.sequence < log.size {
                        payload = try entries.entry(at: log.key(place.sequence))?.payload
                    }
                    used += Self.bodyFrameBytes + (payload?.count ?? 0)
                    guard answers.isEmpty || used <= byteLimit else { break }
                    answers.append(BodyAnswer(place: place, payload: payload))
                }
                return answers
            }
        }
    }

    /// Wire bytes of a body besides its payload, rounded up.
    private static let bodyFrameBytes = 64
}
