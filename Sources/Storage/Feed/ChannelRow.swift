package import Entries

/// A channel and how many of its posts a feed shows.
package struct ChannelRow: Hashable, Sendable {
    package let channel: Channel
    package let posts: Int
    /// Folded time of the newest post that is due; nil if none is.
    package let latest: UInt64?
}
