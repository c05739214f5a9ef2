package import Entries

/// A head that somebody holds, and how many hops it had come when it reached them.
package struct HeadOffer: Hashable, Sendable {
    package let head: LogSize
    /// 0 at the author's own node, at most `GossipLimits.maximumHops`.
    package let hops: UInt32

    package init(head: LogSize, hops: UInt32) {
        self.head = head
        self.hops = hops
    }
}

/// What happens to the tree by which a node pushes (Plumtree, SRDS 2007, algorithms 1 to 3).
package enum TreeEvent: Hashable, Sendable {
    case up(SessionID)
    case down(SessionID)
    /// An entry of this node's own, or one that came by another way than a push.
    case wrote(LogSize)
    /// A push of what was not here, verified and stored; `hops` is 1 from the author's own node.
    case news(HeadOffer, from: SessionID)
    /// A push of what is here.
    case known(LogSize, from: SessionID)
    /// Those of the heads offered that are not here.
    case offered([HeadOffer], from: SessionID)
    /// The link is to be a branch; with a head, that is to be pushed too.
    case grafted(HeadOffer?, from: SessionID)
    /// The link is no branch any more.
    case pruned(from: SessionID)
    /// The head has come by another way, or is not wanted any more.
    case settled(LogSize)
    /// `wakeAt` has come.
    case timer
}

/// What is to be done for the tree.
package enum TreeEffect: Hashable, Sendable {
    /// The entries up to the head, if they are here; `hops` as the receiver is to count them.
    case push(HeadOffer, to: [SessionID])
    /// At most `GossipLimits.offersPerMessage` heads by name.
    case offer([HeadOffer], to: SessionID)
    /// Make this link a branch, and push the head.
    case graft(HeadOffer?, to: SessionID)
    /// Make this link no branch.
    case prune(to: SessionID)
}
