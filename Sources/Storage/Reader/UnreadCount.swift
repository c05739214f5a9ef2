package import Entries
internal import GRDB

extension StoreReader {
    /// The number of unread posts by others that are due; at most `StorageLimits.countedUnreadPosts`.
    ///
    /// `channels`: posts in any of these; empty: all posts. `below`: only posts after this position.
    package func unread(
        after read: ReadSoFar,
        channels: [Channel],
        below place: ReadPlace? = nil,
        now: UInt64,
        reader: IdentityID?
    ) throws(StorageError) -> Int {
        try reading { db in
            let own = try reader.flatMap { try LogTable(db).number(ofKnown: $0) } ?? 0
            var condition = ""
            if !channels.isEmpty {
                let find = try Prepared(db, "SELECT number FROM channels WHERE name = ?")
                let numbers = try Set(channels).compactMap { try find.first($0.description) { $0.integer(0) } }
                condition = """
                    AND EXISTS (SELECT 1 FROM post_channels c WHERE c.post = posts.arrival AND c.time = posts.time
                    AND c.tie = posts.tie AND c.channel IN (\(numbers.map(String.init).joined(separator: ", "))))
                    """
            }
            // Only numbers are interpolated into the SQL.
            for pages in read.pages {
                let (arrival, last) = (Int64(clamping: pages.arrival), Self.row(pages.last))
                condition += " AND NOT (arrival <= \(arrival) AND (posts.time, posts.tie) >= \(last))"
            }
            if let place { condition += " AND (posts.time, posts.tie) < \(Self.row(place))" }
            let sql = """
                SELECT count(*) FROM (SELECT 1 FROM posts WHERE arrival > ? AND time <= ? AND identity <> ?
                \(condition) LIMIT \(StorageLimits.countedUnreadPosts))
                """
            let after = Int64(clamping: read.arrival)
            return try Prepared(db, sql).first(after, Int64(clamping: now), own) { $0.count(0) } ?? 0
        }
    }

    private static func row(_ place: ReadPlace) -> String { "(\(Int64(clamping: place.time)), \(place.tie))" }

    /// A version that changes whenever a name is taken or a log added: far cheaper than reading all names.
    ///
    /// An entry alone does not tell whose name it is: the number of a log that has gone is given again.
    package func namesVersion() throws(StorageError) -> String {
        try reading { db in
            let sql = """
                SELECT count(*), total(entry & 4294967295), max(entry), total(identity * (1 + (entry & 65535)))
                FROM profiles WHERE field = 1
                """
            let names = try Prepared(db, sql).first { row in
                (Int32(0)..<4).map { "\(row.integer($0))" }.joined(separator: "-")
            }
            let writers = try Prepared(db, "SELECT count(*) FROM logs").first { $0.count(0) } ?? 0
            return "\(names ?? "")-\(writers)"
        }
    }
}
