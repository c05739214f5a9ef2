package import Entries

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
