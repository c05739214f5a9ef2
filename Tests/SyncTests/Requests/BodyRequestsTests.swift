import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct BodyRequestsTests {
    private let log = LogID(raw: Author.bytes(1, "log"))
    private let nodes = (0..<3).map { NodeID(raw: Author.bytes($0, "node")) }
    private let sessions = (0..<3).map { SessionID(raw: $0) }

    private func places(_ count: UInt64) -> [BodyPlace] { (0..<count).map { BodyPlace(log: log, sequence: $0) } }

    @Test func `One identity does not fill the list`() {
        let limit = Limits.wantedBodiesPerIdentityCount
        var bodies = BodyRequests(places(UInt64(limit) + 5)) { _ in 7 }
        #expect(bodies.count == limit)
        let other = BodyPlace(log: LogID(raw: Author.bytes(2, "log")), sequence: 0)
        bodies.add(other, of: 8, from: nil)
        #expect(bodies.count == limit + 1)
        bodies.remove(BodyPlace(log: log, sequence: 3))
        bodies.add(BodyPlace(log: log, sequence: UInt64(limit)), of: 7, from: nil)
        #expect(bodies.count == limit + 1)
    }

    @Test func `Every place is asked of every node once in a round`() {
        let all = places(300)
        var bodies = BodyRequests(all) { _ in 7 }
        var asked: [[BodyPlace]] = [[], [], []]
        for _ in 0..<20 {
            for number in 0..<3 {
                let lot = bodies.ask(sessions[number], nodes[number])
                asked[number] += lot
                for place in lot {
                    let isAsked = bodies.answered(place, by: sessions[number])
                    #expect(isAsked)
                    bodies.failed(place)
                }
                bodies.endRounds(ready: nodes, now: 1)
            }
        }
        for list in asked { #expect(Set(list) == Set(all) && list.count == all.count) }
        #expect(asked[0] == all, "oldest first")
        let due = bodies.nextDue
        #expect(due >= UInt64(Limits.bodyRetryMilliseconds) && due < 80_000)
        bodies.endRounds(ready: nodes, now: due)
        let again = bodies.ask(sessions[1], nodes[1])
        #expect(again == Array(all.prefix(Limits.bodiesInFlightPerPeer)))
    }

    @Test func `A round whose time comes while somebody is asked begins all the same`() {
        let place = places(1)[0]
        var bodies = BodyRequests([place]) { _ in 7 }
        _ = bodies.ask(sessions[0], nodes[0])
        _ = bodies.answered(place, by: sessions[0])
        bodies.lacked(place, by: sessions[0])
        bodies.endRounds(ready: [nodes[0]], now: 1)
        let due = bodies.nextDue
        // Somebody new is asked, and answers when everybody's next turn has come.
        let asked = bodies.ask(sessions[1], nodes[1])
        #expect(asked == [place])
        bodies.endRounds(ready: Array(nodes[..<2]), now: due)
        _ = bodies.answered(place, by: sessions[1])
        bodies.lacked(place, by: sessions[1])
        for now in [due + 1, due + 2] where bodies.nextDue < .max {
            bodies.endRounds(ready: Array(nodes[..<2]), now: now)
        }
        let again = bodies.ask(sessions[0], nodes[0])
        #expect(again == [place])
    }

    @Test func `Where nothing is wanted nothing is due`() {
        let place = places(1)[0]
        var bodies = BodyRequests([place]) { _ in 7 }
        _ = bodies.ask(sessions[0], nodes[0])
        _ = bodies.answered(place, by: sessions[0])
        bodies.failed(place)
        bodies.endRounds(ready: [nodes[0]], now: 1)
        #expect(bodies.nextDue < .max)
        bodies.remove(place)
        bodies.endRounds(ready: [nodes[0]], now: 2)
        #expect(bodies.nextDue == .max, "a node would be woken every millisecond")
    }

    @Test func `Whoever comes and goes leaves little behind`() {
        var bodies = BodyRequests(places(3)) { _ in 7 }
        let strangers = (0..<10_000).map { NodeID(raw: Author.bytes(UInt64($0), "stranger")) }
        bodies.endRounds(ready: [nodes[0]], now: 1)
        for (number, stranger) in strangers.enumerated() {
            let session = SessionID(raw: UInt64(100 + number))
            let none = bodies.ask(session, stranger) { _ in false }
            #expect(none.isEmpty)
            bodies.release(session)
        }
        #expect(bodies.askedNodesCount == 0, "it was asked for nothing")
        let own = bodies.ask(sessions[0], nodes[0])
        #expect(own.count == 3)
        for place in own {
            let isAnswer = bodies.answered(place, by: sessions[0])
            #expect(isAnswer)
            bodies.lacked(place, by: sessions[0])
        }
        for (number, stranger) in strangers.enumerated() {
            let session = SessionID(raw: UInt64(100 + number))
            let asked = bodies.ask(session, stranger)
            #expect(asked.count == 3)
            bodies.release(session)
        }
        #expect(bodies.askedNodesCount <= Limits.askedNodesCount)
        let again = bodies.ask(sessions[0], nodes[0])
        #expect(again.isEmpty, "who is there still is not asked twice in a round")
    }

    @Test func `What comes at the first request leaves little behind`() {
        var bodies = BodyRequests([]) { _ in 7 }
        for place in places(10_000) {
            bodies.add(place, of: 7, from: nodes[0])
            let asked = bodies.ask(sessions[1], nodes[1])
            #expect(asked == [place])
            let isAnswer = bodies.answered(place, by: sessions[1])
            #expect(isAnswer)
            bodies.arrived(place)
            bodies.remove(place)
            bodies.endRounds(ready: nodes, now: 1)
        }
        #expect(bodies.placesCount < 500, "\(bodies.placesCount)")
    }

    @Test func `A round waits for nobody with whom it is not spoken of`() {
        let place = places(1)[0]
        var bodies = BodyRequests([place]) { _ in 7 }
        let lot = bodies.ask(sessions[0], nodes[0])
        #expect(lot == [place])
        _ = bodies.answered(place, by: sessions[0])
        bodies.lacked(place, by: sessions[0])
        bodies.endRounds(ready: Array(nodes.prefix(2)), now: 1) { $1 == nodes[0] }
        #expect(bodies.nextDue < .max)
    }

    @Test func `What a session took with it is asked of others`() {
        let all = places(10)
        var bodies = BodyRequests(all) { _ in 7 }
        _ = bodies.ask(sessions[0], nodes[0])
        let none = bodies.ask(sessions[1], nodes[1])
        bodies.release(sessions[0])
        let rest = bodies.ask(sessions[1], nodes[1])
        #expect(none.isEmpty && rest == all)
        let newcomer = bodies.ask(sessions[2], nodes[2])
        #expect(newcomer.isEmpty)
    }
}
