/// The step from version 1 to version 2.
extension Tables {
    /// A log's head and what counts of it become two things: not all that a head covers counts (`protocol/log.md` §8).
    ///
    /// The head's columns are all or none; the rank of a log is read from its certificate.
    static let carriedLogs = """
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
            time INTEGER NOT NULL DEFAULT 0,
            change INTEGER NOT NULL DEFAULT 0 CHECK (change >= 0),
            source BLOB CHECK (length(source) = 32),
            CHECK ((size = 0) = (root IS NULL) AND size <= stored_end AND (carried = 1 OR size = 0)),
            CHECK ((head_size = 0) = (head_root IS NULL) AND (head_size = 0) = (head_signature IS NULL)),
            CHECK ((pending_size IS NULL) = (pending_root IS NULL)),
            CHECK ((pending_size IS NULL) = (pending_signature IS NULL))
        ) STRICT;
        INSERT INTO logs_2 (
            number, log, identity, certificate, size, root, head_size, head_root, head_signature, stored_end, tip,
            pending_size, pending_root, pending_signature, time, change, source
        )
        SELECT number, log, identity, certificate, size, root, size, root, signature, stored_end, tip,
            pending_size, pending_root, pending_signature, time, change, source FROM logs;
        DROP TABLE logs;
        ALTER TABLE logs_2 RENAME TO logs;
        CREATE INDEX logs_by_identity ON logs (identity);
        """
}
