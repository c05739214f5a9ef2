import Synchronization

/// Peers that ask for everything and read nothing.
final class SlowCrowd: Attack {
    private let address: String
    private let size: Int
    private var peers: [SlowPeer] = []

    init(of size: Int, asking address: String) {
        self.size = size
        self.address = address
    }

    func begin() throws {
        // One after the other: a node accepts few connections at once that have not authenticated.
        peers = try (0..<size).map { try SlowPeer(asking: address, number: $0) }
    }

    func end() throws -> Figures {
        var figures = Figures()
        figures.add("connections", Double(peers.count))
        peers = []
        return figures
    }
}
