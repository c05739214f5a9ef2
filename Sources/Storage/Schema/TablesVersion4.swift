/// The step from version 3 to version 4.
extension Tables {
    /// Entries whose body gave way to others, to keep within a disk budget: not asked for (`protocol/sync.md` §8).
    static let droppedBodies = "CREATE TABLE dropped_bodies (entry INTEGER PRIMARY KEY) STRICT;"
}
