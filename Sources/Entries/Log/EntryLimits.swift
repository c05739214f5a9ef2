/// Bounds of an entry (`protocol/log.md` §1).
package enum EntryLimits {
    /// Bytes of a payload: a hundred screens of text, and small enough that fifteen bodies fit one message.
    package static let maximumPayloadBytes = 65_536
    /// Sequence numbers have 32 bits, so that (log number, seq) is one 64-bit key on disk.
    package static let maximumLogEntries: UInt64 = (1 << 32) - 1
    /// Lowest level of interior nodes that are stored: below it a proof hashes at most 2^8 − 1 leaves again.
    package static let lowestKeptLevel = 8
    /// Largest time and clock in the fold, which clamps to it: the largest integer that every JSON reader keeps exact.
    package static let maximumClock: UInt64 = (1 << 53) - 1
}
