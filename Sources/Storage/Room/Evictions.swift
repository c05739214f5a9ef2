/// What came of the last eviction.
struct Evictions: Sendable {
    /// Why it failed; nil: it did not, or nothing had to be evicted.
    var failure: StorageError?
    /// Called with a failure; nil: nobody asks.
    var tell: (@Sendable (StorageError) -> Void)?
}

/// The space that a store takes, and the number of evicted bodies.
package struct RoomUse: Hashable, Sendable {
    /// Bytes of the file, free pages aside.
    package let usedBytes: Int
    package let fileBytes: Int
    package let evictedBodies: Int
}
