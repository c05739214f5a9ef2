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
        #expect(book.learn(lot, from: node(1_000), own: node(2_000), now: 0))
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
        #expect(book.dial(now: 0, sessions: Limits.wantedSessionsCount, connected: []).isEmpty)
        #expect(book.dial(now: 0, sessions: 5, connected: []).count == Limits.wantedSessionsCount - 5)
    }

    @Test func aNodeThatIsConnectedIsNotDialled() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: node(1), origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        #expect(book.dial(now: 0, sessions: 1, connected: [node(1)]).isEmpty)
        #expect(book.dial(now: 0, sessions: 1, connected: []).map(\.1) == [target])
        #expect(book.dial(now: 0, sessions: 1, connected: []).isEmpty, "once at a time")
    }

    @Test func penaltiesDoubleUpToADay() {
        var penalties = Penalties()
        var now: UInt64 = 0
        var delays: [UInt64] = []
        for _ in 0..<10 {
            delays.append(penalties.punish(.node(node(1)), now: now))
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
        #expect(book.dial(now: 0, sessions: 0, connected: []).isEmpty)
        #expect(book.nextDue(now: 0, sessions: 0, connected: []) == 600_000)
        book.hurry()
        #expect(book.dial(now: 1, sessions: 0, connected: []).isEmpty, "hurry ends plain backoff only")
        #expect(book.dial(now: 600_000, sessions: 0, connected: []).count == 1)
    }
}
