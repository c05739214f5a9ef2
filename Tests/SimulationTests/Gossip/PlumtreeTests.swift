import Entries
import Simulation
import Sodium
import Sync
import Testing

/// One node's tree, by what it is told.
@Suite struct PlumtreeTests {
    private let one = SessionID(raw: 1)
    private let two = SessionID(raw: 2)
    private let three = SessionID(raw: 3)

    private func head(_ size: UInt64) -> LogSize { LogSize(log: LogID(raw: .zero), size: size) }
    private func offer(_ size: UInt64, _ hops: UInt32) -> HeadOffer { HeadOffer(head: head(size), hops: hops) }

    private func tree() -> Plumtree {
        var tree = Plumtree()
        for peer in [three, one, two] { _ = tree.received(.up(peer), at: 0) }
        return tree
    }

    @Test func `Every link begins as a branch`() {
        var tree = tree()
        #expect(tree.received(.wrote(head(1)), at: 0) == [.push(offer(1, 1), to: [one, two, three])])
        #expect(tree.received(.news(offer(2, 4), from: two), at: 0) == [.push(offer(2, 5), to: [one, three])])
    }

    @Test func `A push of what is here prunes its link`() {
        var tree = tree()
        #expect(tree.received(.known(head(1), from: two), at: 0) == [.prune(to: two)])
        #expect(tree.branches.eager == [one, three])
        #expect(tree.branches.lazy == [two])
        // Who does not hear of it is told again.
        #expect(tree.received(.known(head(1), from: two), at: 0) == [.prune(to: two)])
        _ = tree.received(.pruned(from: three), at: 0)
        #expect(tree.branches.eager == [one])
    }

    @Test func `Lazy links get names in one message`() {
        var tree = tree()
        _ = tree.received(.pruned(from: two), at: 0)
        #expect(tree.received(.wrote(head(1)), at: 1_000) == [.push(offer(1, 1), to: [one, three])])
        // What came over a lazy link makes it a branch, and is not offered there.
        _ = tree.received(.pruned(from: three), at: 0)
        #expect(tree.received(.news(offer(2, 3), from: one), at: 1_050) == [])
        #expect(tree.wakeAt == 1_100)
        #expect(
            tree.received(.timer, at: 1_100) == [
                .offer([offer(1, 0), offer(2, 3)], to: two), .offer([offer(1, 0), offer(2, 3)], to: three),
            ]
        )
        #expect(tree.wakeAt == nil)
    }

    @Test func `What is offered and does not come is asked for in turn`() {
        var tree = tree()
        _ = tree.received(.pruned(from: one), at: 0)
        _ = tree.received(.pruned(from: two), at: 0)
        _ = tree.received(.offered([offer(7, 2)], from: one), at: 0)
        _ = tree.received(.offered([offer(7, 5)], from: two), at: 100)
        #expect(tree.received(.timer, at: 499) == [])
        #expect(tree.received(.timer, at: 500) == [.graft(offer(7, 2), to: one)])
        #expect(tree.branches.eager == [one, three])
        #expect(tree.wakeAt == 700)
        #expect(tree.received(.timer, at: 700) == [.graft(offer(7, 5), to: two)])
        // Then it is the anti-entropy's.
        #expect(tree.received(.timer, at: 900) == [])
        #expect(tree.missingCount == 0)
        #expect(tree.wakeAt == nil)
    }

    @Test func `What came is not asked for`() {
        var tree = tree()
        _ = tree.received(.pruned(from: one), at: 0)
        _ = tree.received(.offered([offer(7, 2), offer(8, 2), offer(9, 2)], from: one), at: 0)
        _ = tree.received(.news(offer(7, 4), from: three), at: 100)
        _ = tree.received(.settled(head(8)), at: 100)
        _ = tree.received(.known(head(9), from: three), at: 100)
        let effects = tree.received(.timer, at: 500)
        #expect(!effects.contains { if case .graft = $0 { true } else { false } })
        #expect(tree.missingCount == 0)
    }

    @Test func `Who is gone is not asked`() {
        var tree = tree()
        _ = tree.received(.offered([offer(7, 2)], from: one), at: 0)
        _ = tree.received(.offered([offer(7, 3)], from: two), at: 0)
        _ = tree.received(.down(one), at: 0)
        #expect(tree.received(.timer, at: 500) == [.graft(offer(7, 3), to: two)])
    }

    @Test func `A graft makes a branch and is answered`() {
        var tree = tree()
        _ = tree.received(.pruned(from: two), at: 0)
        #expect(tree.received(.grafted(offer(7, 3), from: two), at: 0) == [.push(offer(7, 4), to: [two])])
        #expect(tree.branches.eager == [one, two, three])
        _ = tree.received(.pruned(from: two), at: 0)
        #expect(tree.received(.grafted(nil, from: two), at: 0) == [])
        #expect(tree.branches.eager == [one, two, three])
    }

    @Test func `A link that becomes a branch is told first what waited`() {
        var tree = tree()
        _ = tree.received(.pruned(from: two), at: 0)
        _ = tree.received(.wrote(head(1)), at: 0)
        #expect(tree.received(.grafted(nil, from: two), at: 50) == [.offer([offer(1, 0)], to: two)])
        #expect(tree.received(.timer, at: 100) == [])
    }

    @Test func `A way that is shorter by the threshold takes the place`() {
        for (hops, isShortened) in [(9, false), (10, true)] as [(UInt32, Bool)] {
            var tree = tree()
            _ = tree.received(.pruned(from: two), at: 0)
            _ = tree.received(.offered([offer(7, 2)], from: two), at: 0)
            let effects = tree.received(.news(offer(7, hops), from: one), at: 10)
            // By way of `two` it would have come 3 hops.
            #expect(effects.contains(.graft(nil, to: two)) == isShortened, "\(hops)")
            #expect(effects.contains(.prune(to: one)) == isShortened)
            #expect(tree.branches.eager == (isShortened ? [two, three] : [one, three]))
        }
    }

    @Test func `Hops that nobody can have come are not counted`() {
        var tree = tree()
        let most = GossipLimits.maximumHops
        _ = tree.received(.offered([offer(7, .max), offer(8, most)], from: one), at: 0)
        #expect(tree.missingCount == 1)
        #expect(tree.received(.grafted(offer(7, .max), from: two), at: 0) == [.push(offer(7, most), to: [two])])
        #expect(tree.received(.news(offer(9, .max), from: two), at: 0) == [.push(offer(9, most), to: [one, three])])
    }

    @Test func `A flood of offers is bounded`() {
        var tree = tree()
        for size in 0..<10_000 { _ = tree.received(.offered([offer(UInt64(size), 1)], from: one), at: 0) }
        #expect(tree.missingCount == GossipLimits.missingCount)
        // Heads that come at once leave their place in the queue until their time: no more are watched meanwhile.
        for size in 0..<10_000 { _ = tree.received(.settled(head(UInt64(size))), at: 0) }
        for size in 0..<10_000 { _ = tree.received(.offered([offer(UInt64(size), 1)], from: one), at: 0) }
        #expect(tree.missingCount == 0)
        _ = tree.received(.timer, at: 500)
        _ = tree.received(.offered([offer(1, 1)], from: one), at: 500)
        #expect(tree.missingCount == 1)
        for peer in UInt64(10)..<100 { _ = tree.received(.offered([offer(1, 1)], from: SessionID(raw: peer)), at: 500) }
        for peer in UInt64(10)..<100 { _ = tree.received(.up(SessionID(raw: peer)), at: 500) }
        var asked = 0
        for step in 0..<200 {
            asked += tree.received(.timer, at: 1_000 + 200 * UInt64(step)).count { effect in
                if case .graft = effect { true } else { false }
            }
        }
        #expect(asked == GossipLimits.offerersCount)
    }

    @Test func `Offers are told before they are too many`() {
        var tree = tree()
        _ = tree.received(.pruned(from: two), at: 0)
        var longest = 0
        for size in 0..<5_000 {
            for effect in tree.received(.wrote(head(UInt64(size))), at: 0) {
                if case .offer(let offers, _) = effect { longest = max(longest, offers.count) }
            }
        }
        #expect(longest == GossipLimits.offersPerMessage)
    }
}
