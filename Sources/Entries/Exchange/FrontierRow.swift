/// One log as the frontier knows it.
package struct FrontierRow: Hashable, Sendable {
    package let identity: IdentityID
    package let item: FrontierItem
    /// Time of the last entry held, Unix milliseconds, as its writer claims.
    package let time: UInt64
    /// The number of the last change of this row.
    package let number: UInt64
    /// The peer that brought the last change; nil if it was written here.
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

/// A log and how much of it somebody has.
package struct LogSize: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64

    package init(log: LogID, size: UInt64) {
        self.log = log
        self.size = size
    }
}
