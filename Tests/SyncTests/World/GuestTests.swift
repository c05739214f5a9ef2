import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A node that has no room tells whoever calls of others, and lets it go (`protocol/sync.md` §11).
struct GuestTests {
    /// A node with as many connections as it takes.
    private final class FullHub {
        let town: Town
        private(set) var peers: [Stranger] = []

        init(
            seed: UInt64,
            exchange: NodeConfiguration.PeerExchange = .on,
            host: (Int) -> String = { "host\($0)" }
        ) throws {
            town = try Town(nodes: 1, seed: seed, exchange: exchange)
            try town.startAll()
            for number in 0..<Limits.incomingSessionsCount {
                // Three of them say where they can be called.
                let port: UInt16? = number < 3 ? 7_776 : nil
                peers.append(visitor(number, host: host(number), Stranger.hello(version: 2, listenPort: port)))
            }
            #expect(peers.allSatisfy { $0.isOpen })
        }

        func visitor(_ number: Int, host: String? = nil, _ hello: Hello? = nil) -> Stranger {
            let stranger = Stranger(
                town.world,
                seed: 300 + UInt64(number),
                host: host ?? "host\(number)",
                candour: .silent
            )
            stranger.greet(hello ?? Stranger.hello(version: 2))
            return stranger
        }

        func guest(_ number: Int = 100, host: String? = nil, _ hello: Hello? = nil) -> Stranger {
            visitor(number, host: host, hello)
        }
    }

    private func told(_ stranger: Stranger) -> [[HeardPeer]] {
        stranger.inbox.compactMap { if case .peers(let peers) = $0 { peers } else { nil } }
    }

    @Test func `More newcomers than a node takes all join`() throws {
        let newcomers = Limits.incomingSessionsCount + 7
        let town = try Town(nodes: newcomers + 1, seed: 601, exchange: .on) { $0.latencyMilliseconds = 5...40 }
        for node in 1...newcomers { town.link(node, 0) }
        try town.startAll()
        func isJoined() -> Bool {
            town.stores.indices.allSatisfy { town.world.nodes[$0].machine?.links.isEmpty == false }
        }
        for _ in 0..<60 where !isJoined() { town.world.run(milliseconds: 5_000) }
        #expect(isJoined())
        try town.write("for all", on: 0)
        for _ in 0..<24 where !town.areEqual() { town.world.run(milliseconds: 5_000) }
        #expect(town.areEqual())
        #expect(town.stores.allSatisfy { $0.contents.count == 1 })
        #expect(town.stores.indices.flatMap(town.violations).isEmpty)
    }

    @Test func `A guest is told of others and sent away`() throws {
        let hub = try FullHub(seed: 602)
        try hub.town.write("a post", on: 0)
        let guest = hub.guest()
        #expect(guest.isOpen)
        guest.send(.peersWanted)
        guest.run(milliseconds: Limits.guestLingerMilliseconds - 200)
        #expect(guest.isOpen, "what it was told is to reach it")
        let expected = Set((0..<3).map { peer(hub, $0) })
        #expect(told(guest).map { Set($0) } == [expected])
        guest.run(milliseconds: 400)
        #expect(!guest.isOpen && guest.goodbye == .tooManyPeers)
        // Nothing else was said.
        let types = guest.inbox.map(\.frame.type)
        #expect(types == [MessageType.hello, .peers, .goodbye].map(\.rawValue))
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount)
        #expect(hub.town.status(0)?.isFull == true)
        #expect(hub.peers.allSatisfy { $0.isOpen })
        let isKnown = hub.town.world.nodes[0].peers.contains { $0.node == guest.id }
        #expect(!isKnown, "who only visits is told to nobody")
    }

    private func peer(_ hub: FullHub, _ number: Int) -> HeardPeer {
        HeardPeer(address: PeerAddress(host: "host\(number)", port: 7_776), node: hub.peers[number].id)
    }

    @Test func `What else a guest says is not read`() throws {
        let hub = try FullHub(seed: 603)
        let guest = hub.guest()
        let log = LogSize(log: LogID(raw: Author.bytes(9, "log")), size: 5)
        guest.send(.changes(Changes(logs: [log], number: 7)), .branch(.named), .keepAlive(.any))
        guest.send(frames: [Frame(type: MessageType.want.rawValue, body: [0x08]), Frame(type: 200, body: [1])])
        guest.send(.peersWanted)
        guest.send(.peersWanted)
        guest.run(milliseconds: 200)
        #expect(told(guest).count == 1, "it is told once")
        #expect(guest.isOpen && guest.wants.isEmpty && guest.keepAlives.isEmpty)
        guest.run(milliseconds: Limits.guestLingerMilliseconds)
        #expect(guest.goodbye == .tooManyPeers)
        #expect(hub.town.violations(0).isEmpty)
        #expect(hub.town.status(0)?.wantedLogs == 0)
    }

    @Test func `A guest that asks for nothing goes too`() throws {
        let hub = try FullHub(seed: 604)
        let guest = hub.guest()
        guest.run(milliseconds: Limits.guestMilliseconds - 300)
        #expect(guest.isOpen)
        guest.run(milliseconds: 400)
        #expect(!guest.isOpen && guest.goodbye == .tooManyPeers && told(guest).isEmpty)
        // Nor does it stay by asking again and again.
        let again = hub.guest(101)
        for _ in 0..<10 {
            again.send(.peersWanted)
            again.run(milliseconds: 200)
        }
        #expect(!again.isOpen)
    }

    @Test func `A guest says hello once and first`() throws {
        let hub = try FullHub(seed: 605)
        let second = hub.guest()
        second.send(.hello(Stranger.hello(version: 2)))
        second.run(milliseconds: 200)
        #expect(hub.town.violations(0) == [.secondHello])
        let early = Stranger(hub.town.world, seed: 900, host: "early")
        early.run(milliseconds: 100)
        early.send(.peersWanted)
        early.run(milliseconds: 200)
        #expect(hub.town.violations(0) == [.secondHello, .helloMissing])
        let old = hub.guest(103, Stranger.hello(version: 9, oldestVersion: 9))
        #expect(old.goodbye == .noCommonVersion)
    }

    @Test func `Guests are few and of one host fewer`() throws {
        let hub = try FullHub(seed: 606)
        let neighbours = (0..<4).map { hub.guest(200 + $0, host: "2001:db8:0:7::\($0)") }
        #expect(neighbours.count(where: \.isEstablished) == Limits.guestsPerHostCount)
        let others = (0..<10).map { hub.guest(210 + $0) }
        #expect(others.count(where: \.isEstablished) == Limits.guestsCount - Limits.guestsPerHostCount)
        #expect(others.count(where: \.isOpen) == Limits.guestsCount - Limits.guestsPerHostCount)
        let dialled = Stranger(dialledIn: hub.town.world, seed: 1)
        dialled.greet()
        #expect(dialled.isOpen && dialled.goodbye == nil, "its own calls have their room")
        // They make room for each other.
        others[0].run(milliseconds: Limits.guestMilliseconds + 100)
        let later = (0..<4).map { hub.guest(230 + $0) }
        #expect(later.allSatisfy { $0.isEstablished })
    }

    @Test func `Who tells nobody has no guests`() throws {
        let hub = try FullHub(seed: 607, exchange: .off)
        let guest = hub.guest()
        #expect(!guest.isOpen && !guest.isEstablished)
    }

    @Test func `Who replaces its own connection is no guest`() throws {
        let hub = try FullHub(seed: 608)
        let again = hub.visitor(5)
        again.run(milliseconds: 2 * Limits.guestMilliseconds)
        #expect(again.isOpen && again.goodbye == nil)
        hub.peers[5].run(milliseconds: 50)
        #expect(hub.peers[5].goodbye == .replaced)
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount)
    }

    @Test func `Who replaces a connection that was dialled here is no guest`() throws {
        let hub = try FullHub(seed: 610)
        let (dialled, calling) = try replaceDialled(hub)
        calling.run(milliseconds: 2 * Limits.guestMilliseconds)
        #expect(dialled.goodbye == .duplicateConnection)
        #expect(calling.isOpen && calling.goodbye == nil)
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount + 1)
    }

    @Test func `Above the limit as many give way to a guest as it needs`() throws {
        let hub = try FullHub(seed: 614) { number in "192.0.2.\(number % 2)" }
        _ = try replaceDialled(hub)
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount + 1)
        let newcomer = hub.guest(320)
        newcomer.run(milliseconds: 200)
        #expect(newcomer.isOpen && newcomer.goodbye == nil)
        #expect(hub.peers.count(where: \.isOpen) == hub.peers.count - 2)
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount)
    }

    @Test func `Nobody goes for a guest for whom there would be no room all the same`() throws {
        // One more than the quarter of one site, and two are needed.
        let hub = try FullHub(seed: 615) { number in number < 13 ? "192.0.2.1" : "host\(number)" }
        _ = try replaceDialled(hub)
        let newcomer = hub.guest(321)
        newcomer.run(milliseconds: 200)
        #expect(hub.peers.allSatisfy { $0.isOpen })
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount + 1)
    }

    /// A node that was dialled calls itself, which ends the connection that it was dialled on.
    private func replaceDialled(_ hub: FullHub) throws -> (dialled: Stranger, calling: Stranger) {
        let world = hub.town.world
        // Of the two, what the smaller id dialled stays.
        let seed = try #require(
            (900..<1_000).first { NodeID(raw: AgreementKey.seeded($0, "stranger").publicKey) < world.id(0) }
        )
        let dialled = Stranger(dialledIn: world, seed: seed)
        dialled.greet(Stranger.hello(version: 2))
        #expect(dialled.isOpen)
        let calling = Stranger(world, seed: seed, host: "host200", candour: .silent)
        calling.greet(Stranger.hello(version: 2))
        dialled.run(milliseconds: 50)
        return (dialled, calling)
    }

    @Test func `Few hosts with many keys keep nobody out`() throws {
        let hub = try FullHub(seed: 611) { number in "192.0.2.\(number % 2)" }
        let youngest = hub.peers.count - 1
        let listed = PeerTarget(
            address: PeerAddress(host: "nowhere", port: 1),
            node: hub.peers[youngest].id,
            origin: .listed
        )
        hub.town.world.give(0, .peersChanged([listed]))
        // One more of a host that has its share takes nobody's place.
        let neighbour = hub.guest(300, host: "192.0.2.0")
        neighbour.send(.peersWanted)
        neighbour.run(milliseconds: 2 * Limits.guestLingerMilliseconds)
        #expect(neighbour.goodbye == .tooManyPeers && hub.peers.allSatisfy { $0.isOpen })
        let newcomers = (0..<10).map { hub.guest(310 + $0) }
        newcomers[0].run(milliseconds: Limits.guestMilliseconds + 1_000)
        #expect(newcomers.allSatisfy { $0.isOpen && $0.goodbye == nil })
        let gone = hub.peers.indices.filter { !hub.peers[$0].isOpen }
        #expect(gone == Array(youngest - 10..<youngest), "the youngest, but not whom a person listed")
        for number in gone { hub.peers[number].run(milliseconds: 1) }
        #expect(gone.allSatisfy { hub.peers[$0].goodbye == .tooManyPeers })
        #expect(hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount)
    }

    @Test func `A host keeps a quarter of the places and whoever has as many takes none`() throws {
        let hub = try FullHub(seed: 612) { number in
            number < 13 ? "192.0.2.1" : number < 25 ? "192.0.2.2" : "host\(number)"
        }
        // Nobody goes for who has only shaken hands.
        let mute = Stranger(hub.town.world, seed: 901, host: "mute")
        mute.run(milliseconds: 200)
        #expect(mute.isEstablished && hub.peers.allSatisfy { $0.isOpen })
        let neighbour = hub.guest(301, host: "192.0.2.2")
        neighbour.run(milliseconds: 200)
        #expect(hub.peers.allSatisfy { $0.isOpen }, "it would have as many as the other then")
        let newcomers = (0..<2).map { hub.guest(302 + $0) }
        newcomers[0].run(milliseconds: Limits.guestMilliseconds + 200)
        #expect(newcomers.map(\.isOpen) == [true, false])
        #expect(hub.peers.indices.filter { !hub.peers[$0].isOpen } == [12])
        let isTold = hub.town.reports(0).contains { report in
            if case .lost(hub.peers[12].id, _, .gaveWay) = report { true } else { false }
        }
        #expect(isTold)
    }

    @Test func `The networks of one line at home are one host`() throws {
        let hub = try FullHub(seed: 613) { number in "2001:db8:7:\(number)::1" }
        let neighbour = hub.guest(303, host: "2001:db8:7:ff::1")
        neighbour.run(milliseconds: 200)
        #expect(hub.peers.allSatisfy { $0.isOpen })
        let newcomer = hub.guest(304, host: "2001:db8:8::1")
        newcomer.run(milliseconds: Limits.guestMilliseconds + 200)
        #expect(newcomer.isOpen && hub.peers.count(where: \.isOpen) == hub.peers.count - 1)
    }

    @Test func `Who goes makes room for the next`() throws {
        let hub = try FullHub(seed: 609)
        hub.town.world.hangUp(hub.peers[0].session)
        let next = hub.visitor(120)
        next.run(milliseconds: 2 * Limits.guestMilliseconds)
        #expect(next.isOpen && hub.town.status(0)?.sessions.count == Limits.incomingSessionsCount)
    }
}
