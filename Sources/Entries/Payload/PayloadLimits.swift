/// Every bound of a payload (`protocol/payload.md` §1 and §3).
package enum PayloadLimits {
    /// A whole payload: an entry must fit one message beside its proof.
    package static let payloadBytes = 65_536

    /// Messages within messages, the payload itself being the first: today's kinds need 2, decoders allow 100 or none.
    package static let nestingDepth = 8

    /// As protobuf itself has it: a tag fits 32 bits.
    package static let fieldNumber: UInt64 = (1 << 29) - 1

    /// Enough against guessing the text behind a hash.
    package static let saltBytes = 16

    /// A post in more places than this is noise; a guess.
    package static let channelsPerPost = 8

    /// A channel's name stands in every line of a feed; a guess.
    package static let channelBytes = 32

    /// A few lines of any script; a guess.
    package static let titleBytes = 1_024

    /// A name stands in every line of a feed; a guess.
    package static let nameBytes = 64

    /// The longest names that people have, in any script; a guess.
    package static let fullNameBytes = 256

    /// A page about oneself; a guess.
    package static let bioBytes = 4_096
}
