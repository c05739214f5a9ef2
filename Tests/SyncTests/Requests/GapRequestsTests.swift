import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct GapRequestsTests {
    private let log = LogID(raw: Author.bytes(1, "log"))
    private let first = SessionID(raw: 1)
    private let second = SessionID(raw: 2)
    private let nodes = [NodeID(raw: Author.bytes(1, "node")), NodeID(raw: Author.bytes(2, "node"))]

    private func chunk(_ bounds: Range<UInt64>, size: UInt64, _ log: LogID? = nil) -> UnverifiedChunk {
        UnverifiedChunk(
            log: log ?? self.log,
            certificate: nil,
            start: bounds.lowerBound,
            count: UInt64(bounds.count),
            size: size,
            proof: .known,
            entries: [],
            right: []
        )
    }

    /// The same under a head: whoever pushes it does not answer.
    private func signed(_ bounds: Range<UInt64>, size: UInt64) -> UnverifiedChunk {
        let known = chunk(bounds, size: size)
        return UnverifiedChunk(
            log: known.log,
            certificate: nil,
            start: known.start,
            count: known.count,
            size: known.size,
            proof: Signature([UInt8](repeating: 0, count: 64)).map { .head($0) } ?? .known,
            entries: [],
            right: []
        )
    }

    @Test func `One peer is asked at a time and each once in a round`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 3..<90)])
        var asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked == [GapPlace(log: log, bounds: 3..<90)])
        #expect(gaps.isBusy(first))
        asked = gaps.ask(second, nodes[1]) { _ in true }
        #expect(asked.isEmpty)
        let lacking = [gaps.lacks(log, second), gaps.lacks(log, first)]
        #expect(lacking == [false, true])
        #expect(!gaps.isBusy(first))
        gaps.endRounds(ready: nodes, now: 0)
        asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.isEmpty)
        asked = gaps.ask(second, nodes[1]) { _ in true }
        #expect(asked.count == 1)
        gaps.release(second)
        gaps.endRounds(ready: nodes, now: 5)
        #expect(gaps.nextDue == 67_500)
        asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.isEmpty)
        gaps.endRounds(ready: nodes, now: 67_499)
        asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.isEmpty)
        gaps.endRounds(ready: nodes, now: 67_500)
        asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.count == 1)
    }

    /// Each look goes through all of them.
    @Test func `Many that nobody has are looked at together`() {
        let logs = (0..<1_000).map { LogID(raw: Author.bytes(UInt64($0), "gap")) }
        var gaps = GapRequests(logs.map { GapPlace(log: $0, bounds: 0..<90) })
        var moments: Set<UInt64> = []
        for now in 0..<UInt64(1_000) {
            for place in gaps.ask(first, nodes[0], isSettled: { _ in true }) {
                let isLacking = gaps.lacks(place.log, first)
                #expect(isLacking, "\(place)")
            }
            gaps.endRounds(ready: [nodes[0]], now: now * 100)
            moments.insert(gaps.nextDue)
        }
        moments.remove(.max)
        #expect(moments.count <= 100 / 7 + 2, "\(moments.count)")
    }

    @Test func `Rounds grow rare until something comes`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<90)])
        var now: UInt64 = 0
        var waits: [UInt64] = []
        for _ in 0..<13 {
            let asked = gaps.ask(first, nodes[0]) { _ in true }
            #expect(asked.count == 1)
            _ = gaps.lacks(log, first)
            gaps.endRounds(ready: [nodes[0]], now: now)
            waits.append(gaps.nextDue - now)
            now = gaps.nextDue
            gaps.endRounds(ready: [nodes[0]], now: now)
        }
        #expect(Array(waits.prefix(3)) == [60_000, 120_000, 240_000])
        #expect(waits.last == 86_400_000)
        _ = gaps.ask(first, nodes[0]) { _ in true }
        let isAnswer = gaps.isAnswer(chunk(0..<50, size: 90), from: first)
        #expect(isAnswer)
        gaps.set(log, 50..<90)
        let isLacking = gaps.lacks(log, first)
        #expect(isLacking)
        // What came lets everybody be asked anew, at once, but who gave it and has no more.
        let isAsked = [gaps.ask(first, nodes[0]) { _ in true }, gaps.ask(second, nodes[1]) { _ in true }]
        #expect(isAsked == [[], [GapPlace(log: log, bounds: 50..<90)]])
        _ = gaps.lacks(log, second)
        gaps.endRounds(ready: nodes, now: now)
        #expect(gaps.nextDue - now == 60_000)
    }

    /// One entry in each round: nobody is asked the more often for it, and the gap is forlorn all the same.
    @Test(arguments: [0, 1]) func `A drop in each round is no progress`(giver: Int) {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<1_000)])
        let sessions = [first, second]
        var now: UInt64 = 0
        var waits: [UInt64] = []
        var asked = [0, 0]
        for drop in 0..<UInt64(8) {
            var isGiven = false
            for place in [0, 1, 0, 1] where !gaps.ask(sessions[place], nodes[place], isSettled: { _ in true }).isEmpty {
                asked[place] += 1
                if place == giver, !isGiven {
                    isGiven = true
                    let isAnswer = gaps.isAnswer(chunk(drop..<drop + 1, size: 1_000), from: sessions[place])
                    #expect(isAnswer)
                    _ = gaps.lacks(log, sessions[place])
                    gaps.endRounds(ready: nodes, now: now)
                    gaps.set(log, drop + 1..<1_000)
                } else {
                    _ = gaps.lacks(log, sessions[place])
                }
                gaps.endRounds(ready: nodes, now: now)
            }
            waits.append(gaps.nextDue - now)
            now = gaps.nextDue
            gaps.endRounds(ready: nodes, now: now)
        }
        #expect(Array(waits.prefix(4)) == [60_000, 120_000, 240_000, 480_000], "\(waits)")
        // The other one is asked again where it lacked what came.
        #expect(asked[giver] == 8 && asked[1 - giver] <= 16, "\(asked)")
        #expect(gaps.forlorn(log) == 8..<1_000)
    }

    @Test func `Who gives too little in too long a time is passed over`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<90)])
        _ = gaps.ask(first, nodes[0]) { _ in true }
        for second in 0..<UInt64(30) where second % 15 == 14 {
            let place = second / 15
            let now = Waiting(since: second * 1_000, received: second * 50)
            let isAnswer = gaps.isAnswer(chunk(place..<place + 1, size: 90), from: first, waiting: now)
            #expect(isAnswer)
            gaps.set(log, place + 1..<90)
        }
        gaps.passOn(of: first) { $0.isOverdue(received: 1_500, now: 30_000) }
        let asked = gaps.ask(second, nodes[1]) { _ in true }
        #expect(asked == [GapPlace(log: log, bounds: 2..<90)])
        let isOver = [gaps.lacks(log, first), gaps.lacks(log, second)]
        let again = gaps.ask(first, nodes[0]) { _ in true }
        #expect(isOver == [true, true] && again.isEmpty)
    }

    @Test func `Who is silent has no other turn because others give a drop`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<90)])
        _ = gaps.ask(first, nodes[0]) { _ in true }
        gaps.passOn(of: first) { _ in true }
        let isOver = gaps.lacks(log, first)
        _ = gaps.ask(second, nodes[1]) { _ in true }
        let isAnswer = gaps.isAnswer(chunk(0..<1, size: 90), from: second)
        gaps.set(log, 1..<90)
        let isLacking = gaps.lacks(log, second)
        #expect(isOver && isAnswer && isLacking)
        let third = NodeID(raw: Author.bytes(3, "node"))
        let asked = [
            gaps.ask(first, nodes[0]) { _ in true }, gaps.ask(second, nodes[1]) { _ in true },
            gaps.ask(SessionID(raw: 3), third) { _ in true },
        ]
        #expect(asked == [[], [], [GapPlace(log: log, bounds: 1..<90)]])
    }

    /// What came was stored only after the round had ended.
    @Test func `A round that something late begins anew ends too`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<90)])
        _ = gaps.ask(first, nodes[0]) { _ in true }
        let isAnswer = gaps.isAnswer(chunk(0..<50, size: 90), from: first)
        let isLacking = gaps.lacks(log, first)
        #expect(isAnswer && isLacking)
        gaps.endRounds(ready: [nodes[0]], now: 0)
        gaps.set(log, 50..<90)
        gaps.endRounds(ready: [nodes[0]], now: 7_500)
        gaps.endRounds(ready: [nodes[0]], now: 60_000)
        gaps.endRounds(ready: [nodes[0]], now: 67_500)
        let asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked == [GapPlace(log: log, bounds: 50..<90)])
    }

    @Test func `In the next round who gave a part has its turn again, also after a drop of others`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<90)])
        _ = gaps.ask(first, nodes[0]) { _ in true }
        let isFirst = gaps.isAnswer(chunk(0..<1, size: 90), from: first)
        gaps.set(log, 1..<90)
        let isLacking = [gaps.lacks(log, first)]
        _ = gaps.ask(second, nodes[1]) { _ in true }
        let isSecondLacking = gaps.lacks(log, second)
        gaps.endRounds(ready: nodes, now: 0)
        gaps.endRounds(ready: nodes, now: gaps.nextDue)
        _ = gaps.ask(second, nodes[1]) { _ in true }
        let isSecond = gaps.isAnswer(chunk(1..<2, size: 90), from: second)
        gaps.set(log, 2..<90)
        _ = gaps.lacks(log, second)
        #expect(isFirst && isLacking == [true] && isSecondLacking && isSecond)
        let asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked == [GapPlace(log: log, bounds: 2..<90)])
    }

    @Test(arguments: ["broken off", "gone"])
    func `Who gave a part and was not at fault may be asked at once`(end: String) {
        var gaps = GapRequests([GapPlace(log: log, bounds: 0..<90)])
        _ = gaps.ask(first, nodes[0]) { _ in true }
        let isAnswer = gaps.isAnswer(chunk(0..<1, size: 90), from: first)
        #expect(isAnswer)
        switch end {
        case "gone":
            gaps.set(log, 1..<90)
            gaps.release(first)
        default:
            gaps.breakOff(log, first)
            gaps.set(log, 1..<90)
        }
        let asked = gaps.ask(end == "gone" ? second : first, nodes[0]) { _ in true }
        #expect(asked == [GapPlace(log: log, bounds: 1..<90)])
    }

    @Test func `A part earns as much time as its bytes take on a slow line, and no more than has passed`() {
        let asked = Waiting(since: 0, received: 100)
        let now = Waiting(since: 15_000, received: 5_000)
        let little = asked.extended(by: 4_096, now: now)
        #expect(little.since == 2_000 && little.received == 100)
        #expect(little.progressAt == 15_000 && little.receivedByProgress == 5_000)
        #expect(asked.extended(by: 40_960, now: now) == now)
    }

    @Test func `An answer goes on where it ended`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 3..<90)])
        let isAnswerUnasked = gaps.isAnswer(chunk(3..<5, size: 90), from: first)
        #expect(!isAnswerUnasked)
        _ = gaps.ask(first, nodes[0]) { _ in true }
        let near = [
            gaps.isAnswer(chunk(3..<5, size: 90), from: second),
            gaps.isAnswer(chunk(4..<5, size: 90), from: first),
            gaps.isAnswer(chunk(3..<5, size: 91), from: first),
            gaps.isAnswer(signed(3..<5, size: 90), from: first),
            gaps.isAnswer(chunk(3..<5, size: 90, LogID(raw: .zero)), from: first),
        ]
        #expect(near == [false, false, false, false, false])
        let inOrder = [
            gaps.isAnswer(chunk(3..<5, size: 90), from: first),
            gaps.isAnswer(chunk(3..<5, size: 90), from: first),
            gaps.isAnswer(chunk(5..<90, size: 90), from: first),
        ]
        #expect(inOrder == [true, false, true], "the first part counts once")
        #expect(!gaps.isBusy(first))
        gaps.set(log, nil)
        #expect(gaps.count == 0)
    }

    @Test func `Who does not carry a log is not asked and holds up no round`() {
        let other = LogID(raw: Author.bytes(2, "log"))
        var gaps = GapRequests([GapPlace(log: log, bounds: 3..<90), GapPlace(log: other, bounds: 3..<90)])
        let isShared = { (asked: LogID) in asked != log }
        var asked = gaps.ask(first, nodes[0], isShared: isShared) { _ in true }
        #expect(asked == [GapPlace(log: other, bounds: 3..<90)])
        _ = gaps.lacks(other, first)
        gaps.endRounds(ready: [nodes[0]], now: 0) { log, _ in isShared(log) }
        #expect(gaps.nextDue == 60_000)
        gaps.endRounds(ready: [nodes[0]], now: 60_000) { log, _ in isShared(log) }
        // Who comes to carry it is asked in the next round.
        asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.count == 2)
    }

    @Test func `Whoever comes and goes leaves little behind`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 3..<90)])
        let strangers = (0..<10_000).map { NodeID(raw: Author.bytes(UInt64($0), "stranger")) }
        for (number, stranger) in strangers.enumerated() {
            let session = SessionID(raw: UInt64(100 + number))
            let asked = gaps.ask(session, stranger, isShared: { _ in false }) { _ in true }
            #expect(asked.isEmpty)
            gaps.release(session)
        }
        #expect(gaps.askedNodesCount == 0)
        for (number, stranger) in strangers.enumerated() {
            let session = SessionID(raw: UInt64(100 + number))
            let asked = gaps.ask(session, stranger) { _ in true }
            #expect(asked.count == 1)
            gaps.release(session)
        }
        #expect(gaps.askedNodesCount <= Limits.askedNodesCount)
    }

    @Test func `What waits for its writers quota wakes nobody before its time`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 3..<90)])
        gaps.forgetNews()
        var looks = 0
        let delay = { (_: LogID) -> UInt64? in
            looks += 1
            return 5_000
        }
        for _ in 0..<300 {
            for (session, node) in zip([first, second], nodes) {
                let asked = gaps.ask(session, node, delay: delay) { _ in true }
                #expect(asked.isEmpty)
                #expect(!gaps.hasNews)
            }
            gaps.endRounds(ready: nodes, now: 1)
        }
        #expect(looks == 1)
        #expect(gaps.nextDue == 5_000)
        gaps.endRounds(ready: nodes, now: 5_000)
        #expect(gaps.hasNews)
        let asked = gaps.ask(second, nodes[1]) { _ in true }
        #expect(asked.count == 1)
    }

    @Test func `What is unsettled is looked at again`() {
        var gaps = GapRequests([GapPlace(log: log, bounds: 3..<90)])
        for _ in 0..<300 {
            let unsettled = gaps.ask(first, nodes[0]) { _ in false }
            #expect(unsettled.isEmpty)
        }
        let asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.count == 1)
    }

    @Test func `What a session owes is passed on or freed, and nothing of others`() {
        let places = (0..<UInt64(40)).map { GapPlace(log: LogID(raw: Author.bytes($0, "log")), bounds: 0..<9) }
        var gaps = GapRequests(places)
        let limit = Limits.gapsInFlightPerPeer
        for (session, node) in zip([first, second], nodes) { _ = gaps.ask(session, node) { _ in true } }
        var looks = 0
        gaps.passOn(of: first) { _ in
            looks += 1
            return true
        }
        #expect(looks == limit && gaps.isBusy(first) && gaps.isBusy(second))
        let third = (SessionID(raw: 3), NodeID(raw: Author.bytes(3, "node")))
        var asked = gaps.ask(third.0, third.1) { _ in true }
        #expect(asked == Array(places[..<limit]))
        gaps.release(second)
        #expect(!gaps.isBusy(second))
        let fourth = (SessionID(raw: 4), NodeID(raw: Author.bytes(4, "node")))
        asked = gaps.ask(fourth.0, fourth.1) { _ in true }
        #expect(asked == Array(places[limit..<2 * limit]))
        for place in places[..<limit] {
            #expect(gaps.isBusy(first))
            let isOver = gaps.lacks(place.log, first)
            #expect(isOver)
        }
        #expect(!gaps.isBusy(first) && gaps.isBusy(third.0))
    }

    @Test func `One session is asked for a few at once`() {
        let places = (0..<UInt64(40)).map { GapPlace(log: LogID(raw: Author.bytes($0, "log")), bounds: 0..<9) }
        var gaps = GapRequests(places)
        let limit = Limits.gapsInFlightPerPeer
        var asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked == Array(places.prefix(limit)))
        asked = gaps.ask(first, nodes[0]) { _ in true }
        #expect(asked.isEmpty)
        asked = gaps.ask(second, nodes[1]) { _ in true }
        #expect(asked == Array(places[limit..<2 * limit]))
    }
}
