import Entries
import Simulation
import Sodium
import Storage
import Sync
import Testing

/// Nodes show something else than what they hold says, or not the same of a forked log.
@Suite struct FoldCheckerTests {
    @Test func `Fold sees another feed and two folds of the same`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].shown = .init(feed: [], posts: [:], following: [:])
        scene.expect(FoldChecker.self)
        scene = try CheckerScene()
        scene.aftermath.sites[2].entries[scene.log]?.removeLast()
        scene.expect(FoldChecker.self)
    }

    @Test func `Fold compares what is whole beside what is not`() throws {
        var scene = try CheckerScene()
        let (log, other) = try scene.addStranger()
        // A node lacks a part of one log, and another holds something else of the other.
        scene.leaveOut(1..<3, at: 0)
        scene.aftermath.sites[2].fingerprint = nil
        #expect(FoldChecker.look(at: scene.aftermath) == [], "a gap is none of its business")
        scene.aftermath.sites[2].entries[log]?[0] = other
        scene.expect(FoldChecker.self)
        scene.aftermath.sites[2].missingBodies = [BodyPlace(log: log, sequence: 0)]
        #expect(FoldChecker.look(at: scene.aftermath) == [], "a body is missing there")
    }

    @Test func `Forked log sees two folds`() throws {
        var scene = try CheckerScene()
        let (log, other) = try scene.addStranger()
        scene.aftermath.ledger.forked.insert(log)
        // Whatever else is missing.
        for place in 0..<3 { scene.leaveOut(1..<3, at: place) }
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].entries[log]?[0] = other
        scene.expect(ForkedLogChecker.self)
    }

    @Test func `Forked log sees that it is asked for again`() throws {
        var scene = try CheckerScene()
        scene.aftermath.ledger.forked.insert(scene.log)
        let want = RangeWant(log: scene.log, from: 2, certificate: .known)
        scene.aftermath.sites[1].quiet.asked.count(.readRanges(RequestID(raw: 1), [want], byteLimit: 1))
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [], "nobody knows yet that it forked")
        for place in 0..<3 {
            scene.aftermath.sites[place].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
            scene.aftermath.sites[place].entries[scene.log]?.removeLast(2)
        }
        scene.expect(ForkedLogChecker.self)
        scene.aftermath.sites[1].quiet.asked = AskedLogs()
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [])
        let place = BodyPlace(log: scene.log, sequence: 1)
        scene.aftermath.sites[1].quiet.asked.count(.readBodies(RequestID(raw: 2), [place], byteLimit: 1))
        scene.expect(ForkedLogChecker.self)
        scene.aftermath.sites[2].missingBodies = [place]
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [], "somebody lacks that body")
    }

    @Test func `Forked log may be asked for up to its settled end`() throws {
        var scene = try CheckerScene()
        scene.aftermath.ledger.forked.insert(scene.log)
        let want = RangeWant(log: scene.log, from: 4, certificate: .known)
        scene.aftermath.sites[1].quiet.asked.count(.readRanges(RequestID(raw: 1), [want], byteLimit: 1))
        func settle(at size: UInt64, cut: UInt64? = nil) {
            for place in 0..<3 {
                scene.aftermath.sites[place].items[scene.log] = FrontierItem(
                    log: scene.log,
                    size: 4,
                    root: .zero,
                    cut: cut,
                    settled: .init(size: size, root: .zero)
                )
            }
        }
        settle(at: 4)
        scene.expect(ForkedLogChecker.self)
        settle(at: 6, cut: 4)
        scene.expect(ForkedLogChecker.self)
        settle(at: 6)
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [], "the last two were lost with a home")
    }

    @Test func `Forked log sees two items`() throws {
        var scene = try CheckerScene()
        scene.aftermath.ledger.forked.insert(scene.log)
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[0].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
        scene.expect(ForkedLogChecker.self)
    }
}
