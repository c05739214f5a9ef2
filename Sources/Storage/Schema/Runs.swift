internal import Entries
internal import GRDB

/// The runs of the writing process and the change numbers that each gave out.
enum Runs {
    /// Ends the last run at the present change number, and begins another.
    static func begin(_ store: StoreID, _ db: Database) throws {
        let number = try HomeRow.read(db).number
        try Prepared(db, "UPDATE runs SET last = ? WHERE last IS NULL").run(Int64(bitPattern: number))
        try Prepared(db, "INSERT INTO runs (store, first) VALUES (?, ?)")
            .run(store.bytes, Int64(bitPattern: number))
        try Prepared(db, "DELETE FROM runs WHERE run <= (SELECT max(run) FROM runs) - ?")
            .run(StorageLimits.rememberedRuns)
    }

    /// The ranges of this and earlier runs, newest first.
    static func ranges(number: UInt64, _ db: Database) throws -> [StoreIDRange] {
        try Prepared(db, "SELECT store, first, last FROM runs ORDER BY run DESC").all { columns in
            guard let store = StoreID(columns.bytes(0)) else {
                throw StorageError.damaged("a store id is not 16 bytes")
            }
            return StoreIDRange(
                store: store,
                first: columns.bits(1),
                last: columns.isNull(2) ? number : columns.bits(2)
            )
        }
    }
}
