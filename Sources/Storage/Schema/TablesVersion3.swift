/// The step from version 2 to version 3.
extension Tables {
    /// The gap of a log whose newest entries came first (`protocol/log.md` §6): at most one for each log.
    ///
    /// `tip` and `rest` are the compact ranges of [0, start) and [start, end); the head is the one held before, which
    /// is held again if the entries behind the gap are dropped.
    static let gaps = """
        CREATE TABLE gaps (
            log INTEGER PRIMARY KEY,
            start INTEGER NOT NULL CHECK (start >= 0),
            end INTEGER NOT NULL CHECK (end BETWEEN start + 1 AND 4294967295),
            tip BLOB NOT NULL CHECK (length(tip) % 32 = 0),
            rest BLOB NOT NULL CHECK (length(rest) % 32 = 0),
            head_size INTEGER CHECK (head_size BETWEEN 1 AND start),
            head_root BLOB CHECK (length(head_root) = 32),
            head_signature BLOB CHECK (length(head_signature) = 64),
            CHECK ((head_size IS NULL) = (head_root IS NULL) AND (head_size IS NULL) = (head_signature IS NULL))
        ) STRICT;
        """

    /// The scope of a cursor: the digest of the common scope (`protocol/sync.md` §1); NULL: everything, as of all
    /// cursors stored before.
    static let cursorScopes = """
        ALTER TABLE cursors ADD COLUMN scope BLOB CHECK (length(scope) = 32);
        """
}
