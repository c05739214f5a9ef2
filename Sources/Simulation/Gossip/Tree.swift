package import Entries
package import Sync

// No node runs this: it is the machine of the paper, which `simulate gossip` measures (benchmarks/gossip.md). The
// tree of a node is in NodeMachine+Branches.

/// A head that a neighbour holds, and the hops that it took to get there.
package struct HeadOffer: Hashable, Sendable {
    package let head: LogSize
    /// 0 at the author's own node; at most `GossipLimits.maximumHops`.
    package let hops: UInt32

    package init(head: LogSize, hops: UInt32) {
        self.head = head
        self.hops = hops
    }
}

/// An input of the broadcast tree (Plumtree, SRDS 2007, algorithms 1 to 3).
package enum TreeEvent: Hashable, Sendable {
    case up(SessionID)
    case down(SessionID)
    /// A new entry of this node's own, or one that came otherwise than by a push.
    case wrote(LogSize)
    /// A push of a new entry, verified and stored; `hops` is 1 from the author's own node.
    case news(HeadOffer, from: SessionID)
    /// A push of a known entry.
    case known(LogSize, from: SessionID)
    /// The heads of an offer that are not held.
    case offered([HeadOffer], from: SessionID)
    /// GRAFT: the link becomes a branch; a head is to be pushed too.
    case grafted(HeadOffer?, from: SessionID)
    /// PRUNE: the link is no branch any more.
    case pruned(from: SessionID)
    /// The head has come otherwise, or is not wanted any more.
    case settled(LogSize)
    /// The time is `wakeAt`.
    case timer
}

/// An output of the broadcast tree.
package enum TreeEffect: Hashable, Sendable {
    /// Push the entries up to the head, if they are held; `hops` as the receiver is to count them.
    case push(HeadOffer, to: [SessionID])
    /// Offer at most `GossipLimits.offersPerMessage` heads by name.
    case offer([HeadOffer], to: SessionID)
    /// Make this link a branch, and ask for the head.
    case graft(HeadOffer?, to: SessionID)
    /// Make this link no branch.
    case prune(to: SessionID)
}
