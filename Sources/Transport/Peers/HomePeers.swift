package import Entries
package import Sync

/// What `join` and `leave` do to a home; a running node is told with `ControlRequest.peersChanged` afterwards.
extension Home {
    package func peersFile() throws(SystemError) -> PeersFile {
        try PeersFile(editing: layout.peers)
    }

    /// Writes a peer into the peers file; an id in the line is trusted from now on, whoever was met there before.
    package func join(_ peer: PeerLine) throws(SystemError) -> PeersFile.Addition {
        var file = try peersFile()
        let addition = file.add(peer)
        if peer.node != nil { try forget([peer.address]) }
        if addition != .unchanged { try file.write(to: layout.peers) }
        return addition
    }

    /// Removes peers from the peers file, and forgets who was met there.
    package func leave(where isGone: (PeerLine) -> Bool) throws(SystemError) -> [PeerLine] {
        var file = try peersFile()
        let gone = file.remove(where: isGone)
        if !gone.isEmpty {
            try file.write(to: layout.peers)
            try forget(gone.map(\.address))
        }
        return gone
    }

    /// Who answered first at an address; nil: nobody yet.
    package func knownNode(at address: PeerAddress) throws(SystemError) -> NodeID? {
        try KnownNodes(reading: layout.knownNodes)[address]
    }

    private func forget(_ addresses: [PeerAddress]) throws(SystemError) {
        var known = try KnownNodes(reading: layout.knownNodes)
        let before = known
        for address in addresses { known.forget(address) }
        if known != before { try known.write(to: layout.knownNodes) }
    }
}

extension PeerLine {
    /// Whether a person may mean this peer: its id or the beginning of it (4 characters at least), its address, its
    /// host, or its name.
    package func isMeant(by word: String) -> Bool {
        if address.text == word || address.host == word || name == word { return true }
        return word.utf8.count >= 4 && node?.description.hasPrefix(word) == true
    }
}
