/// A log's row of the frontier.
package struct FrontierRow: Hashable, Sendable {
    package let identity: IdentityID
    package let item: FrontierItem
    /// Time of the last entry that counts, Unix milliseconds, as its writer claims.
    package let time: UInt64
    /// Change number of the row's last change (`protocol/sync.md` §1).
    package let number: UInt64
    /// The peer that supplied the last change; nil if it was written here.
    package let source: NodeID?

    package init(identity: IdentityID, item: FrontierItem, time: UInt64, number: UInt64, source: NodeID?) {
        self.identity = identity
        self.item = item
        self.time = time
        self.number = number
        self.source = source
    }

    package var log: LogID { item.log }
    package var size: UInt64 { item.size }
}

/// A log with a size of it.
package struct LogSize: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64

    package init(log: LogID, size: UInt64) {
        self.log = log
        self.size = size
    }
}
