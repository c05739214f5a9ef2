package import Entries

/// What nodes say to keep their views (HyParView, DSN 2007, algorithms 1 to 3).
package enum MembershipMessage: Hashable, Sendable {
    /// The sender is new and takes the receiver as its first neighbour.
    case join
    /// A newcomer's name on its walk; `hopsLeft` 0 to `GossipLimits.activeWalkHops`.
    case forwardJoin(NodeID, hopsLeft: Int)
    /// The sender wants the receiver as a neighbour.
    case neighbour(NeighbourPriority)
    /// The answer to `join` and `neighbour`: from now on both are neighbours.
    case accept
    /// The answer to `neighbour`: no room.
    case reject
    /// The sender is no neighbour of the receiver's any more.
    case disconnect
    /// Names on their walk, at most `GossipLimits.shuffleSampleCount`; `hopsLeft` 0 to `GossipLimits.shuffleWalkHops`.
    case shuffle(origin: NodeID, hopsLeft: Int, sample: [NodeID])
    /// Names in return, at most as many, straight to the origin.
    case shuffleReply([NodeID])
}

/// How much it matters to who asks.
package enum NeighbourPriority: Hashable, Sendable {
    /// Room is made for it.
    case high
    /// It is taken where there is room.
    case low
}

/// What happens to a node's views.
package enum MembershipEvent: Hashable, Sendable {
    /// There is a node to begin with.
    case join(NodeID)
    case received(MembershipMessage, from: NodeID)
    /// A node could not be reached, or the connection to it broke.
    case failed(NodeID)
    /// Every `GossipLimits.cycleMilliseconds`.
    case cycle
}

/// What is to be done for a node's views.
package enum MembershipEffect: Hashable, Sendable {
    /// Over the connection to that node, or over one that is opened for it; `failed` if there is none.
    case send(MembershipMessage, to: NodeID)
    /// A neighbour more.
    case up(NodeID)
    /// A neighbour less; the connection may stay.
    case down(NodeID)
    /// The message broke a bound: nothing of it was taken.
    case violation(NodeID)
}
