package import Entries
internal import GRDB
internal import Sodium
internal import Synchronization

/// The one writer of a home's database (`protocol/` has nothing to say about it: a store is nobody else's business).
///
/// Calls are synchronous, may block on the disk, and come from any thread but an event loop's. Whatever they throw,
/// nothing was changed.
package final class EntryStore: Sendable {
    package enum Place: Hashable, Sendable {
        case file(String)
        /// For tests and simulations: gone with the store.
        case memory
    }

    package enum Creation: Hashable, Sendable {
        case ifAbsent
        case never
    }

    /// This run of the writing process: what cursors of others name.
    package let storeID: StoreID

    let writer: any DatabaseWriter
    let place: Place
    /// True while words that were erased may still stand in the write-ahead log.
    let owesScrub = Mutex(false)
    /// What files of this run took of the own log.
    let released = Mutex<OwnRelease?>(nil)
    /// What is kept outside the home, once `check` was given it.
    let witness = Mutex<HomeWitness?>(nil)
    /// The budget, if there is one, and how it is kept.
    let keeping = Mutex<BudgetKeeping?>(nil)
    let log = WriteAheadLog()
    let remembered = PrefixMemory()
    private let mover: LogMover
    private let copies: MigrationCopies?

    /// Opens or makes the database, migrates it after a copy, and begins a run of this id: one that no run ever had.
    ///
    /// - Throws: `absent`, `damaged`, `newerVersion`, `foreignNetwork`, `readOnly`, `diskFull`, `busy`.
    package convenience init(
        _ place: Place,
        network: NetworkID,
        creation: Creation,
        run: StoreID = .random()
    ) throws(StorageError) {
        try self.init(place, network: network, creation: creation, schema: .current, run: run)
    }

    init(
        _ place: Place,
        network: NetworkID,
        creation: Creation,
        schema: Schema,
        run id: StoreID = .random()
    ) throws(StorageError) {
        storeID = id
        self.place = place
        copies = MigrationCopies(of: place)
        mover = LogMover(place)
        let log = log
        let (writer, isClean) = try storing {
            let writer = try Connection.writer(at: place, network: network, creation: creation, schema: schema)
            let isClean = try writer.writeWithoutTransaction { db in
                log.watch(db)
                try Durability.perform(.durable, db) { try Runs.begin(id, db) }
                // Whatever an erasure of an earlier run left in the log.
                return try Durability.scrub(db)
            }
            return (writer, isClean)
        }
        self.writer = writer
        owesScrub.withLock { $0 = !isClean }
        copies?.removeOld()
    }

    /// What reads from this store in this process.
    package var reader: StoreReader { StoreReader(sharing: writer) }

    /// What a node needs to begin.
    package func state() throws(StorageError) -> StoreState {
        try storing { try writer.read { try StateReading.state(of: storeID, $0) } }
    }

    /// Removes what was copied before a migration: called when the new version has proven itself, and by each erasure.
    package func dropMigrationCopies() {
        copies?.remove()
    }

    /// Moves everything into the one file, if no reader is in the way, and closes; the store is of no use afterwards.
    /// Without it, it closes when it is released.
    ///
    /// SQLite would do the first itself, were the last connection one that may write. People copy that one file.
    package func close() throws(StorageError) {
        // What is durable stays so in the log, whatever comes of this.
        _ = try? writer.writeWithoutTransaction { try scrub($0) }
        mover.close()
        try storing { try writer.close() }
    }

    /// Wipes what an erasure left in the write-ahead log because somebody was reading; nothing where nothing is owed.
    package func scrubIfOwed() {
        guard owesScrub.withLock({ $0 }) else { return }
        scrubbed(after: .growth)
    }

    /// Cuts the write-ahead log to nothing, unless a reader is in the way; false: something of what was erased is left in it.
    @discardableResult
    func scrub(_ db: Database) throws -> Bool { try log.alone { try Durability.scrub(db) } }

    /// Whether the write-ahead log is long.
    package var isLogDue: Bool { log.isDue }

    /// Moves most of the write-ahead log into the file while others write; what they add is left to `moveLogIfDue`.
    ///
    /// Waits for the disk, from a thread on which nobody waits.
    package func moveLogBeside() { mover.move(log) }

    /// Moves the write-ahead log into the file if it is long: for whoever has told the outcome of what was written, so that
    /// nobody waits for it.
    ///
    /// - Returns: whether it was.
    package func moveLogIfDue() -> Bool {
        guard log.isDue else { return false }
        writer.writeWithoutTransaction { log.moveIfDue($0) }
        return true
    }

    /// One transaction of the writer.
    func transaction<Result>(
        _ durability: Durability,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        defer { remembered.forget() }
        return try perform(durability, body)
    }

    /// One transaction of the writer that touches logs by its intake alone.
    func intake<Result>(
        _ durability: Durability,
        _ body: (Intake, Database) throws -> Result
    ) throws -> Result {
        do {
            let (result, intake) = try perform(durability) { db in
                let intake = try Intake(db)
                return (try body(intake, db), intake)
            }
            remembered.changed(intake.changedLogs, gone: intake.forgotten)
            return result
        } catch {
            // Most likely nothing was changed; what failed at its very end may say so all the same.
            remembered.forget()
            throw error
        }
    }

    private func perform<Result>(
        _ durability: Durability,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try writer.writeWithoutTransaction { db in try Durability.perform(durability, db) { try body(db) } }
    }
}

/// How much a commit waits for the disk.
enum Durability {
    /// Survives a power cut once it returns: what this home signed, and what it says of itself.
    case durable
    /// Survives the end of the process; a power cut may take the last ones, which peers have.
    case replicated

    /// Runs one `BEGIN IMMEDIATE` transaction, rolled back if the body throws.
    static func perform<Result>(
        _ durability: Durability,
        _ db: Database,
        _ body: () throws -> Result
    ) throws -> Result {
        // Outside a transaction: within one the pragma does nothing.
        switch durability {
        case .durable: try Prepared(db, "PRAGMA synchronous = FULL").run()
        case .replicated: try Prepared(db, "PRAGMA synchronous = NORMAL").run()
        }
        // Not GRDB's own: it has SQLite read the words anew each time.
        try Prepared(db, "BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try Prepared(db, "COMMIT").run()
            return result
        } catch {
            // Some failures have rolled it back already.
            if db.isInsideTransaction { try? Prepared(db, "ROLLBACK").run() }
            throw error
        }
    }

    /// Moves the write-ahead log into the file and cuts it to nothing, unless a reader is in the way.
    ///
    /// - Returns: whether nothing of what was erased is left in the log.
    @discardableResult
    static func scrub(_ db: Database) throws -> Bool {
        // A reader is not waited for: it may be a person's pager.
        try Prepared(db, "PRAGMA busy_timeout = 0").run()
        defer {
            _ = try? Prepared(db, "PRAGMA busy_timeout = \(StorageLimits.busyTimeoutMilliseconds)").run()
        }
        return try Prepared(db, "PRAGMA wal_checkpoint(TRUNCATE)").first { $0.integer(0) == 0 } ?? true
    }
}

/// The runs of the writing process and the change numbers that each gave out.
enum Runs {
    /// Ends the last run at what is durable now, and begins another.
    static func begin(_ store: StoreID, _ db: Database) throws {
        let number = try HomeRow.read(db).number
        try Prepared(db, "UPDATE runs SET last = ? WHERE last IS NULL").run(Int64(bitPattern: number))
        try Prepared(db, "INSERT INTO runs (store, first) VALUES (?, ?)")
            .run(store.bytes, Int64(bitPattern: number))
        try Prepared(db, "DELETE FROM runs WHERE run <= (SELECT max(run) FROM runs) - ?")
            .run(StorageLimits.rememberedRuns)
    }

    /// This and earlier runs, newest first.
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
