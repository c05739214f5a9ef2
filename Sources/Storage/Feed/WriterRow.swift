package import Entries
internal import GRDB

/// Somebody of whom entries are here.
package struct WriterRow: Hashable, Sendable {
    package let identity: IdentityID
    /// Folded time of the newest post that is due, Unix milliseconds; nil if none is.
    package let latest: UInt64?
}

extension StoreReader {
    /// Everybody of whom entries are here, the latest post first, of equal ones and without any ascending by id; posts
    /// that are not due at `now` (Unix milliseconds) do not count: nobody comes first by a false late time.
    package func writers(now: UInt64) throws(StorageError) -> [WriterRow] {
        try reading { db in
            // One look into posts_by_identity for each.
            let sql = """
                SELECT identity, (
                    SELECT time FROM posts WHERE posts.identity = identities.number AND time <= ?
                    ORDER BY time DESC LIMIT 1
                ) AS latest FROM identities
                WHERE EXISTS (SELECT 1 FROM logs WHERE logs.identity = identities.number AND size > 0)
                ORDER BY latest DESC, identity
                """
            return try Prepared(db, sql).all(Int64(clamping: now)) { columns in
                WriterRow(identity: try columns.id(0), latest: columns.isNull(1) ? nil : columns.bits(1))
            }
        }
    }
}
