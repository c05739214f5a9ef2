/// The parameters of the two papers on gossip, and the bounds that this node adds.
///
/// *HyParView*: Leitão, Pereira, Rodrigues, "HyParView: a membership protocol for reliable gossip-based broadcast", DSN
/// 2007. *Plumtree*: the same, "Epidemic broadcast trees", SRDS 2007. Both tested these values with 10,000 nodes.
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

    /// Links up to which all of a node's links stay branches: below a few dozen a tree saves little, and a full mesh of
    /// pushes is fastest. A guess.
    package static let eagerLinksCount = 24
    /// Hops by which an offered path must be shorter to replace the one in use (Plumtree, experimental setting).
    package static let treeThresholdHops: UInt32 = 7
    /// Milliseconds from the first offer of a head to the request for it, longer than a push may lag behind an offer.
    ///
    /// The paper asks for more than the tree's path takes longer than the offer's: a few round trips. A guess.
    package static let graftMilliseconds: UInt64 = 500
    /// Milliseconds until the next offerer is asked: a round trip to a neighbour (Plumtree). A guess.
    package static let graftAgainMilliseconds: UInt64 = 200
    /// Milliseconds for which the peer asked for a head may send nothing of it before another offerer is asked: some
    /// round trips around the world, and the peer's turn among those it serves. A guess.
    package static let silenceMilliseconds: UInt64 = 2_000
    /// Milliseconds for which the peer asked for a head may send other bytes, and nothing of it: a message of the usual
    /// size over a line of some 40 KB/s. A guess.
    package static let chatterMilliseconds = 3 * silenceMilliseconds
    /// Milliseconds for which offers are collected into one message. A guess.
    package static let offerMilliseconds: UInt64 = 100
    /// Heads offered in one message: as many as Changes may have logs.
    package static let offersPerMessage = 2_000
    /// Heads that were offered and are missing (in a node, those of one link). Beyond it the node requests at once, and
    /// the machine leaves them to anti-entropy.
    package static let missingCount = 1_024
    /// Offerers remembered for one head, asked in turn.
    package static let offerersCount = 8
    /// The largest hop count accepted: ten times what 10,000 nodes need.
    package static let maximumHops: UInt32 = 255
}
