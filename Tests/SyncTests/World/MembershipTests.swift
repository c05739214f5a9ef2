import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes that all know one and the same come to know each other, and get on without it (`protocol/node.md` §10).
struct MembershipTests {
    private let nodes = 24

    /// Nodes that are running, by who has a link to whom.
    private func neighbours(in town: Town) -> [NodeID: Set<NodeID>] {
        var all: [NodeID: Set<NodeID>] = [:]
        for node in town.world.nodes where node.isRunning {
            all[node.configuration.node] = Set(node.machine?.links.values.map(\.node) ?? [])
        }
        return all
    }

    private func hangTogether(_ neighbours: [NodeID: Set<NodeID>]) -> Bool {
        guard let first = neighbours.keys.min() else { return true }
        var seen: Set<NodeID> = [first]
        var open = [first]
        while let node = open.popLast() {
            for next in neighbours[node] ?? [] where neighbours[next] != nil && seen.insert(next).inserted {
                open.append(next)
            }
        }
        return seen.count == neighbours.count
    }

    @Test func `Who know one come to know others and outlive half of them`() throws {
        let town = try Town(nodes: nodes, seed: 51, exchange: .on) { $0.latencyMilliseconds = 5...40 }
        for node in 1..<nodes { town.link(node, 0) }
        try town.startAll()
        town.world.run(milliseconds: 300_000)
        var around = neighbours(in: town)
        let counts = around.filter { $0.key != town.world.id(0) }.map(\.value.count).sorted()
        #expect(counts.first ?? 0 >= Limits.wantedSessionsCount - 1)
        // Who has an address that sorts well is no hub.
        #expect(counts.last ?? 0 <= 4 * Limits.wantedSessionsCount)
        around[town.world.id(0)] = nil
        #expect(hangTogether(around))

        town.world.kill(0)
        for node in 1...nodes / 2 { town.world.kill(node) }
        town.world.run(milliseconds: 120_000)
        #expect(hangTogether(neighbours(in: town)))
        try town.write("after the fall", on: nodes - 1)
        town.world.run(milliseconds: 10_000)
        let living = town.stores.indices.filter { town.world.nodes[$0].isRunning }
        #expect(living.count == nodes - nodes / 2 - 1)
        #expect(living.allSatisfy { town.stores[$0].contents.count == 1 })
        #expect(living.flatMap(town.violations).isEmpty)
    }

    @Test func `One link is asked for addresses each half hour`() throws {
        let town = try Town(nodes: 4, seed: 52, exchange: .on)
        for node in 1..<4 { town.link(node, 0) }
        try town.startAll()
        town.world.run(milliseconds: 60_000)
        let before = asked(in: town)
        town.world.run(milliseconds: 2 * Limits.peersRenewalMilliseconds)
        #expect(asked(in: town) == before + 2)
        #expect(town.violations(0).isEmpty)
    }

    /// The stranger tells the first node of the second; true if the two come to have a link.
    private func tell(in town: Town, by stranger: Stranger) -> Bool {
        let other = town.world.id(1)
        stranger.send(.peers([HeardPeer(address: World.address(of: 1), node: other)]))
        return town.world.run(
            until: { town.status(0)?.sessions.contains { $0.node == other } == true },
            withinMilliseconds: 5_000
        )
    }

    @Test func `Eight strangers who dial a node keep it from dialling nobody`() throws {
        let town = try Town(nodes: 2, seed: 55, exchange: .on)
        try town.startAll()
        let strangers = (0..<Limits.wantedSessionsCount).map { number in
            Stranger(town.world, seed: 500 + UInt64(number), host: "host\(number)")
        }
        for stranger in strangers { stranger.greet() }
        #expect(town.status(0)?.sessions.count == strangers.count)
        let isLinked = tell(in: town, by: strangers[0])
        #expect(isLinked && strangers.allSatisfy { $0.isOpen })
    }

    @Test func `Connections that never speak keep a node from dialling nobody`() throws {
        let town = try Town(nodes: 2, seed: 56, exchange: .on)
        try town.startAll()
        let silent = (0..<Limits.wantedSessionsCount).map { town.world.openRaw(to: 0, host: "mute\($0)") }
        let stranger = Stranger(town.world)
        stranger.greet()
        let isLinked = tell(in: town, by: stranger)
        #expect(isLinked && silent.allSatisfy { town.world.isOpen($0) })
    }

    @Test func `Other spellings of one address are left out, and loopback from afar`() throws {
        let town = try Town(nodes: 1, seed: 58, exchange: .on)
        try town.startAll()
        let hosts = [
            "192.0.2.7", "192.0.2.07", "192.0.519", "3221225991", "0xc0000207", "030000001007", "127.0.0.1",
            "127.example.edu",
        ]
        let lot = hosts.enumerated().map { place, host in
            HeardPeer(
                address: PeerAddress(host: host, port: 1),
                node: NodeID(raw: Author.bytes(UInt64(place), "told"))
            )
        }
        let stranger = Stranger(town.world)
        stranger.answer = { $0 == .peersWanted ? [.peers(lot)] : [] }
        stranger.greet()
        let learned = town.world.nodes[0].peers.filter { $0.origin == .learned }.map(\.address.host)
        #expect(learned.sorted() == ["127.example.edu", "192.0.2.7"])
        #expect(stranger.isOpen)
    }

    @Test func `All who dial from one line at home teach as much as one`() throws {
        let town = try Town(nodes: 1, seed: 57, exchange: .on)
        try town.startAll()
        for number in 0..<UInt64(4) {
            let lot = (0..<Limits.peersPerMessage).map { place in
                HeardPeer(
                    address: PeerAddress(host: "place\(place).host\(number)", port: 1),
                    node: NodeID(raw: Author.bytes(number * 100 + UInt64(place), "told"))
                )
            }
            let stranger = Stranger(town.world, seed: 500 + number, host: "2001:db8:7:\(number)::1")
            stranger.answer = { $0 == .peersWanted ? [.peers(lot)] : [] }
            stranger.greet()
            #expect(stranger.isOpen)
        }
        let learned = town.world.nodes[0].peers.count { $0.origin == .learned }
        #expect(learned == Limits.learnedPeersPerPeerCount)
    }

    /// How often the first node has asked for addresses.
    private func asked(in town: Town) -> UInt64 {
        town.world.nodes[0].machine?.spoken.byType.first { $0.type == MessageType.peersWanted.rawValue }?.count ?? 0
    }

    @Test func `Whoever comes and goes puts off nobody else's question`() throws {
        let town = try Town(nodes: 4, seed: 53, exchange: .on)
        for node in 1..<4 { town.link(node, 0) }
        try town.startAll()
        town.world.run(milliseconds: 60_000)
        let before = asked(in: town)
        let visits: UInt64 = 6
        for visit in 0..<visits {
            let stranger = Stranger(town.world, host: "visitor")
            stranger.greet(Stranger.hello(version: 2))
            #expect(stranger.isOpen, "visit \(visit)")
            town.world.hangUp(stranger.session)
            // It stays away for two thirds of the time between two questions.
            town.world.run(milliseconds: 2 * Limits.peersRenewalMilliseconds / 3)
        }
        // It is asked each time, and those who stay four times in two hours all the same.
        #expect(asked(in: town) == before + visits + 4)
        #expect(town.violations(0).isEmpty)
    }

    /// Two questions within a minute would leave the second without an answer, and the link unasked from then on.
    @Test func `A link is asked again half an hour after it was new`() throws {
        let town = try Town(nodes: 2, seed: 54, exchange: .on)
        town.link(1, 0)
        try town.startAll()
        town.world.run(milliseconds: Limits.peersRenewalMilliseconds - 10_000)
        town.world.kill(1)
        town.world.run(milliseconds: 1_000)
        try town.world.start(1)
        town.world.run(milliseconds: 5_000)
        let before = asked(in: town)
        town.world.run(milliseconds: Limits.peersRenewalMilliseconds - 60_000)
        #expect(asked(in: town) == before)
        town.world.run(milliseconds: Limits.peersRenewalMilliseconds + 120_000)
        #expect(asked(in: town) == before + 2)
    }
}
