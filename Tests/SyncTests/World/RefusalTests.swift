import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What one side will not have, and says so: how that is told, and when it is tried again.
struct RefusalTests {
    @Test func `Who knows no scopes is dialled after ten minutes and said`() throws {
        let town = try Town(nodes: 2, seed: 3_001)
        town.link(0, 1)
        try town.startAll(old: [1], carrying: [0: town.people(0)])
        town.world.run(milliseconds: 300_000)
        let refusals = town.reports(0).filter {
            if case .refused(_, _, .scopeNotServed, _) = $0 { true } else { false }
        }
        #expect(refusals.count == 1, "not hammered")
        let target = try #require(town.status(0)?.targets.first)
        #expect(target.refusal == .scopeNotServed)
        guard case .waiting(let until, _) = target.state else {
            Issue.record("it is not waited for")
            return
        }
        #expect(until >= 600_000 && until < 602_000)
        #expect((0..<2).flatMap(town.violations).isEmpty)
        town.world.run(milliseconds: 400_000)
        let again = town.reports(0).filter { if case .refused = $0 { true } else { false } }
        #expect(again.count == 2)
        // What helps, helps at once.
        town.world.carry(.everything, on: 0)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.status(0)?.targets.first?.refusal == nil)
    }

    @Test func `Who does not speak the version is dialled after ten minutes`() throws {
        let town = try Town(nodes: 1, seed: 3_002)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        stranger.greet(Stranger.hello(version: 9, oldestVersion: 9))
        stranger.run(milliseconds: 100)
        #expect(!stranger.isOpen && stranger.goodbye == .noCommonVersion)
        let isTold = town.reports(0).contains {
            if case .noCommonVersion(stranger.id, _, oldest: 9, listing: _) = $0 { true } else { false }
        }
        #expect(isTold)
    }

    /// A node id costs nothing, so it is no bound to what is said.
    @Test func `Of strangers of one host, whatever their keys, one is told of in ten minutes`() throws {
        let town = try Town(nodes: 1, seed: 3_006)
        try town.startAll()
        func call(_ seeds: Range<UInt64>, from host: String) {
            for seed in seeds {
                let stranger = Stranger(town.world, seed: seed, host: host)
                stranger.greet(Stranger.hello(version: 99, oldestVersion: 50))
                #expect(stranger.goodbye == .noCommonVersion)
            }
        }
        func told() -> Int {
            town.reports(0).count { if case .noCommonVersion = $0 { true } else { false } }
        }
        call(500..<520, from: "192.0.2.1")
        #expect(told() == 1)
        call(520..<522, from: "192.0.2.2")
        #expect(told() == 2, "another host is told of")
        town.world.run(milliseconds: UInt64(Limits.penaltyMilliseconds))
        call(522..<524, from: "192.0.2.1")
        #expect(told() == 3)
    }

    @Test func `Who breaks the protocol with one key after another is told of once`() throws {
        let town = try Town(nodes: 1, seed: 3_007)
        try town.startAll()
        for seed in UInt64(500)..<510 {
            let stranger = Stranger(town.world, seed: seed)
            stranger.greet()
            stranger.send(.hello(Stranger.hello()))
            stranger.run(milliseconds: 100)
            #expect(!stranger.isOpen)
        }
        #expect(town.violations(0) == [.secondHello])
    }

    @Test func `A reason that nobody knows ends a connection like any other`() throws {
        // To a program from before scopes, 7 is such a reason.
        for reason: UInt32 in [0, 9, 4_242, .max] {
            let town = try Town(nodes: 1, seed: 3_005)
            try town.startAll()
            let stranger = Stranger(town.world)
            stranger.greet()
            stranger.send(.goodbye(.unknown(reason)))
            stranger.run(milliseconds: 100)
            #expect(!stranger.isOpen && stranger.goodbye == nil && town.violations(0).isEmpty)
            let isTold = town.reports(0).contains {
                if case .lost(stranger.id, _, .goodbye(.unknown(reason))) = $0 { true } else { false }
            }
            #expect(isTold)
            let again = Stranger(town.world)
            again.greet()
            #expect(again.isOpen, "nothing is held against it")
        }
    }

    @Test func `A full node is said`() throws {
        let town = try Town(nodes: 1, seed: 3_003)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        stranger.greet()
        stranger.send(.goodbye(.tooManyPeers))
        stranger.run(milliseconds: 100)
        let isSaid = town.reports(0).contains {
            if case .refused(stranger.id, _, .tooManyPeers, by: .peer) = $0 { true } else { false }
        }
        #expect(isSaid)
    }

    @Test func `What a peer offered and lacks is counted`() throws {
        let town = try Town(nodes: 1, seed: 3_004)
        var author = Author(seed: 44, network: town.network)
        try town.plant([author.write("held", at: 1)], on: 0)
        let log = author.log
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.answer = { message in
            guard case .want(let wants) = message else { return [] }
            return [.chunks(Chunks(lacking: wants.map(\.log)))]
        }
        stranger.greet()
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: 4)], number: 1)))
        stranger.run(milliseconds: 500)
        #expect(town.status(0)?.sessions.first?.lackedLogs == 1)
        #expect(town.status(0)?.unsuppliedLogs == 1)
    }
}
