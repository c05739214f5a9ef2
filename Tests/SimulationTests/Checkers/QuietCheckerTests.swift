import Entries
import Simulation
import Sync
import Testing

/// What may be said when nothing is new, and what may not.
@Suite struct QuietCheckerTests {
    @Test func `Quiet sees who talks on`() throws {
        var options = TrialOptions(seed: 2)
        options.nodes = 2
        options.hours = 0.1
        options.faults = []
        let trial = try Trial(options)
        _ = try trial.run()
        var scene = try CheckerScene()
        // All that was said, the meeting too.
        scene.aftermath.sites[0].quiet.spoken = trial.sites[0].spoken
        scene.expect(QuietChecker.self)
    }

    @Test func `Quiet sees what is on the wire whatever nodes say`() throws {
        var scene = try CheckerScene()
        var hour = QuietHour()
        hour.milliseconds = 3_600_000
        hour.sessions = 3
        hour.wire.pieces = 3 * 120
        hour.wire.bytes = 3 * 120 * 60
        func look(_ change: (inout QuietHour) -> Void) -> [String] {
            var changed = hour
            change(&changed)
            scene.aftermath.sites[1].quiet = changed
            return QuietChecker.look(at: scene.aftermath)
        }
        #expect(look { _ in } == [], "keep-alives")
        #expect(look { $0.wire.pieces *= 2 }.count == 1)
        #expect(look { $0.wire.bytes *= 2 }.count == 1)
        #expect(look { $0.wire.opened = 1 }.count == 1)
        #expect(look { $0.wire.closed = 1 }.count == 1)
        #expect(look { $0.wire.dials = 1 }.count == 1, "nobody answered")
        #expect(look { $0.sessions = 1 }.count == 2, "so much for one connection")
    }

    @Test func `Quiet sees a store that is asked for nobody`() throws {
        var scene = try CheckerScene()
        let effect = NodeEffect.readPrefix(RequestID(raw: 1), scene.log, end: 1)
        scene.aftermath.sites[1].quiet.asked.count(effect)
        scene.expect(QuietChecker.self)
        scene.aftermath.hadLiars = true
        scene.aftermath.sites[0].wantedLogs = 1
        #expect(QuietChecker.look(at: scene.aftermath) == [], "somebody lacks something")
        for _ in 0..<100 { scene.aftermath.sites[1].quiet.asked.count(effect) }
        scene.expect(QuietChecker.self)
    }

    @Test func `Quiet allows questions for what is lacked only`() throws {
        let want = try Self.spoken(.want([]), times: 10)
        let answer = try Self.spoken(.chunks([], lacking: [], number: nil), times: 10)
        var scene = try CheckerScene()
        scene.aftermath.hadLiars = true
        scene.aftermath.sites[0].quiet.spoken = want
        scene.aftermath.sites[1].quiet.spoken = answer
        #expect(QuietChecker.look(at: scene.aftermath).count == 2, "nobody lacks anything")
        scene.aftermath.sites[0].wantedLogs = 1
        #expect(QuietChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].quiet.spoken = want
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "another's lack is no reason to ask")
        scene.aftermath.sites[2].quiet.spoken = SpokenMessages()
        scene.aftermath.sites[0].quiet.spoken.add(answer)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "nor the own one to answer")
    }

    @Test func `Quiet allows questions for what went with a home that left`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[0].wantedLogs = 1
        scene.aftermath.sites[0].quiet.spoken = try Self.spoken(.want([]), times: 3)
        scene.expect(QuietChecker.self)
        scene.aftermath.ledger.leave(scene.log, from: 4)
        #expect(QuietChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[1].quiet.spoken = try Self.spoken(.want([]), times: 3)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "that one lacks nothing")
    }

    @Test func `Quiet allows each peer to be asked for a body four times`() throws {
        var scene = try CheckerScene()
        scene.aftermath.hadLiars = true
        scene.aftermath.sites[0].missingBodies = [BodyPlace(log: scene.log, sequence: 1)]
        scene.aftermath.sites[0].quiet.sessions = 5
        for (count, isQuiet) in [(20, true), (21, false)] {
            var spoken = SpokenMessages()
            for _ in 0..<count { spoken.count(Frame(type: 8, body: [])) }
            scene.aftermath.sites[0].quiet.spoken = spoken
            #expect(QuietChecker.look(at: scene.aftermath).isEmpty == isQuiet, "\(count)")
        }
    }

    @Test func `Quiet allows questions about peers every half hour`() throws {
        var question = SpokenMessages()
        question.count(Frame(type: 13, body: []))
        var answer = SpokenMessages()
        answer.count(Frame(type: 14, body: []))
        var scene = try CheckerScene()
        for place in 0..<3 { scene.aftermath.sites[place].quiet.milliseconds = 3_600_000 }
        for _ in 0..<3 { scene.aftermath.sites[0].quiet.spoken.add(question) }
        for _ in 0..<3 { scene.aftermath.sites[1].quiet.spoken.add(answer) }
        #expect(QuietChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].quiet.spoken = answer
        #expect(QuietChecker.look(at: scene.aftermath) == [], "the answers of all together are not counted")
        scene.aftermath.sites[1].quiet.spoken.add(answer)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "nobody asked so often")
        scene.aftermath.sites[1].quiet.spoken = SpokenMessages()
        scene.aftermath.sites[0].quiet.spoken.add(question)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "four times an hour is too often")
        scene.aftermath.sites[1].quiet.spoken = question
        scene.aftermath.sites[1].quiet.spoken.add(answer)
        scene.aftermath.sites[0].quiet.spoken = SpokenMessages()
        scene.aftermath.sites[2].quiet.spoken = SpokenMessages()
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "its own question is not answered by itself")
    }

    private static func spoken(_ words: Utterance, times: Int) throws -> SpokenMessages {
        var spoken = SpokenMessages()
        for _ in 0..<times { spoken.count(words.frame) }
        return spoken
    }
}
