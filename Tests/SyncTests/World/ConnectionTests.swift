import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// How connections begin, live and end.
struct ConnectionTests {
    private func meet(seed: UInt64) throws -> (Town, Stranger) {
        let town = try Town(nodes: 1, seed: seed)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        return (town, stranger)
    }

    // MARK: Versions

    @Test func `A newer peer is spoken to`() throws {
        let town = try Town(nodes: 1, seed: 81)
        try town.write("a post", on: 0)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 7, oldestVersion: 1, ownLog: nil))
        #expect(stranger.isOpen)
        #expect(town.status(0)?.sessions.count == 1)
    }

    @Test func `Without a common version the peer is left and not blamed`() throws {
        let town = try Town(nodes: 1, seed: 82)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 9, oldestVersion: 3))
        #expect(!stranger.isOpen)
        #expect(stranger.goodbye == .noCommonVersion)
        #expect(town.violations(0).isEmpty)
        let address = PeerAddress(host: "stranger", port: 0)
        #expect(town.reports(0) == [.noCommonVersion(stranger.id, address, oldest: 3, listing: .unlisted)])
    }

    @Test func `A scope is not served`() throws {
        let town = try Town(nodes: 1, seed: 83)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(scope: .identities([IdentityID(raw: .zero)])))
        #expect(!stranger.isOpen)
        #expect(stranger.goodbye == .scopeNotServed)
        #expect(town.violations(0).isEmpty)
    }

    // MARK: Silence

    @Test func `A peer that says nothing is closed`() throws {
        let town = try Town(nodes: 1, seed: 84)
        try town.startAll()
        let session = town.world.openRaw(to: 0)
        town.world.run(milliseconds: Limits.greetingDeadlineMilliseconds - 100)
        #expect(town.world.isOpen(session))
        town.world.run(milliseconds: 300)
        #expect(!town.world.isOpen(session))
    }

    @Test func `A peer that never says hello is closed`() throws {
        let town = try Town(nodes: 1, seed: 85)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.run(milliseconds: 1_000)
        #expect(stranger.isEstablished && stranger.isOpen)
        stranger.run(milliseconds: Limits.greetingDeadlineMilliseconds)
        #expect(!stranger.isOpen)
    }

    @Test func `A half open connection is closed`() throws {
        let (town, stranger) = try meet(seed: 86)
        stranger.run(milliseconds: Limits.idleTimeoutMilliseconds - 1_000)
        #expect(stranger.isOpen)
        #expect(stranger.keepAlives.count >= 3)
        stranger.run(milliseconds: 2_000)
        #expect(!stranger.isOpen)
        #expect(town.reports(0).contains(.lost(stranger.id, PeerAddress(host: "stranger", port: 0), .idle)))
    }

    @Test func `Two nodes that lose each other without a word meet again`() throws {
        let town = try Town(nodes: 2, seed: 87)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        town.world.silence(0)
        town.world.run(milliseconds: 200_000)
        try town.write("after the silence", on: 0)
        #expect(town.world.run(until: { town.stores[1].contents.count == 1 }, withinMilliseconds: 60_000))
    }

    @Test func `A keep alive is answered where that is asked for`() throws {
        let (_, stranger) = try meet(seed: 88)
        stranger.run(milliseconds: 1_000)
        let before = stranger.keepAlives.count
        let word = KeepAlive.any
        stranger.send(
            .keepAlive(
                KeepAlive(
                    fingerprint: word.fingerprint,
                    count: 1,
                    number: 0,
                    activity: .busy,
                    request: .answer
                )
            )
        )
        stranger.run(milliseconds: 50)
        #expect(stranger.keepAlives.count == before + 1)
    }

    // MARK: Duplicates

    @Test(arguments: 0..<8)
    func `Of two connections the smaller nodes stays`(seed: UInt64) throws {
        let town = try Town(nodes: 2, seed: 890 + seed)
        town.link(0, 1)
        town.link(1, 0)
        try town.startAll()
        town.world.run(milliseconds: 5_000)
        for node in 0..<2 {
            let sessions = try #require(town.status(node)?.sessions)
            #expect(sessions.count == 1)
            let isOutgoing = if case .outgoing = sessions.first?.direction { true } else { false }
            #expect(isOutgoing == (town.world.id(node) < town.world.id(1 - node)), "seed \(seed)")
        }
        try town.write("over the one that stayed", on: 0)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 5_000))
        #expect(town.world.nodes[1].verifiedEntries == 1)
    }

    @Test func `A node that dials itself drops the address`() throws {
        let town = try Town(nodes: 1, seed: 90)
        town.link(0, 0)
        try town.startAll()
        town.world.run(milliseconds: 600_000)
        #expect(town.reports(0) == [.connectedToSelf(World.address(of: 0))])
        #expect(town.status(0)?.sessions.isEmpty == true)
    }

    @Test func `A new connection of the same peer replaces the old`() throws {
        let (town, stranger) = try meet(seed: 91)
        let again = Stranger(town.world, seed: 77)
        again.greet()
        stranger.run(milliseconds: 50)
        #expect(!stranger.isOpen)
        #expect(stranger.goodbye == .replaced)
        #expect(again.isOpen)
        #expect(town.status(0)?.sessions.count == 1)
    }

    // MARK: Dialling

    @Test func `An address is pinned and then refused to anybody else`() throws {
        let town = try Town(nodes: 2, seed: 92)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.world.nodes[0].peers.first?.node == town.world.id(1))
        let wrong = NodeID(raw: Author.bytes(4, "somebody else"))
        town.world.kill(0)
        town.world.kill(1)
        let target = PeerTarget(address: World.address(of: 1), node: wrong, origin: .listed)
        try town.world.start(1)
        try town.world.start(0)
        town.world.give(0, .peersChanged([target]))
        town.world.run(milliseconds: 20_000)
        let expected = NodeReport.wrongNode(target.address, expected: wrong, found: town.world.id(1))
        #expect(town.reports(0).contains(expected))
        #expect(town.violations(0).isEmpty && town.violations(1).isEmpty)
    }

    /// Whoever tells of addresses could have it say to everybody: trust me in place of another.
    @Test func `Another node than was told of is nothing that a person hears of`() throws {
        let town = try Town(nodes: 2, seed: 123)
        let wrong = NodeID(raw: Author.bytes(4, "somebody else"))
        addAll(town, PeerTarget(address: World.address(of: 1), node: wrong, origin: .learned))
        for node in 0...1 { try town.world.start(node) }
        town.world.run(milliseconds: 20_000)
        let targets = try #require(town.status(0)?.targets)
        #expect(!targets.contains { $0.target.node == wrong })
        #expect(!town.reports(0).contains { if case .wrongNode = $0 { true } else { false } })
    }

    /// Adds the town's nodes, the first of which knows this address.
    private func addAll(_ town: Town, _ target: PeerTarget) {
        for node in town.stores.indices {
            _ = town.world.add(town.stores[node], peers: node == 0 ? [target] : [])
        }
    }

    @Test func `What was learned outlasts a time without a network`() throws {
        let town = try Town(nodes: 2, seed: 124)
        addAll(town, PeerTarget(address: World.address(of: 1), node: nil, origin: .learned))
        try town.world.start(0)
        town.world.run(milliseconds: 6 * 3_600_000)
        try town.world.start(1)
        town.world.run(milliseconds: 600_000)
        #expect(town.status(0)?.sessions.count == 1)
    }

    @Test func `A dial that fails is tried later and later`() throws {
        let town = try Town(nodes: 2, seed: 93)
        town.link(0, 1)
        try town.startAll()
        town.world.kill(1)
        town.world.run(milliseconds: 3_600_000)
        let delays = town.reports(0).compactMap { report -> UInt64? in
            if case .dialFailed(_, .refused, let delay) = report { delay } else { nil }
        }
        #expect(delays.count > 10)
        #expect(delays.count < 60)
        #expect(delays.allSatisfy { $0 <= 300_000 })
        for (failures, delay) in delays.prefix(8).enumerated() { #expect(delay <= 1_000 << UInt64(failures)) }
        #expect((delays.max() ?? 0) > 100_000)
        try town.world.start(1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 400_000))
    }

    @Test func `What is dialled again is told as failed before`() throws {
        let town = try Town(nodes: 2, seed: 95)
        town.link(0, 1)
        try town.startAll()
        town.world.kill(1)
        let isDialledAgain = {
            if case .dialling(let failures) = town.status(0)?.targets.first?.state { failures == 3 } else { false }
        }
        #expect(town.world.run(until: isDialledAgain, withinMilliseconds: 600_000))
    }

    @Test func `When it was last in step is known after the connection`() throws {
        let town = try Town(nodes: 2, seed: 96)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.status(0)?.inStepAt == nil)
        town.world.kill(1)
        let isAlone = { town.status(0)?.sessions.isEmpty == true }
        #expect(town.world.run(until: isAlone, withinMilliseconds: 600_000))
        #expect(town.status(0)?.inStepAt != nil)
        #expect(town.status(0)?.targets.first?.inStepAt == town.status(0)?.inStepAt)
    }

    @Test func `Hurry ends a plain backoff`() throws {
        let town = try Town(nodes: 2, seed: 94)
        town.link(0, 1)
        try town.startAll()
        town.world.kill(1)
        town.world.run(milliseconds: 1_200_000)
        try town.world.start(1)
        town.world.give(0, .hurry)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 1_000))
    }

    @Test func `Peers are learned from peers`() throws {
        let town = try Town(nodes: 3, seed: 95, exchange: .on)
        town.link(0, 1)
        town.link(2, 1)
        try town.startAll()
        town.world.run(milliseconds: 5_000)
        // The hub has met both; whoever came second was told of the first.
        #expect(town.world.nodes[2].peers.contains { $0.node == town.world.id(0) && $0.origin == .learned })
        #expect(town.world.run(until: { town.status(2)?.sessions.count == 2 }, withinMilliseconds: 10_000))
        town.world.kill(1)
        try town.write("without the hub", on: 0)
        #expect(town.world.run(until: { town.stores[2].contents.count == 1 }, withinMilliseconds: 10_000))
    }

    @Test func `An address of ones own machine is told only there`() throws {
        let town = try Town(nodes: 1, seed: 99, exchange: .on)
        try town.startAll()
        let local = HeardPeer(
            address: PeerAddress(host: "127.0.0.1", port: 5),
            node: NodeID(raw: Author.bytes(5, "local"))
        )
        let far = HeardPeer(address: PeerAddress(host: "far", port: 5), node: NodeID(raw: Author.bytes(6, "far")))
        let stranger = Stranger(town.world)
        stranger.answer = { $0 == .peersWanted ? [.peers([local, far])] : [] }
        stranger.greet()
        stranger.run(milliseconds: 200)
        #expect(town.world.nodes[0].peers.map(\.address) == [far.address])
        let neighbour = Stranger(town.world, seed: 78, host: "127.0.0.1")
        neighbour.answer = stranger.answer
        neighbour.greet()
        neighbour.run(milliseconds: 200)
        #expect(Set(town.world.nodes[0].peers.map(\.address)) == [far.address, local.address])
    }

    @Test func `A list that no longer names a peer stops the dials`() throws {
        let town = try Town(nodes: 2, seed: 96)
        town.link(0, 1)
        try town.startAll()
        town.world.kill(1)
        town.world.run(milliseconds: 1_000)
        town.world.give(0, .peersChanged([]))
        town.world.run(milliseconds: 1_000)
        let reports = town.reports(0).count
        town.world.run(milliseconds: 3_600_000)
        #expect(town.reports(0).count == reports)
    }

    @Test func `A list that no longer names a peer ends its connection`() throws {
        let town = try Town(nodes: 2, seed: 98)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        town.world.give(0, .peersChanged([]))
        town.world.run(milliseconds: 3_600_000)
        #expect(town.status(0)?.sessions.isEmpty == true && town.status(1)?.sessions.isEmpty == true)
        #expect(town.reports(0).contains(.lost(town.world.id(1), World.address(of: 1), .removed)))
        #expect(town.reports(1).contains { if case .lost(_, _, .goodbye(.stopping)) = $0 { true } else { false } })
        town.world.give(0, .peersChanged([World.target(1)]))
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 10_000))
    }

    @Test func `A list that names another node ends the connection with the one before`() throws {
        let town = try Town(nodes: 2, seed: 105)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        let wrong = NodeID(raw: Author.bytes(4, "somebody else"))
        let target = PeerTarget(address: World.address(of: 1), node: wrong, origin: .listed)
        town.world.give(0, .peersChanged([target]))
        town.world.run(milliseconds: 20_000)
        #expect(town.status(0)?.sessions.isEmpty == true)
        let expected = NodeReport.wrongNode(target.address, expected: wrong, found: town.world.id(1))
        #expect(town.reports(0).contains(expected))
    }

    @Test func `A dial that is answered after its peer was removed is no connection`() throws {
        let town = try Town(nodes: 2, seed: 99) { $0.latencyMilliseconds = 200...200 }
        town.link(0, 1)
        try town.startAll()
        #expect(town.status(0)?.targets.first?.state == .dialling(failures: 0))
        town.world.give(0, .peersChanged([]))
        town.world.run(milliseconds: 60_000)
        #expect(town.status(0)?.sessions.isEmpty == true && town.status(1)?.sessions.isEmpty == true)
        #expect(town.reports(0).isEmpty)
    }

    // MARK: The end

    @Test func `A node that stops says goodbye and saves its cursors`() throws {
        let town = try Town(nodes: 2, seed: 97)
        town.link(0, 1)
        try town.startAll()
        try town.write("a post", on: 1)
        #expect(town.world.run(until: { town.stores[0].contents.count == 1 }, withinMilliseconds: 10_000))
        town.world.run(milliseconds: 300)
        town.world.give(0, .stop)
        town.world.run(milliseconds: 1_000)
        #expect(town.world.nodes[0].machine?.isIdle == true)
        #expect(town.stores[0].cursor(of: town.world.id(1))?.number == 1)
        #expect(
            town.reports(1).contains { report in
                if case .lost(_, _, .goodbye(.stopping)) = report { true } else { false }
            }
        )
    }

    @Test func `Strangers beyond the bound are turned away`() throws {
        let town = try Town(nodes: 1, seed: 98)
        try town.startAll()
        let sessions = (0..<20).map { town.world.openRaw(to: 0, host: "host\($0)") }
        town.world.run(milliseconds: 100)
        #expect(sessions.filter(town.world.isOpen).count == Limits.strangersCount)
    }

    @Test func `A stranger who takes its time gives way to one who comes`() throws {
        let town = try Town(nodes: 1, seed: 122)
        try town.startAll()
        // The host with most of them, and not the one that came first, has to give way.
        let hosts = (0..<12).map { "host\($0)" } + Array(repeating: "crowd", count: 4)
        let sessions = hosts.map { town.world.openRaw(to: 0, host: $0) }
        town.world.run(milliseconds: 100)
        let early = town.world.openRaw(to: 0, host: "early")
        town.world.run(milliseconds: 100)
        #expect(!town.world.isOpen(early) && sessions.allSatisfy(town.world.isOpen))
        town.world.run(milliseconds: 1_000)
        // Who has its share takes nobody's place.
        let more = town.world.openRaw(to: 0, host: "crowd")
        town.world.run(milliseconds: 100)
        #expect(!town.world.isOpen(more) && sessions.allSatisfy(town.world.isOpen))
        let late = town.world.openRaw(to: 0, host: "late")
        town.world.run(milliseconds: 100)
        #expect(town.world.isOpen(late))
        #expect(sessions.map(town.world.isOpen) == hosts.indices.map { $0 != 12 })
    }

    @Test func `A dial that succeeds while the node stops is closed`() throws {
        let town = try Town(nodes: 1, seed: 97)
        try town.startAll()
        town.world.give(0, .stop)
        let stranger = Stranger(dialledIn: town.world)
        stranger.greet()
        #expect(!stranger.isOpen)
        #expect(!stranger.isEstablished)
        #expect(town.world.nodes[0].machine?.isIdle == true)
    }

    @Test(arguments: [[0, 20] + [UInt8](repeating: 3, count: 20), [0, 3, 1, 2, 3]])
    func `What follows the handshake in the same read is told of the node`(behind: [UInt8]) throws {
        let town = try Town(nodes: 1, seed: 98)
        try town.startAll()
        let key = AgreementKey.seeded(77, "stranger")
        let ephemeral = AgreementKey.seeded(77, "ephemeral")
        var channel = SecureChannel.initiator(in: town.network, as: key, ephemeral: ephemeral, expecting: nil)
        let session = town.world.openRaw(to: 0)
        town.world.sendRaw(channel.start(), from: session)
        town.world.run(milliseconds: 100)
        guard case .send(let third)? = try channel.receive(town.world.takeRaw(session)).first else {
            return #expect(Bool(false), "no third message")
        }
        town.world.sendRaw(third + behind, from: session)
        town.world.run(milliseconds: 100)
        #expect(town.violations(0) == [.decryption])
        #expect(!town.world.isOpen(session))
        guard case .violation(let node, _, _, _)? = town.reports(0).last else {
            return #expect(Bool(false), "no report")
        }
        #expect(node == NodeID(raw: key.publicKey))
        let other = Stranger(town.world, seed: 78)
        other.greet()
        #expect(other.isOpen, "the host is not to blame")
    }

    /// It would never be asked what it holds of the log, and be waited for all the same.
    @Test func `Who has not said hello when the first entry is written is sent away too`() throws {
        let world = World(WorldOptions(seed: 103))
        let store = LightStore()
        _ = world.add(store, peers: [], exchange: .off)
        try world.start(0)
        let stranger = Stranger(world, candour: .silent)
        stranger.run(milliseconds: 100)
        #expect(stranger.isEstablished)
        var author = Author(seed: 103, network: world.network)
        store.register(author)
        try world.write("the first", on: 0, by: &author)
        stranger.run(milliseconds: 100)
        #expect(stranger.goodbye == .replaced)
    }

    /// More than is looked at in one turn, and then no Noise message: Hello was about to be said.
    @Test func `What breaks off behind the handshake and many messages is not answered`() throws {
        let town = try Town(nodes: 1, seed: 98)
        try town.startAll()
        var channel = SecureChannel.initiator(
            in: town.network,
            as: .seeded(77, "stranger"),
            ephemeral: .seeded(77, "ephemeral"),
            expecting: nil
        )
        let session = town.world.openRaw(to: 0)
        town.world.sendRaw(channel.start(), from: session)
        town.world.run(milliseconds: 100)
        guard case .send(let third)? = try channel.receive(town.world.takeRaw(session)).first else {
            return #expect(Bool(false), "no third message")
        }
        let unknown = channel.seal(Array(repeating: Frame(type: 99, body: []), count: Limits.turnItems + 1))
        let bytes = third + unknown + [0, 20] + [UInt8](repeating: 7, count: 20)
        let here = try #require(town.world.nodes[0].machine?.order.last)
        town.world.give(0, .received(here, bytes, .inTurns))
        town.world.give(0, .readOn(here))
        #expect(town.violations(0) == [.decryption])
    }

    @Test func `Two nodes of one key do not throw each other out for ever`() throws {
        let town = try twins(seed: 102)
        let greeted = town.reports(0).count { if case .connected = $0 { true } else { false } }
        #expect((3...20).contains(greeted), "\(greeted)")
        let isTold = (1...2).contains { node in
            town.reports(node).contains { if case .refused(_, _, .replaced, by: .peer) = $0 { true } else { false } }
        }
        #expect(isTold)
        #expect((1...2).contains { isReplaced($0, town) })
        // One of them ends: the other is not left out for long.
        town.world.kill(1)
        town.world.run(milliseconds: 3_600_000)
        #expect(town.status(2)?.sessions.count == 1)
    }

    @Test func `What a peer said of a second node of one key is forgotten where it does not answer`() throws {
        let town = try twins(seed: 102)
        #expect((1...2).contains { isReplaced($0, town) })
        town.world.kill(0)
        town.world.run(milliseconds: 3_600_000)
        #expect(!(1...2).contains { isReplaced($0, town) })
        #expect((1...2).allSatisfy { town.status($0)?.targets.allSatisfy { $0.failure != nil } == true })
    }

    /// An hour of two nodes, 1 and 2, that have one key and dial node 0.
    private func twins(seed: UInt64) throws -> Town {
        let town = try Town(nodes: 3, seed: seed)
        for node in 0..<3 {
            let peers = node == 0 ? [] : [World.target(0)]
            _ = town.world.add(town.stores[node], peers: peers, exchange: .off, twin: node == 2 ? 1 : nil)
        }
        for node in 0..<3 { try town.world.start(node) }
        town.world.run(milliseconds: 3_600_000)
        return town
    }

    /// Whether the node knows that another one of its key took its place.
    private func isReplaced(_ node: Int, _ town: Town) -> Bool {
        town.status(node)?.targets.contains { $0.refusal == .replaced } == true
    }

    @Test func `A peer that changes what it carries is no rival`() throws {
        let town = try Town(nodes: 2, seed: 103)
        town.link(1, 0)
        try town.startAll()
        for count in 0..<4 {
            let people = (0...count).map { Author(seed: 900 + UInt64($0), network: town.network) }
            town.world.carry(.identities(Set(people.map(\.certificate.certificate.identity))), on: 0)
            town.world.run(milliseconds: 14_000)
        }
        #expect(town.status(1)?.sessions.count == 1)
    }

    @Test func `Who garbles a handshake shuts nobody out and is told once of all its addresses`() throws {
        let town = try Town(nodes: 1, seed: 101)
        try town.startAll()
        for host in ["2001:db8:0:7::1", "2001:db8:0:7::2", "2001:db8:0:8::1"] {
            let session = town.world.openRaw(to: 0, host: host)
            town.world.sendRaw(Array("GET / HTTP/1.1\r\n\r\n".utf8), from: session)
            town.world.run(milliseconds: 200)
            #expect(!town.world.isOpen(session))
        }
        #expect(town.violations(0) == [.handshake, .handshake])
        let neighbour = Stranger(town.world, host: "2001:db8:0:7::1")
        neighbour.greet()
        #expect(neighbour.isOpen)
    }

    /// Anybody may tell a node any number of addresses, and answer there.
    @Test func `What those do whose addresses were told is told once of their host`() throws {
        for origin in [PeerTarget.Origin.learned, .listed] {
            let town = try Town(nodes: 1, seed: 126)
            let addresses = (1...3).map { PeerAddress(host: "liar", port: $0) }
            town.world.playedAddresses = Set(addresses)
            let targets = addresses.map { PeerTarget(address: $0, node: nil, origin: origin) }
            _ = town.world.add(town.stores[0], peers: targets)
            try town.world.start(0)
            town.world.run(milliseconds: 5_000)
            #expect(town.world.playedSessions.count == 3)
            for (seed, session) in town.world.playedSessions.enumerated() {
                let stranger = Stranger(dialledIn: town.world, seed: UInt64(seed), session: session)
                stranger.greet(Stranger.hello(credit: Limits.minimumCreditBytes - 1))
                stranger.run(milliseconds: 200)
                #expect(!stranger.isOpen)
            }
            #expect(town.violations(0).count == (origin == .learned ? 1 : 3))
        }
    }

    @Test func `Whoever floods a node leaves room for its own calls`() throws {
        let town = try Town(nodes: 1, seed: 99)
        try town.startAll()
        let strangers = (0..<UInt64(Limits.sessionsCount)).map { number in
            let stranger = Stranger(town.world, seed: 200 + number, host: "2001:db8::\(number)")
            stranger.greet()
            return stranger
        }
        #expect(strangers.count(where: \.isOpen) == Limits.incomingSessionsCount)
        let dialled = Stranger(dialledIn: town.world, seed: 1)
        dialled.greet()
        #expect(dialled.isOpen)
    }

    @Test func `One host leaves room for newcomers from others`() throws {
        let town = try Town(nodes: 1, seed: 100)
        try town.startAll()
        let sessions = (0..<8).map { town.world.openRaw(to: 0, host: "2001:db8:0:7::\($0)") }
        town.world.run(milliseconds: 100)
        #expect(sessions.count(where: town.world.isOpen) == Limits.strangersPerHostCount)
        let newcomer = Stranger(town.world, host: "2001:db8:0:8::1")
        newcomer.greet()
        #expect(newcomer.isOpen)
        let local = (0..<8).map { _ in town.world.openRaw(to: 0, host: "127.0.0.1") }
        town.world.run(milliseconds: 100)
        #expect(local.allSatisfy(town.world.isOpen))
    }

    @Test func `A line with many networks leaves room for newcomers from others, and for its own`() throws {
        let town = try Town(nodes: 1, seed: 125)
        try town.startAll()
        let sessions = (0..<20).map { town.world.openRaw(to: 0, host: "2001:db8:7:\($0)::1") }
        town.world.run(milliseconds: 100)
        #expect(sessions.count(where: town.world.isOpen) == Limits.strangersPerSiteCount)
        let newcomer = Stranger(town.world, seed: 1, host: "2001:db8:8::1")
        newcomer.greet()
        #expect(newcomer.isOpen)
        // Those that say nothing make room for the next of their site.
        town.world.run(milliseconds: Limits.strangerMilliseconds)
        let neighbour = Stranger(town.world, seed: 2, host: "2001:db8:7:ff::1")
        neighbour.greet()
        #expect(neighbour.isOpen)
        #expect(sessions.count(where: town.world.isOpen) == Limits.strangersPerSiteCount - 1)
    }
}
