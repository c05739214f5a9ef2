internal import Entries
package import Sync

/// The peers of a home as the machine is told: what the peers file lists, what was learned, and who is pinned.
package struct PeerList: Sendable {
    /// The listed ones; a line without a node's id has the pinned one, if there is one.
    package let listed: [PeerTarget]
    package let learned: [PeerTarget]
    package let badLines: [PeersFile.BadLine]

    /// `known`: who was met, as the running node or the file has it.
    package init(reading layout: HomeLayout, known: KnownNodes) throws(SystemError) {
        let file = try PeersFile(reading: layout.peers)
        var seen: Set<PeerAddress> = []
        listed = file.peers.filter { seen.insert($0.address).inserted }.map { line in
            PeerTarget(address: line.address, node: line.node ?? known[line.address], origin: .listed)
        }
        learned = try PeersFile(reading: layout.learnedPeers).peers.filter { seen.insert($0.address).inserted }.map {
            PeerTarget(address: $0.address, node: $0.node, origin: .learned)
        }
        badLines = file.badLines
    }

    /// Keeps addresses heard from peers for the next start.
    static func writeLearned(_ targets: [PeerTarget], to layout: HomeLayout) throws(SystemError) {
        let lines = targets.map { PeerLine(node: $0.node, address: $0.address).description + "\n" }
        try FileSystem.replace(layout.learnedPeers, with: lines.joined())
    }
}
