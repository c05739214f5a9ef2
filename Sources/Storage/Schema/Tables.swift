/// The tables of version 1.
///
/// Unsigned integers of 64 bits are stored as their bit pattern, except folded ones, which fit 53 bits.
enum Tables {
    /// Signed data, as it was signed, and the index of ids.
    static let signed = """
        -- Everybody who is known by a log or by a follow; only the clock is derived.
        CREATE TABLE identities (
            number INTEGER PRIMARY KEY,
            identity BLOB NOT NULL UNIQUE CHECK (length(identity) = 32),
            clock INTEGER NOT NULL DEFAULT 0 CHECK (clock >= 0)
        ) STRICT;

        -- A log: the head in force, then entries proven beyond it, which wait for the rest of theirs.
        CREATE TABLE logs (
            number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 2147483647),
            log BLOB NOT NULL UNIQUE CHECK (length(log) = 32),
            identity INTEGER NOT NULL REFERENCES identities,
            certificate BLOB NOT NULL CHECK (length(certificate) = 200),
            size INTEGER NOT NULL DEFAULT 0 CHECK (size >= 0),
            root BLOB CHECK (length(root) = 32),
            signature BLOB CHECK (length(signature) = 64),
            stored_end INTEGER NOT NULL DEFAULT 0 CHECK (stored_end BETWEEN size AND 4294967295),
            tip BLOB NOT NULL DEFAULT x'' CHECK (length(tip) % 32 = 0),
            pending_size INTEGER CHECK (pending_size > stored_end),
            pending_root BLOB CHECK (length(pending_root) = 32),
            pending_signature BLOB CHECK (length(pending_signature) = 64),
            time INTEGER NOT NULL DEFAULT 0,
            change INTEGER NOT NULL DEFAULT 0 CHECK (change >= 0),
            source BLOB CHECK (length(source) = 32),
            CHECK ((size = 0) = (root IS NULL) AND (size = 0) = (signature IS NULL) AND (size = 0) = (change = 0)),
            CHECK ((stored_end > size) = (pending_size IS NOT NULL)),
            CHECK ((pending_size IS NULL) = (pending_root IS NULL)),
            CHECK ((pending_size IS NULL) = (pending_signature IS NULL))
        ) STRICT;

        CREATE INDEX logs_by_identity ON logs (identity);

        -- Clustered by log: key = log number << 32 | sequence. Length and hash stand for a body that is not here.
        CREATE TABLE entries (
            key INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            version INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            time INTEGER NOT NULL,
            clock_ahead INTEGER NOT NULL,
            length INTEGER,
            hash BLOB CHECK (length(hash) = 32),
            body INTEGER REFERENCES bodies,
            CHECK ((body IS NULL) = (hash IS NOT NULL) AND (body IS NULL) = (length IS NOT NULL))
        ) STRICT;

        -- Payloads in the order in which they came: only ever appended, and overwritten in place with zeros when erased.
        -- A row that was moved by a page split would leave its words behind in the page that it left, and secure_delete
        -- does not look there.
        CREATE TABLE bodies (
            number INTEGER PRIMARY KEY,
            payload BLOB NOT NULL CHECK (length(payload) <= 65536)
        ) STRICT;

        -- Erasable entries by the first eight bytes of their id: what others may point to.
        CREATE TABLE ids (
            prefix INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            PRIMARY KEY (prefix, entry)
        ) STRICT, WITHOUT ROWID;

        -- Interior tree nodes that are complete, from EntryLimits.lowestKeptLevel up.
        CREATE TABLE nodes (
            log INTEGER NOT NULL,
            level INTEGER NOT NULL CHECK (level BETWEEN 8 AND 32),
            place INTEGER NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            PRIMARY KEY (log, level, place)
        ) STRICT, WITHOUT ROWID;
        """

    /// Local data of this home.
    static let local = """
        CREATE TABLE home (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            network BLOB NOT NULL CHECK (length(network) = 32),
            number INTEGER NOT NULL DEFAULT 0 CHECK (number >= 0),
            arrival INTEGER NOT NULL DEFAULT 0 CHECK (arrival >= 0),
            own_log INTEGER REFERENCES logs,
            published INTEGER NOT NULL DEFAULT 0 CHECK (published >= 0),
            signing INTEGER NOT NULL DEFAULT 1 CHECK (signing IN (0, 1))
        ) STRICT;

        -- The runs of the writing process; the present one has no last number.
        CREATE TABLE runs (
            run INTEGER PRIMARY KEY,
            store BLOB NOT NULL UNIQUE CHECK (length(store) = 16),
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER CHECK (last >= first)
        ) STRICT;

        CREATE TABLE cursors (
            peer BLOB PRIMARY KEY CHECK (length(peer) = 32),
            store BLOB NOT NULL CHECK (length(store) = 16),
            number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE wants (
            log BLOB PRIMARY KEY CHECK (length(log) = 32),
            size INTEGER NOT NULL CHECK (size > 0)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE body_wants (entry INTEGER PRIMARY KEY) STRICT;

        CREATE TABLE set_aside (log BLOB PRIMARY KEY CHECK (length(log) = 32)) STRICT, WITHOUT ROWID;
        """

    /// The fold (`protocol/fold.md`): a function of the entries that count.
    static let derived = """
        -- Whatever somebody points to, known or not, by the first eight bytes of its id; with what was said of it.
        CREATE TABLE targets (
            number INTEGER PRIMARY KEY,
            prefix INTEGER NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 32),
            up INTEGER NOT NULL DEFAULT 0 CHECK (up >= 0),
            down INTEGER NOT NULL DEFAULT 0 CHECK (down >= 0),
            replies INTEGER NOT NULL DEFAULT 0 CHECK (replies >= 0)
        ) STRICT;
        CREATE INDEX targets_by_id ON targets (prefix);

        -- Posts that can be shown, numbered as they arrive. tie: first four bytes of the id, complemented and signed.
        CREATE TABLE posts (
            arrival INTEGER PRIMARY KEY,
            entry INTEGER NOT NULL,
            time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 9007199254740991),
            tie INTEGER NOT NULL,
            identity INTEGER NOT NULL,
            parent INTEGER,
            root INTEGER,
            CHECK ((parent IS NULL) = (root IS NULL))
        ) STRICT;
        CREATE INDEX posts_by_time ON posts (time, tie);
        CREATE INDEX posts_by_identity ON posts (identity, time, tie);
        CREATE INDEX posts_by_root ON posts (root, time, tie) WHERE root IS NOT NULL;

        CREATE TABLE channels (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            posts INTEGER NOT NULL DEFAULT 0 CHECK (posts >= 0)
        ) STRICT;
        CREATE TABLE post_channels (
            channel INTEGER NOT NULL,
            time INTEGER NOT NULL,
            tie INTEGER NOT NULL,
            post INTEGER NOT NULL,
            PRIMARY KEY (channel, time, tie, post)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE edits (
            target INTEGER NOT NULL,
            identity INTEGER NOT NULL,
            clock INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            PRIMARY KEY (target, identity, clock, entry)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE deletes (
            target INTEGER NOT NULL,
            identity INTEGER NOT NULL,
            PRIMARY KEY (target, identity)
        ) STRICT, WITHOUT ROWID;

        -- field: 1 name, 2 full name, 3 bio, 4 avatar. All writes are kept: the last one may be deleted.
        CREATE TABLE profiles (
            identity INTEGER NOT NULL,
            field INTEGER NOT NULL CHECK (field BETWEEN 1 AND 4),
            clock INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            PRIMARY KEY (identity, field, clock, entry)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE votes (
            target INTEGER NOT NULL,
            identity INTEGER NOT NULL,
            value INTEGER NOT NULL CHECK (value BETWEEN 0 AND 2),
            clock INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (target, identity)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE follows (
            identity INTEGER NOT NULL,
            followed INTEGER NOT NULL,
            value INTEGER NOT NULL CHECK (value BETWEEN 0 AND 1),
            clock INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (identity, followed)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX follows_by_followed ON follows (followed, value);
        """

    static let derivedNames = [
        "targets", "posts", "channels", "post_channels", "edits", "deletes", "profiles", "votes", "follows",
    ]
}
