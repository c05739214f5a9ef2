package import Sodium

/// Id of one run of a store's writing process: 16 random bytes, drawn at each start (`protocol/sync.md` §1).
package struct StoreID: Hashable, Sendable {
    package let bytes: [UInt8]

    package static let count = 16

    /// Copies 16 bytes; nil for any other length.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = Array(bytes)
    }

    package static func random() -> StoreID {
        guard let id = StoreID(Randomness.bytes(count)) else { preconditionFailure("16 bytes were asked for") }
        return id
    }
}

/// The change numbers given out in one run of a store.
package struct StoreIDRange: Hashable, Sendable {
    package let store: StoreID
    /// The number in force when the run began: a cursor at it has all older changes.
    package let first: UInt64
    /// The last number known to be durable; for the present run, the newest.
    package let last: UInt64

    package init(store: StoreID, first: UInt64, last: UInt64) {
        self.store = store
        self.first = first
        self.last = last
    }
}

/// Position in a peer's sequence of changes: all up to `number` are here or wanted (`protocol/sync.md` §1).
package struct Cursor: Hashable, Sendable {
    package let store: StoreID
    package let number: UInt64
    /// Digest of the common scope (`Scope.digest`); nil: everything.
    package let scope: Bytes32?

    package init(store: StoreID, number: UInt64, scope: Bytes32? = nil) {
        self.store = store
        self.number = number
        self.scope = scope
    }
}
