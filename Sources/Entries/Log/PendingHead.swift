internal import Sodium

/// A head that reaches beyond the stored entries, and with the nodes to their right proves them (`protocol/log.md` §8).
package struct PendingHead: Hashable, Sendable {
    package let head: Head
    /// Compact range of [n, head size), n being the first entry that is not stored.
    package let right: LogRange

    package init(head: Head, right: LogRange) {
        self.head = head
        self.right = right
    }

    package var size: UInt64 { head.size }

    /// Compact range of [a, head size); `stored` is that of [a, n).
    package func right(after stored: LogRange) -> LogRange? {
        var whole = stored
        return whole.append(right) ? whole : nil
    }
}
