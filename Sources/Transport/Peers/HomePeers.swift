import Entries
import Sync

/// `join` and `leave`; afterwards the command tells a running node by `ControlRequest.peersChanged`.
extension Home {
    package func peersFile() throws(SystemError) -> PeersFile {
        try PeersFile(editing: layout.peers)
    }

    /// Adds a peer to the peers file; an id in the line replaces the pinned one.
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

    /// Removes a peer, and its pin, if `choose` finds exactly one; returns what it found, of each address the first
    /// line: an address may be listed twice.
    package func leave(
        _ choose: (_ listed: [PeerLine], _ known: KnownNodes) -> [PeerLine]
    ) throws(HomeError) -> [PeerLine] {
        let turn = try SettingsTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        return try HomeError.wrap { () throws(SystemError) -> [PeerLine] in
            var file = try peersFile()
            var seen: Set<PeerAddress> = []
            let found = choose(file.peers, try KnownNodes(reading: layout.knownNodes)).filter {
                seen.insert($0.address).inserted
            }
            guard let gone = found.first, found.count == 1 else { return found }
            _ = file.remove { $0.address == gone.address }
            try file.write(to: layout.peers)
            try forget([gone.address])
            return found
        }
    }

    /// Pins nodes at listed addresses; pins that exist are kept.
    func pin(_ nodes: [PeerAddress: NodeID]) throws(HomeError) {
        let turn = try turnOfNode()
        defer { withExtendedLifetime(turn) {} }
        try HomeError.wrap { () throws(SystemError) in
            // `leave` may have removed an address meanwhile.
            let listed = Set(try PeersFile(reading: layout.peers).peers.map(\.address))
            var known = try KnownNodes(reading: layout.knownNodes)
            let before = known
            for (address, node) in nodes where listed.contains(address) { _ = known.pin(address, to: node) }
            if known != before { try known.write(to: layout.knownNodes) }
        }
    }

    /// Nil where the settings cannot be written, or are another user's: then no command can change them either.
    private func turnOfNode() throws(HomeError) -> SettingsTurn? {
        do throws(HomeError) {
            return try SettingsTurn(layout, patience: TransportLimits.nodeSettingsPatienceMilliseconds)
        } catch {
            switch error {
            case .system, .foreignOwner: return nil
            default: throw error
            }
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
    /// Whether `word` names this peer: by its id or at least 4 characters of its beginning, its address, its host, or
    /// its name.
    package func isMeant(by word: String) -> Bool {
        if address.text == word || address.host == word || name == word { return true }
        return word.utf8.count >= 4 && node?.description.hasPrefix(word) == true
    }
}
