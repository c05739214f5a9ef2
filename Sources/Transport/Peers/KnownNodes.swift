package import Entries
package import Sync

/// Nodes pinned at addresses by the first contact (trust on first use), for peers listed without an id.
///
/// One `host:port id` a line, in the home's `known_nodes`. The running node writes it; deleting a line makes it trust
/// the address anew.
package struct KnownNodes: Hashable, Sendable {
    private var nodes: [PeerAddress: NodeID] = [:]

    package init() {}

    /// Reads the file; a line that does not parse pins nothing.
    package init(reading path: String) throws(SystemError) {
        guard let bytes = try FileSystem.read(path, limit: TransportLimits.peersFileBytes) else { return }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let first = words.first, let last = words.last,
                let address = try? PeerLine.address(first), let id = Base32.decode(last), let node = NodeID(id)
            else { continue }
            nodes[address] = node
        }
    }

    package subscript(address: PeerAddress) -> NodeID? { nodes[address] }

    /// Pins a node; does nothing if the address has a pin.
    package mutating func pin(_ address: PeerAddress, to node: NodeID) -> PinOutcome {
        if let known = nodes[address] { return known == node ? .known : .differs(known) }
        nodes[address] = node
        return .pinned
    }

    package enum PinOutcome: Hashable, Sendable {
        case pinned
        case known
        case differs(NodeID)
    }

    /// Removes a pin: `leave` does, so that a later `join` starts afresh.
    package mutating func forget(_ address: PeerAddress) {
        nodes[address] = nil
    }

    package var text: String {
        nodes.sorted { $0.key < $1.key }.map { "\($0.key.text) \($0.value)\n" }.joined()
    }

    package func write(to path: String) throws(SystemError) {
        try FileSystem.replace(path, with: text)
    }
}
