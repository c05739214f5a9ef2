internal import Entries
package import Sync

/// A home's dial targets: listed peers, learned peers, and pins.
package struct PeerList: Sendable {
    /// Listed peers; a line without an id gets the pinned one, if any.
    package let listed: [PeerTarget]
    package let learned: [PeerTarget]
    package let badLines: [PeersFile.BadLine]

    /// `known`: the pins, from the running node or from the file.
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

    /// Stores learned addresses for the next start.
    static func writeLearned(_ targets: [PeerTarget], to layout: HomeLayout) throws(SystemError) {
        let lines = targets.map { PeerLine(node: $0.node, address: $0.address).description + "\n" }
        try FileSystem.replace(layout.learnedPeers, with: lines.joined())
    }
}
