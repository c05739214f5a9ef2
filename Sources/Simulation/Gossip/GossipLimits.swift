import Sync

/// The parameters of the two papers on gossip, and the bounds that their machines have here.
///
/// *HyParView*: Leitão, Pereira, Rodrigues, "HyParView: a membership protocol for reliable gossip-based broadcast", DSN
/// 2007. *Plumtree*: the same, "Epidemic broadcast trees", SRDS 2007. Both tested with 10,000 nodes what their
/// experimental setting names. Waits and bounds that a node has too are the node's (`Limits`).
package enum GossipLimits {
    // MARK: HyParView

    /// Neighbours: the fanout of 4, and the neighbour from which a message came (HyParView, experimental setting).
    package static let activeViewCount = 5
    /// Nodes in the passive view, to replace failed neighbours (HyParView, experimental setting).
    package static let passiveViewCount = 30
    /// Hops of a newcomer's random walk, "ARWL" (HyParView, experimental setting).
    package static let activeWalkHops = 6
    /// Hops left at which a newcomer is put into a passive view, "PRWL" (HyParView, experimental setting).
    package static let passiveWalkHops = 3
    /// Hops of a shuffle's random walk (HyParView, experimental setting).
    package static let shuffleWalkHops = 6
    /// Neighbours named in a shuffle, "ka" (HyParView, experimental setting).
    package static let shuffleActiveCount = 3
    /// Nodes of the passive view named in a shuffle, "kp" (HyParView, experimental setting).
    package static let shufflePassiveCount = 4
    /// Nodes named in a shuffle or its answer, without the origin.
    package static let shuffleSampleCount = shuffleActiveCount + shufflePassiveCount
    /// Walks that a node forwards or ends within one cycle; each costs others as much as its sender.
    ///
    /// About seven reach a node in a cycle, and some hundreds the one through which a crowd joins. A guess.
    package static let walksPerCycle = 512
    /// Milliseconds from one shuffle of a node to the next; the papers count cycles and give no time. A guess.
    package static let cycleMilliseconds: UInt64 = 30_000

    // MARK: Plumtree

    /// Hops by which an offered path must be shorter to replace the one in use (Plumtree, experimental setting).
    package static let treeThresholdHops: UInt32 = 7
    /// Milliseconds until the next offerer is asked: a round trip to a neighbour (Plumtree). A guess.
    package static let graftAgainMilliseconds: UInt64 = 200
    /// Heads offered in one message: as many as Changes may have logs.
    package static let offersPerMessage = 2_000
    /// Heads that were offered and are missing, over all links; what is beyond it, anti-entropy finds.
    package static let missingCount = Limits.missingCount
    /// Offerers remembered for one head, asked in turn.
    package static let offerersCount = 8
    /// The largest hop count accepted: ten times what 10,000 nodes need.
    package static let maximumHops: UInt32 = 255
}
