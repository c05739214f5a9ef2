internal import GRDB

extension StoreReader {
    /// Logs of which entries are here that count once the rest has come (`protocol/log.md` §8): a part of a bundle, say.
    ///
    /// Not those that a fork or a settlement hides for good, nor any with a gap, which are counted as that.
    package func begunLogs() throws(StorageError) -> Int {
        let sql = """
            SELECT count(*) FROM logs
            WHERE carried = 1 AND complete = 0 AND stored_end > size
            AND (cut IS NULL OR stored_end < cut) AND (settled_size IS NULL OR stored_end < settled_size)
            AND number NOT IN (SELECT log FROM gaps)
            """
        return try reading { try Prepared($0, sql).first { $0.count(0) } ?? 0 }
    }
}
