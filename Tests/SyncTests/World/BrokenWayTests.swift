import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What breaks on the way to a peer, and what a person does about a peer that is left alone (`protocol/sync.md` §11,
/// §12).
struct BrokenWayTests {
    /// A node with one listed peer, whom the test plays.
    private struct Scene {
        let town: Town
        let address = PeerAddress(host: "peer", port: 7_776)

        init(seed: UInt64) throws {
            town = try Town(nodes: 1, seed: seed)
            town.world.playedAddresses = [address]
            let target = PeerTarget(address: address, node: nil, origin: .listed)
            _ = town.world.add(town.stores[0], peers: [target], exchange: .off)
            try town.world.start(0)
        }

        /// The peer, once it has been dialled so many times.
        func peer(dial number: Int, withinMilliseconds limit: UInt64 = 600_000) throws -> Stranger {
            let isDialled = { town.world.playedSessions.count == number }
            try #require(town.world.run(until: isDialled, withinMilliseconds: limit))
            return Stranger(dialledIn: town.world, session: town.world.playedSessions[number - 1])
        }

        var target: TargetStatus? { town.status(0)?.targets.first }

        var refusals: Int {
            town.reports(0).count { if case .refused(_, _, .tooManyPeers, by: .peer) = $0 { true } else { false } }
        }
    }

    /// The second has a length that no message has.
    private static let garbage: [[UInt8]] = [[0, 20] + [UInt8](repeating: 7, count: 20), [0, 16]]

    @Test(arguments: garbage)
    func `What does not decrypt ends the connection, and its peer may come again at once`(bytes: [UInt8]) throws {
        let town = try Town(nodes: 1, seed: 3_401)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(raw: bytes)
        stranger.run(milliseconds: 100)
        #expect(!stranger.isOpen && stranger.goodbye == nil)
        let address = PeerAddress(host: "stranger", port: 0)
        #expect(town.reports(0).last == .violation(stranger.id, address, .decryption, backoffMilliseconds: 0))
        let again = Stranger(town.world)
        again.greet()
        #expect(again.isOpen && again.id == stranger.id)
    }

    @Test func `A way that breaks each time is tried more and more rarely`() throws {
        let scene = try Scene(seed: 3_402)
        for dial in 1...5 {
            let peer = try scene.peer(dial: dial)
            peer.greet()
            #expect(peer.isOpen)
            peer.send(raw: Self.garbage[0])
            let isBroken = { scene.town.violations(0).count == dial }
            try #require(scene.town.world.run(until: isBroken, withinMilliseconds: 1_000))
            guard case .waiting(_, let failures)? = scene.target?.state else {
                Issue.record("it is dialled again without a pause")
                return
            }
            #expect(failures == dial && scene.target?.penalty == nil)
        }
    }

    @Test func `Who broke the protocol is dialled at once when a person waits`() throws {
        let scene = try Scene(seed: 3_403)
        let peer = try scene.peer(dial: 1)
        peer.greet()
        peer.send(.hello(Stranger.hello()))
        peer.run(milliseconds: 100)
        #expect(scene.town.violations(0) == [.secondHello] && scene.target?.penalty?.cause == .violation)
        scene.town.world.run(milliseconds: 60_000)
        #expect(scene.town.world.playedSessions.count == 1)
        scene.town.world.give(0, .hurry)
        let again = try scene.peer(dial: 2, withinMilliseconds: 1_000)
        again.greet()
        #expect(again.isOpen && scene.target?.penalty == nil)
    }

    @Test func `A peer that is full each time is told of once, until it has welcomed this node`() throws {
        let scene = try Scene(seed: 3_404)
        for dial in 1...3 {
            let peer = try scene.peer(dial: dial)
            peer.run(milliseconds: 100)
            peer.send(.goodbye(.tooManyPeers))
            peer.run(milliseconds: 50)
            #expect(scene.refusals == 1 && scene.target?.refusal == .tooManyPeers)
        }
        let welcoming = try scene.peer(dial: 4)
        welcoming.greet()
        #expect(scene.target?.refusal == nil)
        welcoming.send(.goodbye(.tooManyPeers))
        welcoming.run(milliseconds: 50)
        #expect(scene.refusals == 2)
    }
}
