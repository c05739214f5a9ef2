/// The step from version 3 to version 4.
extension Tables {
    /// Entries whose body was evicted to keep within the disk budget: it is not asked for (`protocol/sync.md` §8).
    ///
    /// The table is called *dropped* because stores have it under that name; the code says *evicted* (`EvictedBodies`).
    static let droppedBodies = "CREATE TABLE dropped_bodies (entry INTEGER PRIMARY KEY) STRICT;"
}
