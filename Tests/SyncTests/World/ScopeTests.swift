import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes that do not carry everything (`protocol/sync.md` §3).
struct ScopeTests {
    /// Four writers; the second node carries itself and the third, the others everything.
    private func row(seed: UInt64, posts: Int = 3) throws -> Town {
        let town = try Town(nodes: 4, seed: seed)
        for node in 0..<4 {
            for post in 0..<posts { try town.write("\(node) \(post)", on: node) }
        }
        town.link(0, 1)
        town.link(2, 1)
        town.link(3, 2)
        try town.startAll(carrying: [1: town.people(1, 2)])
        return town
    }

    private func sizes(_ town: Town, _ node: Int) -> [UInt64] {
        town.authors.map { town.stores[node].size($0.log) }
    }

    @Test func `What is outside of a scope does not come and does not pass`() throws {
        let town = try row(seed: 1_001)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 5_000)
        #expect(sizes(town, 1) == [0, 3, 3, 0])
        #expect(sizes(town, 0) == [3, 3, 3, 0], "the fourth writer does not pass the second node")
        #expect(sizes(town, 2) == [0, 3, 3, 3])
        #expect((0..<4).flatMap(town.violations).isEmpty)
        #expect(town.reports(0).contains(.caughtUp(town.world.id(1))))
    }

    @Test func `Pushes keep to the common scope`() throws {
        let town = try row(seed: 1_002)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        for node in 0..<4 { try town.write("live", on: node) }
        town.world.run(milliseconds: 2_000)
        #expect(town.isInStep())
        #expect(sizes(town, 1) == [0, 4, 4, 0])
        #expect(sizes(town, 0) == [4, 4, 4, 0])
        #expect(sizes(town, 3) == [0, 4, 4, 4])
    }

    @Test func `What nobody supplies is not asked of who does not carry it`() throws {
        let town = try Town(nodes: 1, seed: 1_020)
        var author = Author(seed: 60, network: town.network)
        try town.plant([author.write("held", at: 1)], on: 0)
        try town.startAll()
        let liar = Stranger(town.world, seed: 1, host: "liar")
        liar.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        liar.serve(LightStore())
        let other = Stranger(town.world, seed: 2, host: "other")
        other.greet(Stranger.hello(version: 2, scope: town.people(0), features: [Hello.scopes]))
        liar.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: nil)))
        for _ in 0..<20 {
            liar.run(milliseconds: 500)
            other.run(milliseconds: 500)
        }
        #expect(other.wants.isEmpty)
        #expect(liar.wants.count { $0.log == author.log } >= 4, "later and later")
    }

    @Test func `What changes outside is not even heard of`() throws {
        let town = try Town(nodes: 2, seed: 1_003)
        var other = Author(seed: 50, network: town.network)
        town.link(1, 0)
        try town.startAll(carrying: [1: town.people(0, 1)])
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.run(milliseconds: 1_000)
        let before = try #require(town.status(1)?.sessions.first?.bytesReceived)
        for number in 0..<20 {
            let chunk = other.write("flood", at: 2).unverified
            stranger.send(.chunks(Chunks(chunks: [chunk], number: UInt64(number + 1))))
            stranger.run(milliseconds: 300)
        }
        let after = try #require(town.status(1)?.sessions.first?.bytesReceived)
        // 6 s: at most one word that the node lives.
        #expect(after - before < 100)
        #expect(town.stores[0].size(other.log) == 20)
        #expect(town.status(1)?.sessions.allSatisfy(\.isEqual) == true)
    }

    @Test func `A scope that grows is reconciled`() throws {
        let town = try row(seed: 1_004)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        town.world.carry(town.people(1, 2, 3), on: 1)
        let has = { town.stores[1].size(town.authors[3].log) == 3 && town.stores[0].size(town.authors[3].log) == 3 }
        #expect(town.world.run(until: has, withinMilliseconds: 60_000))
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        #expect(sizes(town, 1) == [0, 3, 3, 3])
        #expect((0..<4).flatMap(town.violations).isEmpty)
    }

    @Test func `A scope that shrinks keeps what it has and speaks of it no more`() throws {
        let town = try row(seed: 1_005)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        town.world.carry(town.people(1), on: 1)
        #expect(town.world.run(until: { !town.isInStep() }, withinMilliseconds: 1_000))
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        try town.write("unheard", on: 2)
        town.world.run(milliseconds: 60_000)
        #expect(town.isInStep())
        #expect(sizes(town, 1) == [0, 3, 3, 0])
        #expect(sizes(town, 0) == [3, 3, 3, 0])
        #expect(town.status(1)?.logs == 2, "what was held is held")
    }

    @Test func `A stranger that does not reconcile gets a list from a node that carries less, too`() throws {
        let town = try Town(nodes: 1, seed: 1_021)
        for post in 0..<3 { try town.write("\(post)", on: 0) }
        try town.startAll(carrying: [0: town.people(0)])
        let leaf = Stranger(town.world)
        leaf.greet(Stranger.hello(version: 2, features: [Hello.scopes], logs: 0))
        leaf.run(milliseconds: 1_000)
        #expect(leaf.changes.flatMap(\.logs).map(\.log) == [town.authors[0].log])
        #expect(!leaf.inbox.contains { if case .reconcile = $0 { true } else { false } })
    }

    @Test func `A scope that grows during a reconciliation is reconciled anew`() throws {
        let town = try Town(nodes: 2, seed: 1_006) { $0.latencyMilliseconds = 150...150 }
        let crowd = (0..<300).map { Author(seed: 5_000 + UInt64($0), network: town.network) }
        for var author in crowd {
            let old = author.write("old", at: 1_000)
            for node in 0..<2 { try town.plant([old], on: node) }
            try town.plant([author.write("new", at: 2_000)], on: 0)
        }
        let people = crowd.map(\.certificate.certificate.identity)
        town.link(1, 0)
        try town.startAll(carrying: [1: .identities(Set(people.prefix(200)))])
        let isReconciling = { town.world.nodes[1].machine?.links.values.contains { !$0.asker.isIdle } == true }
        #expect(town.world.run(until: isReconciling, withinMilliseconds: 10_000))
        town.world.carry(.identities(Set(people)), on: 1)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 120_000))
        #expect(crowd.allSatisfy { town.stores[1].size($0.log) == 2 })
        #expect((0..<2).flatMap(town.violations).isEmpty)
    }

    @Test func `Many changes in a row end the connections twice`() throws {
        let town = try row(seed: 1_007)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        let before = town.reports(0).count { if case .lost = $0 { true } else { false } }
        for count in 0..<10 {
            let more = (0..<count).map { Author(seed: 900 + UInt64($0), network: town.network) }
            let people = Set(more.map(\.certificate.certificate.identity) + [town.person(1), town.person(3)])
            town.world.carry(.identities(people), on: 1)
            town.world.run(milliseconds: 200)
        }
        town.world.run(milliseconds: 60_000)
        let after = town.reports(0).count { if case .lost = $0 { true } else { false } }
        #expect(after - before == 2)
        #expect(town.isInStep())
        #expect(town.stores[1].size(town.authors[3].log) == 3)
    }

    // MARK: Cursors

    @Test func `A cursor holds for its common scope alone`() throws {
        let town = try row(seed: 1_008)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 40_000)
        let stored = try #require(town.stores[1].cursor(of: town.world.id(2)))
        #expect(stored.scope == town.people(1, 2).digest)
        town.world.cut(1, 2)
        town.world.run(milliseconds: 100)
        town.world.heal(1, 2)
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        let isOwing = { town.world.nodes[2].machine?.links.values.contains(where: \.owesReconciliation) == true }
        #expect(!town.world.run(until: isOwing, withinMilliseconds: 1_000), "the cursor is known")
        // The same numbers, of another scope: nothing was said of what is new in it.
        town.world.carry(.identities([town.person(1), town.person(2), town.person(0)]), on: 1)
        #expect(town.world.run(until: isOwing, withinMilliseconds: 10_000))
    }

    // MARK: What is asked of outside

    @Test func `What lies outside is lacking`() throws {
        let town = try Town(nodes: 1, seed: 1_009)
        var inside = Author(seed: 60, network: town.network)
        var outside = Author(seed: 61, network: town.network)
        try town.plant([inside.write("inside", at: 1)], on: 0)
        try town.plant((0..<3).map { outside.write("\($0)", at: 1) }, on: 0)
        try town.startAll()
        let stranger = Stranger(town.world, to: 0)
        let scope = Scope.identities([inside.certificate.certificate.identity])
        stranger.greet(Stranger.hello(version: 2, scope: scope, features: [Hello.scopes]))
        let log = outside.log
        stranger.send(
            .want([
                RangeWant(log: log, from: 0, certificate: .send),
                RangeWant(log: inside.log, from: 0, certificate: .send),
            ]),
            .bodiesWanted([BodyPlace(log: log, sequence: 0), BodyPlace(log: inside.log, sequence: 0)]),
            .prefixWanted(PrefixQuestion(log: log, end: 2)),
            .nodesWanted(NodesQuestion(log: log, place: TreePlace(level: 1, index: 0)))
        )
        stranger.run(milliseconds: 1_000)
        #expect(stranger.changes.flatMap(\.logs).map(\.log) == [inside.log])
        #expect(stranger.chunks.flatMap(\.lacking) == [log])
        #expect(stranger.chunks.flatMap(\.chunks).map(\.log) == [inside.log])
        let bodies = stranger.inbox.flatMap { message -> [BodyAnswer] in
            if case .bodies(let answers) = message { answers } else { [] }
        }
        #expect(bodies.filter { $0.payload != nil }.map(\.place.log) == [inside.log])
        #expect(stranger.inbox.contains(.prefix(PrefixAnswer(log: log, end: 2, nodes: []))))
        let isSilent = stranger.inbox.contains {
            if case .nodes(let answer) = $0 { answer.hashes.isEmpty } else { false }
        }
        #expect(isSilent)
        let word = try #require(stranger.keepAlives.last { $0.activity == .quiet })
        #expect(word.count == 1)
        #expect(stranger.isOpen)
    }

    @Test func `What comes from outside is dropped without blame`() throws {
        let town = try Town(nodes: 1, seed: 1_010)
        try town.startAll(carrying: [0: town.people(0)])
        let holder = LightStore()
        var outside = Author(seed: 61, network: town.network)
        for post in 0..<3 { _ = try holder.append(outside.write("\(post)", at: 1)) }
        let stranger = Stranger(town.world)
        stranger.serve(holder)
        stranger.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        stranger.send(.changes(Changes(logs: [LogSize(log: outside.log, size: 3)], number: 1)))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.wants.map(\.log) == [outside.log], "whose it is only the certificate tells")
        #expect(town.stores[0].size(outside.log) == 0)
        stranger.forget()
        stranger.send(.changes(Changes(logs: [LogSize(log: outside.log, size: 4)], number: 2)))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.wants.isEmpty, "it is not asked for again")
        #expect(stranger.isOpen && town.violations(0).isEmpty)
        #expect(town.status(0)?.wantedLogs == 0)
    }

    @Test func `History is asked of those who carry it`() throws {
        let town = try Town(nodes: 1, seed: 1_017)
        try town.startAll()
        let holder = LightStore()
        var writer = Author(seed: 61, network: town.network)
        let count = Limits.windowEntries + 10
        _ = try holder.append(writer.write((0..<count).map { Array("\($0)".utf8) }, at: 1))
        let both: Set = [Hello.windows, Hello.scopes]
        let relay = Stranger(town.world)
        relay.serve(holder)
        let serve = relay.answer
        relay.answer = { [log = writer.log] message in
            guard case .want(let wants) = message, wants.first?.extent == .until(10) else { return serve(message) }
            var answer = Chunks()
            answer.lackingBefore = [log]
            return [.chunks(answer)]
        }
        relay.greet(Stranger.hello(version: 2, features: both))
        relay.send(.changes(Changes(logs: [LogSize(log: writer.log, size: count)], number: 1)))
        relay.run(milliseconds: 1_000)
        #expect(town.stores[0].gaps == [GapPlace(log: writer.log, bounds: 0..<10)])
        let other = Stranger(town.world, seed: 78)
        other.greet(Stranger.hello(version: 2, scope: town.people(0), features: both))
        other.run(milliseconds: 2_000)
        #expect(other.wants.isEmpty)
        let plain = Stranger(town.world, seed: 80)
        plain.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        plain.run(milliseconds: 2_000)
        #expect(plain.wants.isEmpty, "it knows no windows")
        let last = Stranger(town.world, seed: 79)
        last.greet(
            Stranger.hello(version: 2, scope: .identities([writer.certificate.certificate.identity]), features: both)
        )
        last.run(milliseconds: 2_000)
        #expect(last.wants.map(\.extent) == [.until(10)])
    }

    @Test func `A strangers certificate keeps nobodys log away`() throws {
        let town = try Town(nodes: 1, seed: 1_016)
        var friend = Author(seed: 62, network: town.network)
        var outside = Author(seed: 61, network: town.network)
        let friends = Scope.identities([friend.certificate.certificate.identity])
        try town.startAll(carrying: [0: friends])
        let holder = LightStore()
        _ = try holder.append(friend.write("inside", at: 1))
        let wants = [RangeWant(log: friend.log, from: 0, certificate: .send)]
        guard case .chunk(let chunk)? = try holder.ranges(wants, byteLimit: 65_536).first else {
            Issue.record("the holder has it")
            return
        }
        let claim = chunk.with(certificate: outside.write("outside", at: 1).certificate.bytes)
        let liar = Stranger(town.world)
        liar.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        liar.send(.chunks(Chunks(chunks: [claim])))
        liar.run(milliseconds: 500)
        let honest = Stranger(town.world, seed: 78)
        honest.serve(holder)
        honest.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        honest.send(.changes(Changes(logs: [LogSize(log: friend.log, size: 1)], number: 1)))
        honest.run(milliseconds: 2_000)
        #expect(town.stores[0].size(friend.log) == 1)
    }

    @Test func `Of a log outside no words are told and none are heard`() throws {
        let town = try Town(nodes: 2, seed: 1_015) { $0.trace = .on }
        var writer = ForkedWriter(seed: 61, network: town.network)
        writer.branch(7)
        writer.branch(9, from: 0, at: 4)
        try town.take(writer.batch(0), on: 0)
        town.link(1, 0)
        try town.startAll(carrying: [1: town.people(0, 1)])
        #expect(town.world.run(until: town.isInStep, withinMilliseconds: 60_000))
        let words = writer.saying(
            settlement: writer.settlement(0, 3).bytes,
            evidence: writer.evidence(0, 1, at: 4).bytes,
            certificate: writer.author.certificate,
            log: nil
        )
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.send(.changes(words))
        stranger.run(milliseconds: 1_000)
        #expect(town.stores[0].size(writer.log) == 3, "who carries it takes it")
        #expect(town.world.nodes[1].machine?.links.values.first?.heardMarks.isEmpty == true, "and does not tell it")
        let other = Stranger(town.world, to: 1, seed: 78)
        other.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        other.send(.changes(words))
        other.run(milliseconds: 1_000)
        #expect(!town.world.trace.contains { $0.contains(" 1 > checkWords(") }, "who does not drops it unread")
        #expect(town.world.nodes[1].machine?.standings.isEmpty == true)
        #expect(other.isOpen)
    }

    // MARK: Who does not know scopes

    @Test func `A peer that does not know scopes is told so`() throws {
        let town = try Town(nodes: 1, seed: 1_011)
        try town.startAll(carrying: [0: town.people(0)])
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.run(milliseconds: 100)
        #expect(!stranger.isOpen)
        #expect(stranger.goodbye == .scopeNotServed)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `A scope takes the feature and version two`() throws {
        let town = try Town(nodes: 1, seed: 1_012)
        try town.startAll()
        let scope = town.people(0)
        let hellos = [
            Stranger.hello(version: 2, scope: scope),
            Stranger.hello(version: 1, scope: scope, features: [Hello.scopes]),
        ]
        for (number, hello) in hellos.enumerated() {
            let stranger = Stranger(town.world, seed: 80 + UInt64(number))
            stranger.greet(hello)
            stranger.run(milliseconds: 100)
            #expect(!stranger.isOpen && stranger.goodbye == .scopeNotServed)
        }
        let other = Stranger(town.world, seed: 90)
        other.greet(Stranger.hello(version: 2, scope: scope, features: [Hello.scopes, 77]))
        other.run(milliseconds: 100)
        #expect(other.isOpen)
    }

    // MARK: The own log

    @Test func `Who does not carry me holds my posts up for nobody`() throws {
        let town = try Town(nodes: 3, seed: 1_013)
        town.link(0, 1)
        try town.startAll(carrying: [1: town.people(1)])
        #expect(
            town.world.run(until: { town.status(0)?.sessions.first?.isEqual == true }, withinMilliseconds: 10_000)
        )
        try town.write("mine", on: 0)
        town.world.run(milliseconds: 2_000)
        #expect(town.status(0)?.sessions.first?.isEqual == true, "the link is quiet all the same")
        #expect(town.stores[0].published == 0, "it went nowhere, and nobody said that it may")
        town.world.connect(2, 0)
        let has = { town.stores[2].size(town.authors[0].log) == 1 }
        #expect(town.world.run(until: has, withinMilliseconds: 10_000))
    }

    @Test func `What is known of my log is shown whatever is carried`() throws {
        let town = try Town(nodes: 2, seed: 1_014)
        town.link(0, 1)
        // The other node has more of the log, from before the home was restored, and carries it no more.
        var twin = town.authors[0]
        let time = town.world.moment.wallMilliseconds
        for post in 0..<3 { try town.write("\(post)", on: 0) }
        try town.plant(["0", "1", "2", "more"].map { twin.write($0, at: time) }, on: 1)
        try town.startAll(carrying: [1: town.people(1)])
        let isStopped = { town.world.nodes[0].machine?.isSigningStopped == true }
        #expect(town.world.run(until: isStopped, withinMilliseconds: 30_000))
        #expect(town.world.nodes[0].stoppedSigning.count == 1)
        #expect((0..<2).flatMap(town.violations).isEmpty)
    }

    /// A gap here may hide what the asker met; but that there is a log with a gap is said to nobody outside its scope.
    @Test func `Of a log that is not shared nobody is asked for a prefix`() throws {
        let town = try Town(nodes: 1, seed: 1_021)
        try town.startAll()
        let author = Author(seed: 61, network: town.network)
        let root = Author.bytes(1, "root")
        let row = FrontierRow(
            identity: author.certificate.certificate.identity,
            item: FrontierItem(log: author.log, size: 20, root: root),
            time: 1,
            number: 1,
            source: nil
        )
        var report = TakeReport.nothing
        report.changes = [row]
        report.stored = [LogSize(log: author.log, size: 20)]
        report.gaps = [GapPlace(log: author.log, bounds: 0..<10)]
        town.world.give(0, .settled(report))
        let whole = Stranger(town.world, seed: 1, host: "whole")
        whole.greet(Stranger.hello(version: 2, features: [Hello.scopes]))
        let narrow = Stranger(town.world, seed: 2, host: "narrow")
        narrow.greet(Stranger.hello(version: 2, scope: town.people(0), features: [Hello.scopes]))
        for stranger in [whole, narrow] {
            stranger.send(.prefixWanted(PrefixQuestion(log: author.log, end: 5)))
            stranger.run(milliseconds: 500)
            #expect(stranger.isOpen && stranger.prefixes.map(\.nodes) == [[]])
        }
        let asked = [whole, narrow].map { stranger in
            stranger.inbox.contains { if case .prefixWanted = $0 { true } else { false } }
        }
        #expect(asked == [true, false])
    }
}
