internal import Sodium

/// A head of a device of which not all entries are stored: it proves those that are, by what stands to their right.
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
