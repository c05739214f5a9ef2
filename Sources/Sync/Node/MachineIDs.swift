/// Id of one connection; drawn by the shell that opens it, unique within the life of a process.
package struct SessionID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Id of one dial; drawn by the machine.
package struct DialID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Id of one batch under verification or in a transaction; drawn by the machine.
package struct BatchID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Id of one request to the store; drawn by the machine.
package struct RequestID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}
