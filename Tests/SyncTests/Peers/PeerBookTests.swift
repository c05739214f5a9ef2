import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct PeerBookTests {
    private func node(_ number: UInt64) -> NodeID { NodeID(raw: Author.bytes(number, "node")) }

    private func heard(_ number: UInt64) -> HeardPeer {
        HeardPeer(address: PeerAddress(host: "host\(number)", port: 1), node: node(number))
    }

    @Test func onePeerTeachesABoundedNumber() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let lot = (0..<UInt64(100)).map(heard)
        let hasLearned = book.learn(lot, from: node(1_000), own: node(2_000), now: 0)
        #expect(hasLearned)
        #expect(book.learned.count == Limits.learnedPeersPerPeerCount)
        for teacher in 1_001..<UInt64(1_100) {
            let more = (0..<UInt64(100)).map { heard(teacher * 1_000 + $0) }
            _ = book.learn(more, from: node(teacher), own: node(2_000), now: 0)
        }
        #expect(book.learned.count == Limits.learnedPeersCount)
    }

    @Test func learnedPeersAreDialledOnlyWhileThereAreFew() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn((0..<UInt64(20)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        let dials1 = book.dial(now: 0, sessions: Limits.wantedSessionsCount, connected: [])
        #expect(dials1.isEmpty)
        let dials2 = book.dial(now: 0, sessions: 5, connected: [])
        #expect(dials2.count == Limits.wantedSessionsCount - 5)
    }

    @Test func aNodeThatIsConnectedIsNotDialled() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: node(1), origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        let dials3 = book.dial(now: 0, sessions: 1, connected: [node(1)])
        #expect(dials3.isEmpty)
        let dials4 = book.dial(now: 0, sessions: 1, connected: [])
        #expect(dials4.map(\.1) == [target])
        let dials5 = book.dial(now: 0, sessions: 1, connected: [])
        #expect(dials5.isEmpty, "once at a time")
    }

    @Test func penaltiesDoubleUpToADay() {
        var penalties = Penalties()
        var now: UInt64 = 0
        var delays: [UInt64] = []
        for _ in 0..<10 {
            let delay = penalties.punish(.node(node(1)), now: now)
            delays.append(delay)
            #expect(penalties.end(.node(node(1)), now: now) != nil)
            now += delays.last ?? 0
            #expect(penalties.end(.node(node(1)), now: now) == nil)
        }
        #expect(delays.prefix(3) == [600_000, 1_200_000, 2_400_000])
        #expect(delays.last == 86_400_000)
        #expect(penalties.end(.node(node(2)), now: 0) == nil)
    }

    @Test func aPenaltyKeepsAListedPeerFromBeingDialled() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: node(1), origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        _ = book.punish(.node(node(1)), now: 0)
        let dials6 = book.dial(now: 0, sessions: 0, connected: [])
        #expect(dials6.isEmpty)
        #expect(book.nextDue(now: 0, sessions: 0, connected: []) == 600_000)
        book.hurry()
        let dials7 = book.dial(now: 1, sessions: 0, connected: [])
        #expect(dials7.isEmpty, "hurry ends plain backoff only")
        let dials8 = book.dial(now: 600_000, sessions: 0, connected: [])
        #expect(dials8.count == 1)
    }
}
