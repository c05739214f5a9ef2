package import Sodium

/// A frontier item in the order of reconciliation: by time, then by id (`protocol/sync.md` §13).
package struct TimedItem: Hashable, Sendable {
    /// Seconds since 1970 of the last entry held, at most 2³² − 1.
    package let seconds: UInt32
    /// The log's number in the frontier: local to this node, and no part of the order.
    package let log: UInt32
    package let id: Bytes32

    package init(seconds: UInt32, log: UInt32, id: Bytes32) {
        self.seconds = seconds
        self.log = log
        self.id = id
    }
}

extension TimedItem: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.seconds == right.seconds ? left.id < right.id : left.seconds < right.seconds
    }
}
