import Entries
import Foundation
import Storage

/// A node that holds a crowd's posts, and an empty one.
struct Pair {
    let sender: TemporaryHome
    let receiver: TemporaryHome
    var crowd: Crowd

    init(_ size: SizeOptions, seed: UInt64) throws {
        sender = try TemporaryHome(of: .hub)
        receiver = try TemporaryHome(of: .hub)
        var crowd = try Crowd(
            network: NetworkID(name: TemporaryHome.network),
            count: size.writers,
            seed: seed,
            endingAt: UInt64(Date().timeIntervalSince1970 * 1000) - 86_400_000,
            posts: size.posts
        )
        let chunks = try crowd.write(posts: size.posts, bytes: size.bytes)
        let filled = crowd
        try sender.fill { try filled.put(chunks, into: $0) }
        self.crowd = crowd
    }

    /// Gives the sender, whose node is not running, some more posts.
    mutating func add(posts: Int, bytes: Int) throws {
        let chunks = try crowd.write(posts: posts, bytes: bytes)
        let filled = crowd
        try sender.fill { try filled.put(chunks, into: $0) }
    }
}

/// What two nodes spent between two moments.
struct Meter {
    private let nodes: [RunningNode]
    private let begun: Double
    private let cpu: Double
    private let wire: UInt64

    init(_ nodes: [RunningNode]) throws {
        self.nodes = nodes
        cpu = try nodes.reduce(0) { try $0 + $1.usage().cpuSeconds }
        wire = try Loopback.bytes()
        begun = Stopwatch.now()
    }

    /// Wall seconds, CPU seconds of all the nodes, bytes on the loopback device.
    func read() throws -> (wall: Double, cpu: Double, wire: Double) {
        let wall = Stopwatch.now() - begun
        let spent = try nodes.reduce(0) { try $0 + $1.usage().cpuSeconds } - cpu
        return (wall, spent, Double(try Loopback.bytes() - wire))
    }
}
