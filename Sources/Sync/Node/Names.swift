package import Entries

/// One connection; drawn by whoever opens it, used once in the life of a process.
package struct SessionID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// One attempt to reach a peer; drawn by the machine.
package struct DialID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// One batch on its way through verification or into the store; drawn by the machine.
package struct BatchID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// One question to the store; drawn by the machine.
package struct RequestID: Hashable, Comparable, Sendable {
    package let raw: UInt64
    package init(raw: UInt64) { self.raw = raw }
    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Where a node may be reached: a name or an address without brackets, and a TCP port.
package struct PeerAddress: Hashable, Comparable, Sendable {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.host, left.port) < (right.host, right.port)
    }
}

/// A peer to be dialled, and who is expected to answer.
package struct PeerTarget: Hashable, Sendable {
    package let address: PeerAddress
    /// Nil until the first contact pins it.
    package let node: NodeID?
    package let origin: Origin

    package enum Origin: Hashable, Sendable {
        /// Written into the peers file by a person: dialled for ever.
        case listed
        /// Heard of from another peer: dialled while there are too few peers.
        case learned
    }

    package init(address: PeerAddress, node: NodeID?, origin: Origin) {
        self.address = address
        self.node = node
        self.origin = origin
    }
}

/// Who opened a connection.
package enum Direction: Hashable, Sendable {
    /// This node dialled.
    case outgoing(DialID)
    /// The other side dialled, from this host; nil if the system does not say.
    case incoming(host: String?)
}
