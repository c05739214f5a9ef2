/// Why bytes are not a Negentropy V1 message (`protocol/sync.md` §13).
package enum NegentropyError: Error, Hashable, Sendable, CaseIterable {
    /// The first byte is not 0x61, or there is none.
    case wrongVersion
    /// The message ends within a range.
    case truncated
    /// An integer not in its shortest form, or of more than 64 bits.
    case badInteger
    /// A time above 64 bits, or the greatest, which is the end's.
    case timeOverflow
    /// A prefix of more than 32 bytes, or at the end bound.
    case badPrefix
    /// A bound that is not above the one before, or that follows the end.
    case boundOutOfOrder
    /// Neither skip, fingerprint nor ids.
    case badMode
    /// More ids than a message may have.
    case idListTooLong
}
