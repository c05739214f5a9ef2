/// The tables of a home's facts, and of withdrawn entries, which wait to be signed again.
extension Tables {
    static let homeFacts = """
        CREATE TABLE home_facts (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            machine TEXT,
            file_system TEXT,
            inode INTEGER,
            birth INTEGER,
            stop TEXT
        ) STRICT;
        -- A home that stopped before reasons were kept had met a longer own log.
        INSERT INTO home_facts (one, stop) SELECT 1, CASE signing WHEN 0 THEN 'longer' END FROM home;

        -- Own entries that never left this home, taken off a log of which a peer has another branch; in their order.
        -- A payload that was erased stays NULL.
        CREATE TABLE withdrawn (
            place INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
            log BLOB NOT NULL CHECK (length(log) = 32),
            sequence INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            time INTEGER NOT NULL,
            payload BLOB CHECK (length(payload) <= 65536)
        ) STRICT;
        """
}
