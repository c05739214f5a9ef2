package import Entries

// No node runs this: it is the machine of the paper, which `simulate gossip` measures (benchmarks/gossip.md). The
// tree of a node is in NodeMachine+Branches.

/// The messages that maintain the views (HyParView, DSN 2007, algorithms 1 to 3).
package enum MembershipMessage: Hashable, Sendable {
    /// The sender is new and takes the receiver as its first neighbour.
    case join
    /// A newcomer's random walk; `hopsLeft` 0 to `GossipLimits.activeWalkHops`.
    case forwardJoin(NodeID, hopsLeft: Int)
    /// The sender wants the receiver as a neighbour.
    case neighbour(NeighbourPriority)
    /// The answer to `join` and `neighbour`: from now on both are neighbours.
    case accept
    /// The answer to `neighbour`: no room.
    case reject
    /// The sender does not have the receiver as a neighbour any more.
    case disconnect
    /// A shuffle's random walk with at most `GossipLimits.shuffleSampleCount` nodes; `hopsLeft` 0 to
    /// `GossipLimits.shuffleWalkHops`.
    case shuffle(origin: NodeID, hopsLeft: Int, sample: [NodeID])
    /// The answer to a shuffle, with at most as many nodes, straight to the origin.
    case shuffleReply([NodeID])
}

/// How urgent a request for a neighbour is.
package enum NeighbourPriority: Hashable, Sendable {
    /// Accepted in any case.
    case high
    /// Accepted if there is room.
    case low
}

/// An input of the membership protocol.
package enum MembershipEvent: Hashable, Sendable {
    /// A node to start from.
    case join(NodeID)
    case received(MembershipMessage, from: NodeID)
    /// A node could not be reached, or the connection to it broke.
    case failed(NodeID)
    /// Every `GossipLimits.cycleMilliseconds`.
    case cycle
}

/// An output of the membership protocol.
package enum MembershipEffect: Hashable, Sendable {
    /// Over the connection to that node, or one that is opened for it; `failed` follows if there is none.
    case send(MembershipMessage, to: NodeID)
    /// A new neighbour.
    case up(NodeID)
    /// A neighbour was removed; the connection may stay.
    case down(NodeID)
    /// The message exceeded a bound and was ignored.
    case violation(NodeID)
}
