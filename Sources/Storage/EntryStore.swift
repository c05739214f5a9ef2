package import Entries
internal import GRDB
internal import Sodium
internal import Synchronization

/// The single writer of a home's database; the storage format is local, and not part of the protocol.
///
/// Calls are synchronous and may block on the disk; any thread but an event loop's may make them. A call that throws
/// has changed nothing, unless it failed at or after its commit.
package final class EntryStore: Sendable {
    package enum Place: Hashable, Sendable {
        case file(String)
        /// In memory, for tests and simulations: lost with the store.
        case memory
    }

    package enum Creation: Hashable, Sendable {
        case ifAbsent
        case never
    }

    /// The id of this run of the writing process, named by peers' cursors (`protocol/sync.md` §1).
    package let storeID: StoreID

    let writer: any DatabaseWriter
    let place: Place
    /// True while erased payloads may still be in the write-ahead log (WAL).
    let owesScrub = Mutex(false)
    /// Bytes of bodies that were erased for another reason than the budget since this was looked at last.
    let erasedBytes = Atomic(0)
    /// How much of the own log `releaseOwnLog` let into export files in this run; nil: none.
    let released = Mutex<OwnRelease?>(nil)
    /// The record kept outside the home, once `check` was given it.
    let witness = Mutex<HomeWitness?>(nil)
    /// Whether that record is written when `noteOwnLog` is called, and not within each append.
    let notesOwnLogLater = Atomic(false)
    /// What it is to say then; nil: what it says.
    let unnoted = Mutex<LogSize?>(nil)
    /// The disk budget and the state of its enforcement; nil: no budget.
    let keeping = Mutex<BudgetKeeping?>(nil)
    /// What came of the last eviction, and who is told when one fails.
    let evictions = Mutex(Evictions())
    /// What came of the last transactions.
    let writes = Mutex(Writes())
    let wal = WriteAheadLog()
    /// Whether stray edits may have come since they were looked for (`claimStrayEdits`).
    let mayHaveStrayEdits = Atomic(false)
    let remembered = PrefixMemory()
    /// The writer's: used within its transactions alone.
    let rows = LogMemory()
    /// The certificate of the log that was appended to last; nil: none was in this run.
    let written = Mutex<SignedCertificate?>(nil)
    /// The wall clock, in Unix milliseconds: when entries come (`LateArrivals`).
    let clock: @Sendable () -> UInt64
    private let checkpointer: Checkpointer
    private let copies: MigrationCopies?

    /// Opens or creates the database, migrates it after copying it, and begins a run with the new id `run`.
    ///
    /// `clock` is the wall clock, in Unix milliseconds, by which it is noted when entries come.
    ///
    /// - Throws: `absent`, `damaged`, `newerVersion`, `foreignNetwork`, `readOnly`, `diskFull`, `busy`.
    package convenience init(
        _ place: Place,
        network: NetworkID,
        creation: Creation,
        run: StoreID = .random(),
        clock: @escaping @Sendable () -> UInt64 = { WallTime.now }
    ) throws(StorageError) {
        try self.init(place, network: network, creation: creation, schema: .current, run: run, clock: clock)
    }

    init(
        _ place: Place,
        network: NetworkID,
        creation: Creation,
        schema: Schema,
        run id: StoreID = .random(),
        clock: @escaping @Sendable () -> UInt64 = { WallTime.now }
    ) throws(StorageError) {
        storeID = id
        self.clock = clock
        self.place = place
        copies = MigrationCopies(of: place)
        checkpointer = Checkpointer(place)
        let wal = wal
        let (writer, isClean) = try storing {
            let writer = try Connection.writer(at: place, network: network, creation: creation, schema: schema)
            let isClean = try writer.writeWithoutTransaction { db in
                wal.watch(db)
                if case .file = place { wal.gather(db) }
                try Durability.durable.perform(db, wal) { try Runs.begin(id, db) }
                // An earlier run may have left erased payloads in the WAL.
                return try Durability.scrub(db)
            }
            return (writer, isClean)
        }
        self.writer = writer
        owesScrub.withLock { $0 = !isClean }
        copies?.removeOld()
    }

    /// A reader that shares this store's connections.
    package var reader: StoreReader { StoreReader(sharing: writer) }

    /// The state from which a node starts.
    package func state() throws(StorageError) -> StoreState {
        try storing { try writer.read { try StateReading.state(of: storeID, $0) } }
    }

    /// Removes the copies made before migrations: called when the new version has proven itself, and by each erasure.
    package func dropMigrationCopies() {
        copies?.remove()
    }

    /// Checkpoints and truncates the WAL unless a reader blocks it, and closes the store, which is unusable
    /// afterwards. A store that is not closed closes when it is released.
    ///
    /// SQLite would checkpoint itself if the last connection could write. People copy the database file alone.
    package func close() throws(StorageError) {
        noteOwnLog()
        // If this fails, durable data stays in the WAL.
        _ = try? writer.writeWithoutTransaction { try scrub($0) }
        checkpointer.close()
        try storing { try writer.close() }
    }

    /// Truncates the WAL if erased payloads may be in it, because a reader blocked that earlier; else does nothing.
    package func scrubIfOwed() {
        guard owesScrub.withLock({ $0 }) else { return }
        // The entries are durable even if this fails; erased payloads that are left are wiped later.
        let isClean = (try? writer.writeWithoutTransaction { try scrub($0) }) ?? false
        if isClean { owesScrub.withLock { $0 = false } }
    }

    /// Checkpoints and truncates the WAL; false: a reader blocked it, and erased payloads are left in it.
    @discardableResult
    func scrub(_ db: Database) throws -> Bool { try wal.alone { try Durability.scrub(db) } }

    /// Whether the WAL is due for a checkpoint (`StorageLimits.walPagesDue`).
    package var isCheckpointDue: Bool { wal.isDue }

    /// Checkpoints most of the WAL while the writer goes on; pages added meanwhile are left to `checkpointIfDue`.
    ///
    /// Blocks on the disk: to be called from a thread that nobody waits for.
    package func checkpointBeside() { checkpointer.checkpoint(wal) }

    /// Checkpoints the WAL if it is due: called after a write's outcome was reported, so that nobody waits for it.
    ///
    /// - Returns: whether it was due.
    package func checkpointIfDue() -> Bool {
        guard wal.isDue else { return false }
        writer.writeWithoutTransaction { wal.checkpointIfDue($0) }
        return true
    }

    /// Runs one write transaction that may change any log: what is cached of logs is cleared.
    func transaction<Result>(
        _ durability: Durability,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        defer { remembered.forget() }
        return try perform(durability) { db in
            rows.forgetAll()
            return try body(db)
        }
    }

    /// Runs one write transaction that changes logs only through its intake: `remembered` is updated.
    func intake<Result>(
        _ durability: Durability,
        _ body: (Intake, Database) throws -> Result
    ) throws -> Result {
        try keptIntake(durability, body).result
    }

    /// Runs `intake`, and returns the intake with the result: taking apart its statements takes as long as a hash, and
    /// may follow what is told.
    func keptIntake<Result>(
        _ durability: Durability,
        by retry: Retry = .once,
        _ body: (Intake, Database) throws -> Result
    ) throws -> (result: Result, intake: Intake) {
        do {
            return try perform(durability) { db in
                let intake = try Intake(db, memory: rows, now: clock())
                return (try body(intake, db), intake)
            } committed: { done in
                writes.withLock { $0.succeeded(retry) }
                erasedBytes.wrappingAdd(done.intake.erasedBytes, ordering: .relaxed)
                remembered.changed(done.intake.changedLogs, gone: done.intake.forgotten)
            }
        } catch {
            if !(error is Refused) { writes.withLock { $0.failed(retry, StorageError(error)) } }
            // Usually nothing was changed, but a transaction that fails at its very end may have committed.
            remembered.forget()
            throw error
        }
    }

    /// `committed` is called before another transaction begins.
    private func perform<Result>(
        _ durability: Durability,
        _ body: (Database) throws -> Result,
        committed: (Result) -> Void = { _ in }
    ) throws -> Result {
        try writer.writeWithoutTransaction { db in
            do {
                let result = try durability.perform(db, wal) { try body(db) }
                committed(result)
                return result
            } catch {
                // Before the connection's next transaction.
                rows.forgetAll()
                throw error
            }
        }
    }
}
