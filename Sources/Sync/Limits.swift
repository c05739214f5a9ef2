/// Every bound of the protocol, with its reason.
package enum Limits {
    /// Bytes of one protocol message, type and body together (`protocol/channel.md` §4).
    ///
    /// It is what a peer can make this node hold for one message; sixteen payloads of the largest size fit in.
    package static let maximumMessageBytes = 1_048_576

    /// Bytes of one Noise message, tag included (Noise §3).
    ///
    /// Its length goes ahead in two bytes, so no longer one can be written.
    package static let maximumNoiseMessageBytes = 65_535

    /// Transport messages in one direction after which both sides take that direction's next key (Noise §11.3).
    ///
    /// So at most 4 GiB go under one key, and a key that leaks opens nothing from before its rekey. A guess.
    package static let rekeyIntervalMessages: UInt64 = 65_536
}
