import Entries

/// The first message of each side: versions, features, scope and cursor (`protocol/sync.md` §3).
struct Hello: Hashable {
    var version: UInt32 = Self.newestVersion
    var oldestVersion: UInt32 = Self.oldestVersion
    let store: StoreID
    let number: UInt64
    /// The cursor that the sender holds of the receiver.
    let cursor: Cursor?
    let ownLog: LogID?
    /// The scope of the sender.
    var scope = Scope.everything
    let agent: String
    let listenPort: UInt16?
    let credit: UInt64
    /// Items of the sender's frontier within its own scope; 0 from a peer of version 1.
    var logs: UInt64 = 0
    /// Feature numbers that the sender names.
    var features: Set<UInt32> = []

    static let newestVersion: UInt32 = 2
    static let oldestVersion: UInt32 = 1

    /// The feature number of windows.
    static let windows: UInt32 = 1
    /// The feature number of scopes, from version 2 on.
    static let scopes: UInt32 = 2
    /// The feature number of branches, from version 2 on.
    static let branches: UInt32 = 3

    var understandsScopes: Bool { version >= 2 && features.contains(Self.scopes) }
}
