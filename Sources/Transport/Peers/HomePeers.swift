package import Entries
package import Sync

/// What `join` and `leave` do to a home; a running node is told with `ControlRequest.peersChanged` afterwards.
extension Home {
    package func peersFile() throws(SystemError) -> PeersFile {
        try PeersFile(editing: layout.peers)
    }

    /// Writes a peer into the peers file; an id in the line is trusted from now on, whoever was met there before.
    package func join(_ peer: PeerLine) throws(HomeError) -> PeersFile.Addition {
        let turn = try SettingsTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        return try HomeError.wrap { () throws(SystemError) -> PeersFile.Addition in
            var file = try peersFile()
            let addition = file.add(peer)
            if peer.node != nil { try forget([peer.address]) }
            if addition != .unchanged { try file.write(to: layout.peers) }
            return addition
        }
    }

    /// Removes one peer from the peers file, and forgets who was met there, if `choose` finds exactly one; what it found.
    package func leave(
        _ choose: (_ listed: [PeerLine], _ known: KnownNodes) -> [PeerLine]
    ) throws(HomeError) -> [PeerLine] {
        let turn = try SettingsTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        return try HomeError.wrap { () throws(SystemError) -> [PeerLine] in
            var file = try peersFile()
            let found = choose(file.peers, try KnownNodes(reading: layout.knownNodes))
            guard let gone = found.first, found.count == 1 else { return found }
            _ = file.remove { $0.address == gone.address }
            try file.write(to: layout.peers)
            try forget([gone.address])
            return found
        }
    }

    /// Who answered first at an address; nil: nobody yet.
    package func knownNode(at address: PeerAddress) throws(SystemError) -> NodeID? {
        try KnownNodes(reading: layout.knownNodes)[address]
    }

    /// Remembers who was met at addresses that are listed; others that are remembered there stay.
    func pin(_ nodes: [PeerAddress: NodeID]) throws(HomeError) {
        let turn = try turnOfNode()
        defer { withExtendedLifetime(turn) {} }
        try HomeError.wrap { () throws(SystemError) in
            // A `leave` may have come in between.
            let listed = Set(try PeersFile(reading: layout.peers).peers.map(\.address))
            var known = try KnownNodes(reading: layout.knownNodes)
            let before = known
            for (address, node) in nodes where listed.contains(address) { _ = known.pin(address, to: node) }
            if known != before { try known.write(to: layout.knownNodes) }
        }
    }

    /// Nil where the settings cannot be written: then no command changes anything either.
    private func turnOfNode() throws(HomeError) -> SettingsTurn? {
        do throws(HomeError) {
            return try SettingsTurn(layout, patience: SettingsTurn.nodePatienceMilliseconds)
        } catch {
            if case .system = error { return nil }
            throw error
        }
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
