package import Entries
internal import GRDB

/// Reads a store without ever changing it, also while another process writes.
///
/// Each call sees one snapshot, unless the reader is frozen (`isFrozen`); two calls may see two.
package final class StoreReader: Sendable {
    let source: any DatabaseReader
    /// Whether the disk was full, so that the file is read as it is, without locks: what is written meanwhile is not
    /// noticed, and would be read half. Whoever reads for long keeps writers away.
    package let isFrozen: Bool

    /// Opens the database of a home; `network` nil accepts any network.
    ///
    /// - Throws: `absent`, `noFile`, `diskFull`, `damaged`, `newerVersion`, `olderVersion`, `foreignNetwork`.
    package init(path: String, network: NetworkID?) throws(StorageError) {
        (source, isFrozen) = try storing {
            let (queue, isFrozen) = try Connection.reader(at: path)
            let found = try queue.read { try Schema.current.check($0, network: network) }
            guard found > 0 else { throw StorageError.damaged("the file is empty") }
            guard found == Schema.current.version else { throw StorageError.olderVersion }
            return (queue, isFrozen)
        }
    }

    /// Shares the connections of the writer in this process.
    init(sharing writer: any DatabaseWriter) {
        source = writer
        isFrozen = false
    }

    func reading<Result>(_ body: (Database) throws -> Result) throws(StorageError) -> Result {
        try storing { try source.read(body) }
    }

    // MARK: Posts

    package func feed(_ query: FeedQuery) throws(StorageError) -> FeedPage {
        try reading { try FeedReading($0, query).page() }
    }

    /// Posts that came in after an arrival number, oldest arrival first; `beyond` and `order` of the query do not
    /// apply.
    ///
    /// A post that is not due yet is listed in `waiting`: `due` returns it once its time has come.
    package func arrivals(after arrival: UInt64, _ query: FeedQuery) throws(StorageError) -> ArrivalPage {
        try reading { try FeedReading($0, query).arrivals(after: arrival) }
    }

    /// Posts by others that are not due yet, earliest first, at most the query's limit.
    package func waiting(_ query: FeedQuery) throws(StorageError) -> [WaitingPost] {
        try reading { try FeedReading($0, query).waiting() }
    }

    /// The posts among `waiting` that are due now.
    package func due(of waiting: [WaitingPost], _ query: FeedQuery) throws(StorageError) -> [PostRow] {
        try reading { try FeedReading($0, query).due(of: waiting) }
    }

    /// The last arrival number assigned.
    package func latestArrival() throws(StorageError) -> UInt64 {
        try reading { UInt64(clamping: try HomeRow.read($0).arrival) }
    }

    /// The post with this id; nil if the id is unknown, or not a post's.
    package func post(_ id: EntryID, reader: IdentityID?) throws(StorageError) -> PostRow? {
        try reading { try PostReading($0, reader: reader).post(id) }
    }

    /// The thread that a post opened: the post, then all that name it as their root, oldest first, of very many the
    /// newest of those older than `bound` (nil: of all); a parent from outside the thread, or of another page, comes
    /// before its first reply.
    package func thread(
        _ root: EntryID,
        now: UInt64,
        before bound: EntryID? = nil,
        reader: IdentityID?
    ) throws(StorageError) -> PostThread {
        try reading { try ThreadReading($0, reader: reader).thread(root, now: now, before: bound) }
    }

    /// All versions of a post, the one in force first; empty if it is unknown or deleted.
    package func history(of post: EntryID) throws(StorageError) -> [PostVersion] {
        try reading { try ThreadReading($0, reader: nil).history(of: post) }
    }

    /// Posts with this id prefix, deleted ones included, ascending, at most `StorageLimits.candidates`. Other entries
    /// with the prefix are scanned too, and do not count towards the limit.
    package func posts(_ prefix: IDPrefix) throws(StorageError) -> [EntryID] {
        try reading { db in
            let entries = EntryTable(db)
            let reading = try PostReading(db, reader: nil)
            let sql = "SELECT entry FROM ids WHERE prefix BETWEEN ? AND ? ORDER BY prefix"
            var ids: [EntryID] = []
            try Prepared(db, sql).rows(
                EntryID.sortable(prefix.bounds.lowerBound),
                EntryID.sortable(prefix.bounds.upperBound)
            ) { columns in
                if let found = try entries.found(at: EntryKey(columns.integer(0))), found.header.foldedKind == .post,
                    found.header.sequence < found.log.size, prefix.matches(found.id),
                    try reading.post(found.id) != nil
                {
                    ids.append(found.id)
                }
                return ids.count < StorageLimits.candidates ? .more : .enough
            }
            return ids.sorted()
        }
    }

    // MARK: Changes

    /// A version that is cheap to poll and changes with each commit of another process; sharing the writer, with each
    /// new change or arrival number only.
    package func dataVersion() throws(StorageError) -> Int {
        try storing {
            // A pool answers from any of its connections, and each has a `data_version` of its own.
            guard let queue = source as? DatabaseQueue, queue.configuration.readonly else {
                return try source.read { db in
                    let home = try HomeRow.read(db)
                    return Int(truncatingIfNeeded: home.number) &* 31 &+ Int(home.arrival)
                }
            }
            return try queue.read { Int(try Schema.pragma($0, "data_version")) }
        }
    }
}
