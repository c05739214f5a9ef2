/// The step from version 4 to version 5.
extension Tables {
    /// Targets are found by all 32 bytes of their id. Whoever writes a vote chooses what it points to: of ids that
    /// share their first eight bytes, each new one was compared with all before it.
    static let wholeTargets = """
        DROP INDEX targets_by_id;
        ALTER TABLE targets DROP COLUMN prefix;
        CREATE UNIQUE INDEX targets_by_id ON targets (id);
        """
}
