/// The push tree: which links are branches, and how long what is only named may wait (`protocol/node.md` §5).
extension Limits {
    /// Links up to which all of a node's links stay branches: below a few dozen a tree saves little, and a full mesh of
    /// pushes is fastest. A guess.
    package static let eagerLinksCount = 24
    /// Milliseconds from the first offer of a head to the request for it, longer than a push may lag behind an offer.
    ///
    /// The paper on Plumtree (SRDS 2007) asks for more than the tree's path takes longer than the offer's: a few round
    /// trips. A guess.
    package static let graftMilliseconds: UInt64 = 500
    /// Milliseconds for which the peer asked for a head may send nothing of it before another offerer is asked: some
    /// round trips around the world, and the peer's turn among those it serves. A guess.
    static let silenceMilliseconds: UInt64 = 2_000
    /// Milliseconds for which the peer asked for a head may send other bytes, and nothing of it: a message of the usual
    /// size over a line of some 40 KB/s. A guess.
    static let chatterMilliseconds = 3 * silenceMilliseconds
    /// Milliseconds for which offers are collected into one message. A guess.
    package static let offerMilliseconds: UInt64 = 100
    /// Heads of one link that were offered and are missing; beyond it the node requests at once.
    package static let missingCount = 1_024
}
