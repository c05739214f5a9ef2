internal import Entries

/// Every bound of the store.
package enum StorageLimits {
    /// How long a statement waits for another process; readers never hold one up, so that this is seldom reached: a guess.
    package static let busyTimeoutMilliseconds = 5_000
    /// Page cache of the writing connection: a transaction of a catch-up goes back to few pages, each index in its order.
    /// With 64 MiB a first sync of 100,000 posts is no faster.
    static let writerCacheKibibytes = 24_576
    /// Page cache of a reading connection: a page of a feed touches some hundred pages.
    static let readerCacheKibibytes = 8_192
    /// What both come to, in all of them.
    package static let cacheBytes = (writerCacheKibibytes + readers * readerCacheKibibytes) * 1_024
    /// Connections of one process that read at the same time: ranges, bodies and a person; a guess.
    static let readers = 4
    /// Faults of a damaged file that are told: a person needs one to know.
    static let toldFaults = 10
    /// How long the copy of a database from before a migration is kept, at most: a day of the new version's work.
    static let migrationCopySeconds = 86_400
    /// Entries that `doctor` reads, besides the structure of the whole file; a guess.
    static let examinedEntries = 1_000
    /// The write-ahead log is cut back to this after a checkpoint, in bytes: a catch-up's worth.
    static let logBytes = 67_108_864
    /// Pages of the log that are worth moving into the file as soon as nobody waits; a guess.
    static let logPagesDue = 750
    /// They are moved within a commit from here on: SQLite's own choice.
    static let logPagesMost = 1_000
    /// Logs of which is remembered how far they go: who writes at the same time, on the largest campus. A guess.
    static let rememberedPrefixes = 2_048
    /// What that comes to: a certificate, and a hash for each level of a tree of 2³² entries.
    package static let rememberedBytes = rememberedPrefixes * 1_536
    /// Interior nodes are kept from this level up (`EntryLimits.lowestKeptLevel`).
    static let lowestStoredLevel = EntryLimits.lowestKeptLevel
    /// Room that a budget keeps for one transaction, in the file and in the log: a batch of a session is 4 MiB.
    static let budgetReserveBytes = 16_777_216
    /// Room that is made at once, so that not every transaction has to; a guess.
    static let budgetStepBytes = 8_388_608
    /// Of it, in one transaction: a tenth of a second of work.
    static let budgetLotBytes = 1_048_576
    /// Room is made for so long at once, then entries are taken again.
    static let budgetWorkMilliseconds = 1_000
    /// The same while the budget is in danger: what comes in ten seconds' steps of 4 MiB is less than what is moved; a guess.
    static let pressedBudgetWorkMilliseconds = 10_000
    /// Logs of one identity without an item, of which a part has come: nobody writes with so many devices at once; a guess.
    static let unrankedLogsPerIdentity = 64
    /// Bodies that are next to go, found in one walk through all entries: two MB.
    static let budgetCandidates = 65_536
    /// Entries that such a walk looks at in one transaction: half a second's work.
    static let budgetPortionEntries = 262_144
    /// Of a database that is written anew, what may be in memory meanwhile: as much as a node takes in a first sync.
    static let memoryCopyBytes = 67_108_864
    /// The smallest budget that is taken: what a few transactions and a few thousand entries without bodies need.
    package static let smallestBudgetBytes = 64_000_000
    /// Earlier runs of which cursors are still understood: one start a day for most of a year; a guess.
    static let rememberedRuns = 256
    /// Posts on one page of a feed, at most: what a terminal can hold many times over.
    package static let feedPagePosts = 10_000
    /// Posts of one thread that are given out at once, at most; a guess.
    package static let threadPosts = 10_000
    /// Targets whose numbers and tallies are held in memory during a rebuild: some 10 MB.
    static let gatheredTargets = 65_536
    /// Unread posts that are counted, at most: nobody reads the difference.
    package static let unreadPosts = 9_999
    /// Versions of one post that are given out, at most; a guess.
    static let versions = 1_000
    /// Names of people who changed theirs that are looked through, at most: read within a tenth of a second. A guess.
    static let renamed = 10_000
    /// Candidates for a short id, at most: more than anybody reads.
    package static let candidates = 32
}
