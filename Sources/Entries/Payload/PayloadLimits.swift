/// Bounds of what is in a payload (`protocol/payload.md` §1 and §3); that of its bytes is one of an entry.
package enum PayloadLimits {
    /// Nesting of messages, the payload being level 1: today's kinds need 2, decoders allow 100 or any.
    package static let nestingDepth = 8

    /// Protobuf's own bound: a tag fits 32 bits.
    package static let fieldNumber: UInt64 = (1 << 29) - 1

    /// Enough to keep the text behind a hash from being guessed.
    package static let saltBytes = 16

    /// Channels of a post; a post in more is noise; a guess.
    package static let channelsPerPost = 8

    /// A channel's name is in every line of a feed; a guess.
    package static let channelBytes = 32

    /// A few lines of any script; a guess.
    package static let titleBytes = 1_024

    /// A name is in every line of a feed; a guess.
    package static let nameBytes = 64

    /// The longest names that people have, in any script; a guess.
    package static let fullNameBytes = 256

    /// A page about oneself; a guess.
    package static let bioBytes = 4_096
}
