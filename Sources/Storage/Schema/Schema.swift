internal import Entries
internal import GRDB

/// The schema versions: each step migrates the database to the next.
struct Schema {
    /// `PRAGMA application_id`: "Scry".
    static let applicationID: Int64 = 0x5363_7279

    /// The step to version 1 first. A step that was released is never changed.
    let steps: [@Sendable (Database, NetworkID) throws -> Void]

    var version: Int { steps.count }

    static let current = Schema(steps: [
        { db, network in
            try db.execute(sql: Tables.signed)
            try db.execute(sql: Tables.local)
            try db.execute(sql: Tables.derived)
            try Prepared(db, "INSERT INTO home (one, network) VALUES (1, ?)").run(network.raw)
        },
        { db, _ in
            try db.execute(sql: Tables.verdicts)
            try db.execute(sql: Tables.homeFacts)
        },
        { db, _ in
            try db.execute(sql: Tables.gaps)
            try db.execute(sql: Tables.cursorScopes)
        },
        { db, _ in try db.execute(sql: Tables.droppedBodies) },
        { db, _ in try db.execute(sql: Tables.wholeTargets) },
        { db, _ in try db.execute(sql: Tables.lateArrivals) },
    ])

    /// Checks whether this program may use the database at all.
    ///
    /// - Returns: the version found; 0 for an empty database.
    /// - Throws: `damaged`, `newerVersion`, `foreignNetwork`.
    func check(_ db: Database, network: NetworkID?) throws -> Int {
        let found = try Self.pragma(db, "user_version")
        guard found > 0 else {
            let tables = try Prepared(db, "SELECT count(*) FROM sqlite_schema").first { $0.count(0) } ?? 0
            guard tables == 0 else { throw StorageError.damaged("the file is a database of another program") }
            return 0
        }
        guard try Self.pragma(db, "application_id") == Self.applicationID else {
            throw StorageError.damaged("the file is a database of another program")
        }
        guard found <= Int64(version) else { throw StorageError.newerVersion(found: Int(found), known: version) }
        // This program makes none: those in a file from somebody else would run with every write.
        let foreign = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        guard try Prepared(db, foreign).first(read: { $0.count(0) }) == 0 else {
            throw StorageError.damaged("the file has triggers or views, which this program never makes")
        }
        if let network {
            let home = try Prepared(db, "SELECT network FROM home").first { try $0.id(0, as: NetworkID.self) }
            guard let home else { throw StorageError.damaged("the home's own row is missing") }
            guard home == network else { throw StorageError.foreignNetwork }
        }
        return Int(found)
    }

    /// Brings the database from `found` to this version, in one transaction.
    func migrate(_ db: Database, from found: Int, network: NetworkID) throws {
        guard found < version else { return }
        try db.inTransaction(.immediate) {
            for step in steps[found...] { try step(db, network) }
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    static func pragma(_ db: Database, _ name: String) throws -> Int64 {
        try Prepared(db, "PRAGMA \(name)").first { $0.integer(0) } ?? 0
    }
}
