internal import Entries

/// Every bound of the store.
package enum StorageLimits {
    /// Longest wait of a statement for another process; readers never block one, so that it is seldom reached. A
    /// guess.
    package static let busyTimeoutMilliseconds = 5_000
    /// Page cache of the writing connection: a catch-up transaction revisits few pages, writing each index in its
    /// order. With 64 MiB a first sync of 100,000 posts is no faster.
    static let writerCacheKibibytes = 24_576
    /// Page cache of a reading connection: one page of a feed touches some hundred database pages.
    static let readerCacheKibibytes = 8_192
    /// Page caches of the writing connection and of all reading ones together.
    package static let cacheBytes = (writerCacheKibibytes + readers * readerCacheKibibytes) * 1_024
    /// Reading connections of one process, for ranges, bodies and a person. A guess.
    static let readers = 4
    /// Faults of a damaged file that are reported, at most: a person needs one to know.
    static let toldFaults = 10
    /// Age from which on a copy made before a migration is removed at a start: a day of the new version's work.
    static let migrationCopySeconds = 86_400
    /// Entries that `doctor` reads, besides the structure of the whole file; a guess.
    static let examinedEntries = 1_000
    /// Size to which the write-ahead log (WAL) file is truncated after a checkpoint: a catch-up's worth.
    static let logBytes = 67_108_864
    /// WAL pages from which on a checkpoint is worth running as soon as nobody waits. A guess.
    static let walPagesDue = 750
    /// WAL pages from which on the checkpoint runs within a commit: SQLite's default.
    static let walPagesMost = 1_000
    /// Logs whose prefix is cached (`PrefixMemory`): the writers active at once on the largest campus. A guess.
    static let rememberedPrefixes = 2_048
    /// Logs whose row is cached for the writer (`LogMemory`). A guess.
    static let rememberedLogs = 2_048
    /// Memory of both caches: for each log a certificate and a hash for each level of a tree of 2³² entries, or a row
    /// of 1,000 bytes and twice as many hashes.
    package static let rememberedBytes = rememberedPrefixes * 1_536 + rememberedLogs * 3_584
    /// Entries that are read at once where a log's are gone through, and each is folded or erased. A guess.
    static let walkedRows: UInt64 = 1_024
    /// Part of a budget kept free for one transaction, in the file and in the WAL: a session's batch is 4 MiB, which
    /// with short posts of many brings 11 MB to the WAL and 4 MB to the file. Less than a third of the smallest budget.
    static let budgetReserveBytes = 20_971_520
    /// Space freed below the high-water mark, so that not every transaction has to evict. A guess.
    static let budgetStepBytes = 8_388_608
    /// Space freed in one eviction transaction: a tenth of a second of work.
    static let budgetLotBytes = 1_048_576
    /// Bodies needed in a stretch, at most, unless they are very short: each is moved with a row of its entry.
    static let budgetStretchRows = 2_048
    /// Bytes that an eviction transaction counts for a short body that it evicts or moves: its row, that of its entry
    /// and their places in indices are in up to three pages of their own, all of which the WAL gets.
    static let budgetRowBytes = 2_048
    /// Stretches counted again in each eviction transaction: what was erased otherwise is found before an eighth of all
    /// bodies has been evicted, half of them where they are long. A guess.
    static let budgetRecountedStretches = 2
    /// Bytes of bodies whose rows are read in one eviction transaction to count them: half a second of reading from a
    /// slow disk. A guess.
    static let budgetPortionBytes = 33_554_432
    /// Rows that are read for that, about: a hundredth of a second's work. A guess.
    static let budgetRecountedRows = 16_384
    /// Bytes of bodies moved to free one byte, at most: less makes for less work, and leaves more dead bytes, up to an
    /// eighth of all and the margins, where bodies are not evicted in the order in which they came. A guess.
    static let budgetMovedBytesPerByte = 8
    /// The same where room is short, much is dead, or nothing is left to evict. A guess.
    static let budgetLastMovedBytesPerByte = 32
    /// Lots more that are in use before room is made again where nothing was left to evict. A guess.
    static let budgetRestLots = 4
    /// Time limit of one eviction run, after which entries are stored again.
    static let budgetWorkMilliseconds = 1_000
    /// Time limit of one eviction run while the budget is almost used up: unless much is moved for little, ten seconds
    /// free more than the 4 MiB that follow. A guess.
    static let pressedBudgetWorkMilliseconds = 10_000
    /// Partly received logs of one identity without an item: nobody writes with so many devices at once. A guess.
    static let unrankedLogsPerIdentity = 64
    /// Time that an eviction run waits for readers, so that the WAL can begin anew: a node's own reads take less.
    static let budgetReaderMilliseconds = 100
    /// Eviction candidates kept from one scan of all entries: two MB.
    static let budgetCandidates = 65_536
    /// Entries that such a scan reads in one transaction: half a second's work, with the bodies of identities followed.
    static let budgetPortionEntries = 131_072
    /// Largest database whose copy is held in memory while it is rewritten: as much as a node takes in a first sync.
    static let memoryCopyBytes = 67_108_864
    /// The smallest budget accepted: enough for a few transactions and a few thousand entries without bodies.
    package static let smallestBudgetBytes = 64_000_000
    /// Runs, the present one included, whose cursors are known: one start a day for most of a year. A guess.
    static let rememberedRuns = 256
    /// Age from which on an entry comes late (`LateArrivals`): as long as a clock may be slow, or an entry under way,
    /// without a row for it. A guess.
    static let lateMilliseconds: UInt64 = 1_800_000
    /// By so much an export since a time begins earlier: longer than `lateMilliseconds` by far more than a transaction
    /// takes, which judges by the time when it begins, and is seen by an export when it ends.
    static let sinceMilliseconds: UInt64 = 3_600_000
    /// Hours in which entries of one log came late that are told apart: two weeks of a laptop that comes back once a
    /// day. A guess.
    static let lateHoursPerLog = 16
    /// Bytes read and hashed for the nodes of one read's answers, after which it ends. A guess.
    static let hashedBytesPerRead = 4_194_304
    /// Posts on one page of a feed, at most: many times what a terminal holds.
    package static let feedPagePosts = 10_000
    /// Posts of one thread that are returned at once, at most. A guess.
    package static let threadPosts = 10_000
    /// Items that a fold buffers (targets, clocks, posts, ids) before it writes them out: some 10 MB.
    static let gatheredItems = 65_536
    /// Rows of entries that are buffered for one insert, at most. A guess.
    static let gatheredEntryRows = 1_024
    /// Bytes of payload that are buffered with them, at most: a chunk may have four megabytes. A guess.
    static let gatheredPayloadBytes = 262_144
    /// Ids of shown posts that `reader.sqlite` keeps: as many as a person can still scroll back to. A guess.
    package static let shownPosts = 500
    /// Runs of pages that it keeps for a view whose later posts are unread (`ReadPages`). A guess.
    package static let pageRunsPerView = 8
    /// Unread posts that are counted, at most: nobody reads the difference.
    static let countedUnreadPosts = 10_000
    /// Posts not due yet that are counted, at most: nobody reads the difference.
    package static let waitingPosts = 9_999
    /// Edits of one post that are returned, at most. A guess.
    static let versions = 1_000
    /// Names of people who changed theirs that are read, at most: a tenth of a second's work. A guess.
    static let renamed = 10_000
    /// Matches for a short id that are returned, at most: more than anybody reads.
    package static let candidates = 32
}
