import Entries
import Simulation
import Sodium
import Sync
import Testing

/// Each checker is handed a world in which what it looks for was planted, and one in which it was not.
@Suite struct CheckerTests {
    @Test func `A good world is good`() throws {
        let scene = try CheckerScene()
        #expect(Checkers.findings(in: scene.aftermath) == [])
    }

    @Test func `Convergence sees another fingerprint and a dead node`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].fingerprint = FingerprintSum().fingerprint
        scene.expect(ConvergenceChecker.self)
        scene = try CheckerScene()
        scene.aftermath.sites[2].fingerprint = nil
        scene.expect(ConvergenceChecker.self)
    }

    @Test func `Fingerprint sees an item that is not what is compared`() throws {
        var scene = try CheckerScene()
        let held = try #require(scene.aftermath.sites[0].items[scene.log])
        let parts: [FrontierItem] = [
            FrontierItem(log: scene.log, size: 3, root: held.root),
            FrontierItem(log: scene.log, size: 4, root: .zero),
            FrontierItem(log: scene.log, size: 4, root: held.root, cut: 4),
            FrontierItem(log: scene.log, size: 4, root: held.root, settled: .init(size: 5, root: held.root)),
        ]
        for item in parts {
            #expect(FingerprintChecker.look(at: scene.aftermath) == [])
            for place in 0..<3 { scene.aftermath.sites[place].items[scene.log] = item }
            #expect(FingerprintChecker.look(at: scene.aftermath).count == 3, "\(item)")
            for place in 0..<3 { scene.aftermath.sites[place].items[scene.log] = held }
        }
    }

    @Test func `Authenticity sees what nobody wrote`() throws {
        var scene = try CheckerScene()
        let foreign = scene.foreign(at: 2)
        scene.aftermath.sites[1].entries[scene.log]?[2] = foreign
        scene.expect(AuthenticityChecker.self)
    }

    @Test func `Held sees other entries than the item says`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        scene.expect(HeldChecker.self)
        scene = try CheckerScene()
        let foreign = scene.foreign(at: 0)
        scene.aftermath.sites[2].entries[scene.log]?[0] = foreign
        scene.expect(HeldChecker.self)
    }

    @Test func `Held sees two times of one item`() throws {
        var scene = try CheckerScene()
        for place in 0..<3 { scene.aftermath.sites[place].times[scene.log] = 1_000 }
        #expect(HeldChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].times[scene.log] = 0
        scene.expect(HeldChecker.self)
        scene.aftermath.sites[2].gaps[scene.log] = 3..<4
        scene.aftermath.sites[2].entries[scene.log]?.removeLast()
        #expect(HeldChecker.look(at: scene.aftermath) == [], "the last entry is not here")
    }

    @Test func `Authenticity sees a log that its person never had`() throws {
        var scene = try CheckerScene()
        let other = LogID(raw: Author.bytes(7, "log"))
        scene.aftermath.sites[1].entries[other] = [scene.foreign(at: 0)]
        scene.aftermath.sites[1].identities[other] = IdentityID(raw: Author.bytes(7, "somebody"))
        #expect(AuthenticityChecker.look(at: scene.aftermath) == [], "anybody may write")
        scene.aftermath.sites[1].identities[other] = scene.identity
        scene.expect(AuthenticityChecker.self)
    }

    @Test func `Held lets a gap be but nothing else in it`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].gaps[scene.log] = 1..<3
        scene.expect(HeldChecker.self)
        scene.aftermath.sites[1].entries[scene.log]?.removeSubrange(1..<3)
        #expect(HeldChecker.look(at: scene.aftermath) == [])
        #expect(scene.aftermath.sites[1].entry(0, of: scene.log)?.id == scene.entries[0].id)
        #expect(scene.aftermath.sites[1].entry(2, of: scene.log) == nil)
        #expect(scene.aftermath.sites[1].entry(3, of: scene.log)?.id == scene.entries[3].id)
        #expect(scene.aftermath.sites[1].entry(4, of: scene.log) == nil)
        let foreign = scene.foreign(at: 3)
        scene.aftermath.sites[1].entries[scene.log]?[1] = foreign
        scene.expect(HeldChecker.self)
    }

    @Test func `Healing sees a network that agrees late or never`() {
        #expect(Finding.late(1_000, bound: 1_000) == [])
        #expect(Finding.late(1_001, bound: 1_000).count == 1)
        #expect(Finding.late(nil, bound: 1_000).count == 1)
    }

    @Test func `Limits sees a queue that is too long`() throws {
        var scene = try CheckerScene()
        #expect(LimitsChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[1].peakLoad[.queuedBytes] = 1 << 30
        scene.expect(LimitsChecker.self)
        for kind in NodeLoad.Kind.allCases {
            var load = NodeLoad()
            let bound = UInt64(kind.bound(NodeBounds()))
            load[kind] = bound
            #expect(load.exceeded(NodeBounds()) == [])
            load[kind] = bound + 1
            #expect(load.exceeded(NodeBounds()) == ["\(kind): \(bound + 1) > \(bound)"])
        }
    }

    @Test func `Violation sees honest nodes that part`() throws {
        var scene = try CheckerScene()
        let liar = NodeID(raw: Author.bytes(9, "liar"))
        scene.aftermath.violations = [ReportedViolation(by: 0, of: liar, address: nil, violation: "badProof")]
        #expect(ViolationChecker.look(at: scene.aftermath) == [])
        scene.aftermath.violations = [
            ReportedViolation(by: 0, of: scene.aftermath.sites[1].node, address: nil, violation: "badProof")
        ]
        scene.expect(ViolationChecker.self)
        scene.aftermath.sites.remove(at: 1)
        #expect(ViolationChecker.look(at: scene.aftermath).count == 1, "it left after that")
    }
}
