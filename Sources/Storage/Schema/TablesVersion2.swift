/// The step from version 1 to version 2.
extension Tables {
    /// Separates a log's head from its counted size: not all entries that a head covers count (`protocol/log.md` §8).
    ///
    /// Logs that were set aside as forked are fetched again, and judged. The head's columns are all set or all NULL; a
    /// log's rank is read from its certificate. Pending heads are dropped: without the compact range to their right
    /// they prove nothing to others.
    static let verdicts = """
        CREATE TABLE logs_2 (
            number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 2147483647),
            log BLOB NOT NULL UNIQUE CHECK (length(log) = 32),
            identity INTEGER NOT NULL REFERENCES identities,
            certificate BLOB NOT NULL CHECK (length(certificate) = 200),
            size INTEGER NOT NULL DEFAULT 0 CHECK (size >= 0),
            root BLOB CHECK (length(root) = 32),
            carried INTEGER NOT NULL DEFAULT 1 CHECK (carried IN (0, 1)),
            head_size INTEGER NOT NULL DEFAULT 0 CHECK (head_size >= 0),
            head_root BLOB CHECK (length(head_root) = 32),
            head_signature BLOB CHECK (length(head_signature) = 64),
            stored_end INTEGER NOT NULL DEFAULT 0 CHECK (stored_end BETWEEN head_size AND 4294967295),
            tip BLOB NOT NULL DEFAULT x'' CHECK (length(tip) % 32 = 0),
            pending_size INTEGER CHECK (pending_size > stored_end),
            pending_root BLOB CHECK (length(pending_root) = 32),
            pending_signature BLOB CHECK (length(pending_signature) = 64),
            pending_right BLOB CHECK (length(pending_right) % 32 = 0),
            cut INTEGER CHECK (cut BETWEEN 0 AND 4294967295),
            cut_root BLOB CHECK (length(cut_root) = 32),
            settled_size INTEGER CHECK (settled_size BETWEEN 0 AND 4294967295),
            settled_root BLOB CHECK (length(settled_root) = 32),
            complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
            time INTEGER NOT NULL DEFAULT 0,
            change INTEGER NOT NULL DEFAULT 0 CHECK (change >= 0),
            source BLOB CHECK (length(source) = 32),
            CHECK ((size = 0) = (root IS NULL) AND size <= stored_end AND (carried = 1 OR size = 0)),
            CHECK ((head_size = 0) = (head_root IS NULL) AND (head_size = 0) = (head_signature IS NULL)),
            CHECK ((cut IS NULL) = (cut_root IS NULL) AND (settled_size IS NULL) = (settled_root IS NULL)),
            CHECK (complete = 0 OR settled_size IS NOT NULL AND size = settled_size),
            CHECK ((pending_size IS NULL) = (pending_root IS NULL)),
            CHECK ((pending_size IS NULL) = (pending_signature IS NULL)),
            CHECK ((pending_size IS NULL) = (pending_right IS NULL))
        ) STRICT;
        INSERT INTO logs_2 (
            number, log, identity, certificate, size, root, head_size, head_root, head_signature, stored_end, tip,
            time, change, source
        )
        SELECT number, log, identity, certificate, size, root, size, root, signature, stored_end, tip,
            time, change, source FROM logs;
        DROP TABLE logs;
        ALTER TABLE logs_2 RENAME TO logs;
        CREATE INDEX logs_by_identity ON logs (identity);

        -- What root keys and forks say of a log, as it was signed.
        CREATE TABLE verdicts (
            log INTEGER PRIMARY KEY,
            settlement BLOB CHECK (length(settlement) = 208),
            evidence BLOB
        ) STRICT;

        -- The settled history of a log while another one is stored: compact range of [0, next), entries from first on.
        CREATE TABLE sides (
            log INTEGER PRIMARY KEY,
            first INTEGER NOT NULL CHECK (first >= 0),
            next INTEGER NOT NULL CHECK (next BETWEEN first AND 4294967295),
            tip BLOB NOT NULL CHECK (length(tip) % 32 = 0)
        ) STRICT;

        -- One packed entry each; what may be erased is withheld.
        CREATE TABLE side_entries (
            log INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            entry BLOB NOT NULL,
            PRIMARY KEY (log, seq)
        ) STRICT, WITHOUT ROWID;

        -- Accounts that ended.
        CREATE TABLE ends (
            identity INTEGER PRIMARY KEY,
            settlement BLOB NOT NULL CHECK (length(settlement) = 208),
            change INTEGER NOT NULL CHECK (change > 0),
            source BLOB CHECK (length(source) = 32)
        ) STRICT;

        DELETE FROM set_aside;
        """
}
