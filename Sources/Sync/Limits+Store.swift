/// Batches of the verifier and the store, and the own log.
extension Limits {
    // MARK: Verification and store

    /// Entries of one batch for the verifier or the store: with `batchBytes` about a tenth of a second of work. A
    /// guess.
    static let batchEntries: UInt64 = 10_000
    /// Bytes of one batch for the verifier or the store. A guess.
    static let batchBytes = 4_194_304
    /// Target duration of a transaction while the author here or a second peer brings live entries.
    ///
    /// A live entry waits for up to three transactions, at each node on its way; on a disk that flushes in 1 ms half of
    /// the transaction is still work. A guess.
    static let sharedBatchMilliseconds: UInt64 = 1
    /// Target duration of a transaction while one peer alone brings all that comes: as much as `batchEntries` and
    /// `batchBytes` take on a usual machine.
    static let loneBatchMilliseconds: UInt64 = 100
    /// Work (`StorePace`) of the first batch after the pipeline was idle; each next one does up to twice as much.
    ///
    /// One post by each of 28 writers is verified in half a millisecond on two cores, and as many again while the store
    /// takes these.
    static let openingBatchWork: UInt64 = 256
    /// Logs and chunks of one peer's messages that are read before other peers get their turn: a millisecond or two. A
    /// guess.
    static let turnItems = 128
    /// Time for which a peer, or the author here, counts as live after bringing something. A guess.
    static let livelyMilliseconds: UInt64 = 5_000
    /// Work of a transaction that is allowed however slow the store is (`StorePace`): a log's first 56 entries, or the
    /// first entry of each of 7 logs.
    static let leastBatchWork: UInt64 = 64
    /// Work of a pushed chunk up to which it is stored before others' history: some posts, or one of the largest size.
    static let liveWork: UInt64 = 80
    /// Live work that one session may bring in a second; more waits with the history.
    ///
    /// Some 200 posts of different people: a campus of a hundred thousand at noon. A guess.
    static let liveWorkPerSecond: UInt64 = 2_000
    /// Live work that one session may bring at once after a pause: some 400 such posts. A guess.
    static let liveBurstWork: UInt64 = 4_000
    /// Pause after a transaction of history while others are live, as a multiple of the time that its logs took
    /// (entries apart).
    static let bulkPauseFactor: UInt64 = 3
    /// `bulkPauseFactor` for logs of which nothing is here yet, from a peer that no person here listed.
    ///
    /// They may be a flood of new identities, of which 700 to 900 a second are still stored; or a member who comes back
    /// from elsewhere with a few hundred new people, who are here within a second or two all the same.
    static let strangersPauseFactor: UInt64 = 60
    /// Longest such pause, since a disk may hang.
    static let bulkPauseMaximumMilliseconds: UInt64 = 1_000
    /// Batches of live chunks that are verified before one of the others.
    static let liveTurnsCount = 8
    /// Change numbers of one peer that wait for what was announced before them; later ones share the last place.
    static let milestonesCount = 1_024
    /// First retry of a failed transaction; the delay doubles each time.
    static let takeRetryMilliseconds = 1_000
    /// Longest delay before a retry: full disks are freed by people.
    static let takeRetryMaximumMilliseconds = 60_000
    /// Unexplained failures in a row (`StoreFailure`), a quarter of a minute, after which the rest goes on without the
    /// log that fails. A guess.
    static let unexplainedFailuresCount = 5
    /// Peers whose cursor is kept, listed and connected ones first; some 150 bytes each, and a row.
    ///
    /// A guess: a forgotten peer costs a reconciliation.
    static let peerCursorsCount = 4_096
    /// Least time between two transactions that save cursors alone; a transaction with entries saves them at once.
    static let cursorSaveMilliseconds: UInt64 = 5_000

    // MARK: The own log

    /// Time for which an unproven claim about the own log holds own entries back: as long as the peer may take to
    /// answer (`protocol/own-log.md` §3).
    static let ownLogClaimMilliseconds = progressDeadlineMilliseconds
    /// Nodes whose claims hold own entries back, each once in a start of the process: strangers delay them by less than
    /// three minutes. A guess.
    static let ownLogClaimants = 8
}
