package import Entries

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

/// Address of a node: a host name, or an IP address without brackets, and a TCP port.
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

/// A peer to dial, and the node that is expected to answer.
package struct PeerTarget: Hashable, Sendable {
    package let address: PeerAddress
    /// Nil: not known until the first connection.
    package let node: NodeID?
    package let origin: Origin

    package enum Origin: Hashable, Sendable {
        /// Written into the peers file by a person: dialled for ever.
        case listed
        /// Learned from peers or the local network: dialled while there are too few connections.
        case learned
    }

    package init(address: PeerAddress, node: NodeID?, origin: Origin) {
        self.address = address
        self.node = node
        self.origin = origin
    }
}

/// The side that dialled a connection.
package enum Direction: Hashable, Sendable {
    /// This node dialled.
    case outgoing(DialID)
    /// The other side dialled, from this host; nil if the system does not say.
    case incoming(host: String?)
}
