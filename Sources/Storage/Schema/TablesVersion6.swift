/// The step from version 5 to version 6.
extension Tables {
    /// What came late, for exports since a time (`LateArrivals`); of what came before this step nothing is noted.
    ///
    /// `hour` counts hours since 1970: that of the home is the latest in which entries came.
    static let lateArrivals = """
        CREATE TABLE late_arrivals (
            log INTEGER NOT NULL,
            hour INTEGER NOT NULL CHECK (hour >= 0),
            first INTEGER NOT NULL CHECK (first >= 0),
            PRIMARY KEY (log, hour)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE home ADD COLUMN hour INTEGER NOT NULL DEFAULT 0 CHECK (hour >= 0);
        """
}
