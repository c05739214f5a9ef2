import GRDB

extension TestHome {
    /// Gives the database the form of version 4, as the program before left it.
    func leaveEarlierVersion() throws {
        try change(
            """
            DROP TABLE late_arrivals;
            ALTER TABLE home DROP COLUMN hour;
            DROP INDEX targets_by_id;
            ALTER TABLE targets ADD COLUMN prefix INTEGER;
            CREATE INDEX targets_by_id ON targets (prefix);
            PRAGMA user_version = 4;
            """
        )
    }

    /// Changes the database, or another file of it, by SQL.
    func change(_ sql: String, of file: String = "store.sqlite") throws {
        let database = try DatabaseQueue(path: path + "/" + file)
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
    }
}
