/// What the two papers on gossip set, and this node's bounds around it.
///
/// *HyParView*: Leitão, Pereira, Rodrigues, "HyParView: a membership protocol for reliable gossip-based broadcast", DSN 2007.
/// *Plumtree*: the same, "Epidemic broadcast trees", SRDS 2007. Both tried 10,000 nodes with these figures.
package enum GossipLimits {
    // MARK: HyParView

    /// Neighbours: the fanout of 4, and the one from whom a message came (HyParView, experimental setting).
    package static let activeViewCount = 5
    /// Nodes to fall back on (HyParView, experimental setting).
    package static let passiveViewCount = 30
    /// Hops that a newcomer's name walks, "ARWL" (HyParView, experimental setting).
    package static let activeWalkHops = 6
    /// Hops left at which it is put into a passive view, "PRWL" (HyParView, experimental setting).
    package static let passiveWalkHops = 3
    /// Hops that a shuffle walks (HyParView, experimental setting).
    package static let shuffleWalkHops = 6
    /// Neighbours named in a shuffle, "ka" (HyParView, experimental setting).
    package static let shuffleActiveCount = 3
    /// Fall-back nodes named in a shuffle, "kp" (HyParView, experimental setting).
    package static let shufflePassiveCount = 4
    /// Nodes named in a shuffle or its answer, the origin not among them.
    package static let shuffleSampleCount = shuffleActiveCount + shufflePassiveCount
    /// Names that a node passes on, or takes in, within one cycle; each costs others what it costs its sender.
    ///
    /// About seven come to each node in a cycle, and some hundreds to the one through which a crowd joins. A guess.
    package static let walksPerCycle = 512
    /// Milliseconds from one shuffle of a node to its next: the papers count cycles and give no time. A guess.
    package static let cycleMilliseconds: UInt64 = 30_000

    // MARK: Plumtree

    /// Links of a node that all stay branches: below a few dozen a tree saves little, and a full mesh of pushes arrives
    /// first. A guess.
    package static let eagerLinksCount = 24
    /// Hops that an offered way must be shorter by, to take the place of the one in use (Plumtree, experimental setting).
    package static let treeThresholdHops: UInt32 = 7
    /// Milliseconds from the first offer of a head to asking for it, longer than a push may take behind an offer.
    ///
    /// The paper asks for more than the way through the tree takes longer than the offer's: a few round trips. A guess.
    package static let graftMilliseconds: UInt64 = 500
    /// Milliseconds until the next that offered is asked: a round trip to a neighbour (Plumtree). A guess.
    package static let graftAgainMilliseconds: UInt64 = 200
    /// Milliseconds for which who is asked for an offered head may say nothing of it, when another offers it too: some round
    /// trips around the world, and a peer's turn among what it serves. A guess.
    package static let silenceMilliseconds: UInt64 = 2_000
    /// Milliseconds for which offers are gathered into one message. A guess.
    package static let offerMilliseconds: UInt64 = 100
    /// Heads offered in one message: as many as logs in one of Changes.
    package static let offersPerMessage = 2_000
    /// Heads that were offered and are not here, in a node those of one link; what comes beyond it asks for at once, and the
    /// machine leaves to the anti-entropy.
    package static let missingCount = 1_024
    /// Those who offered one head, of whom it is asked in turn.
    package static let offerersCount = 8
    /// Hops that a message may say it has come: ten times what 10,000 nodes need. Beyond it a number is nobody's way.
    package static let maximumHops: UInt32 = 255
}
