import Entries
import Sync

// No node runs this: it is the machine of the paper, which `simulate gossip` measures (benchmarks/gossip.md). The
// tree of a node is in NodeMachine+Branches.

/// The broadcast tree: which neighbours get a new entry at once, and which only its name (Plumtree, SRDS 2007).
///
/// Every link begins *eager*. A push of a known entry prunes its link on both sides, so that the eager links of all
/// nodes become a tree. On the *lazy* links heads are offered by name; one that is offered and does not come in time is
/// requested, and that link becomes a branch: so the tree repairs itself. The frontier knows which entries are held:
/// the machine keeps no list of messages seen, and what it forgets anti-entropy finds (`protocol/sync.md` §10, §13).
package struct Plumtree: Sendable {
    private struct Missing {
        /// In order of arrival, each neighbour once.
        var offers: [(from: SessionID, hops: UInt32)]
        var deadline: UInt64
    }

    private struct Due {
        let deadline: UInt64
        let head: LogSize
    }

    private struct Waiting {
        let offer: HeadOffer
        let source: SessionID?
    }

    package private(set) var branches = Branches()
    private var missing: [LogSize: Missing] = [:]
    /// The missing heads in the order of their deadlines: those requested of nobody yet, and those requested already.
    private var first = Queue<Due>()
    private var again = Queue<Due>()
    private var waiting: [Waiting] = []
    private var offerAt: UInt64?

    package init() {}

    /// When the machine wants its `timer`, in milliseconds of the caller's clock; nil: only after another event.
    package var wakeAt: UInt64? {
        var earliest = offerAt ?? .max
        if let due = first.first { earliest = min(earliest, due.deadline) }
        if let due = again.first { earliest = min(earliest, due.deadline) }
        return earliest == .max ? nil : earliest
    }

    /// Heads that were offered and have not come.
    package var missingCount: Int { missing.count }

    package mutating func received(_ event: TreeEvent, at now: UInt64) -> [TreeEffect] {
        var effects: [TreeEffect] = []
        switch event {
        case .up(let peer):
            branches.add(peer)
        case .down(let peer):
            branches.remove(peer)
        case .wrote(let head):
            missing[head] = nil
            spread(HeadOffer(head: head, hops: 0), from: nil, now, &effects)
        case .news(let offer, let sender):
            let way = missing.removeValue(forKey: offer.head)
            makeEager(sender, &effects)
            spread(offer, from: sender, now, &effects)
            shorten(offer, from: sender, way, &effects)
        case .known(let head, let sender):
            missing[head] = nil
            _ = branches.makeLazy(sender)
            effects.append(.prune(to: sender))
        case .offered(let offers, let sender):
            for offer in offers where offer.hops <= GossipLimits.maximumHops { note(offer, from: sender, now) }
        case .grafted(let offer, let sender):
            makeEager(sender, &effects)
            if let offer { effects.append(.push(offer.further, to: [sender])) }
        case .pruned(let sender):
            _ = branches.makeLazy(sender)
        case .settled(let head):
            missing[head] = nil
        case .timer:
            if let due = offerAt, due <= now { tellOffers(&effects) }
            graft(now, &effects)
        }
        return effects
    }

    // MARK: Pushing

    private mutating func spread(
        _ offer: HeadOffer,
        from source: SessionID?,
        _ now: UInt64,
        _ effects: inout [TreeEffect]
    ) {
        let others = branches.eager.filter { $0 != source }
        if !others.isEmpty {
            effects.append(.push(offer.further, to: others))
        }
        guard branches.lazy.contains(where: { $0 != source }) else { return }
        waiting.append(Waiting(offer: offer, source: source))
        if waiting.count >= GossipLimits.offersPerMessage { tellOffers(&effects) }
        if offerAt == nil, !waiting.isEmpty { offerAt = now + Limits.offerMilliseconds }
    }

    private mutating func tellOffers(_ effects: inout [TreeEffect]) {
        for peer in branches.lazy { tellOffers(to: peer, &effects) }
        waiting = []
        offerAt = nil
    }

    private func tellOffers(to peer: SessionID, _ effects: inout [TreeEffect]) {
        let offers = waiting.filter { $0.source != peer }.map(\.offer)
        if !offers.isEmpty { effects.append(.offer(offers, to: peer)) }
    }

    // MARK: The tree

    private mutating func makeEager(_ peer: SessionID, _ effects: inout [TreeEffect]) {
        guard branches.makeEager(peer) else { return }
        // Offers that wait would not be sent to an eager link.
        tellOffers(to: peer, &effects)
    }

    /// Replaces the path that the push took by an offered one, if that is shorter by the threshold.
    private mutating func shorten(
        _ offer: HeadOffer,
        from sender: SessionID,
        _ way: Missing?,
        _ effects: inout [TreeEffect]
    ) {
        guard let best = way?.offers.min(by: { $0.hops < $1.hops }), best.from != sender,
            branches.lazy.contains(best.from),
            offer.hops >= best.hops + 1 + GossipLimits.treeThresholdHops
        else { return }
        makeEager(best.from, &effects)
        effects.append(.graft(nil, to: best.from))
        _ = branches.makeLazy(sender)
        effects.append(.prune(to: sender))
    }

    // MARK: Missing heads

    private mutating func note(_ offer: HeadOffer, from sender: SessionID, _ now: UInt64) {
        if let known = missing[offer.head] {
            guard known.offers.count < GossipLimits.offerersCount, !known.offers.contains(where: { $0.from == sender })
            else { return }
            missing[offer.head]?.offers.append((sender, offer.hops))
        } else {
            // A head that came stays in its queue until its deadline, so the queues are what is bounded.
            guard first.count + again.count < GossipLimits.missingCount else { return }
            let deadline = now + Limits.graftMilliseconds
            missing[offer.head] = Missing(offers: [(sender, offer.hops)], deadline: deadline)
            first.append(Due(deadline: deadline, head: offer.head))
        }
    }

    private mutating func graft(_ now: UInt64, _ effects: inout [TreeEffect]) {
        while let due = first.first, due.deadline <= now {
            _ = first.popFirst()
            ask(due, now, &effects)
        }
        while let due = again.first, due.deadline <= now {
            _ = again.popFirst()
            ask(due, now, &effects)
        }
    }

    private mutating func ask(_ due: Due, _ now: UInt64, _ effects: inout [TreeEffect]) {
        let head = due.head
        guard var entry = missing[head], entry.deadline == due.deadline else { return }
        while !entry.offers.isEmpty {
            let offer = entry.offers.removeFirst()
            guard branches.contains(offer.from) else { continue }
            makeEager(offer.from, &effects)
            effects.append(.graft(HeadOffer(head: head, hops: offer.hops), to: offer.from))
            entry.deadline = now + GossipLimits.graftAgainMilliseconds
            missing[head] = entry
            again.append(Due(deadline: entry.deadline, head: head))
            return
        }
        missing[head] = nil
    }
}

extension HeadOffer {
    /// One hop further; the count stays at the maximum.
    fileprivate var further: HeadOffer {
        HeadOffer(head: head, hops: min(hops, GossipLimits.maximumHops - 1) + 1)
    }
}
