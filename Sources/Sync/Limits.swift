/// The bounds of the protocol and of this node, with their reasons: here those of messages, in the extensions all
/// others.
package enum Limits {
    // MARK: Channel

    /// Bytes of one protocol message, type and body together (`protocol/channel.md`).
    ///
    /// A peer can make this node hold that much for one message; fifteen payloads of the largest size fit in.
    package static let maximumMessageBytes = 1_048_576

    /// Bytes of one Noise message, tag included (Noise §3): the most that its two-byte length prefix can say.
    package static let maximumNoiseMessageBytes = 65_535

    /// Transport messages in one direction after which both sides rekey that direction (Noise §11.3).
    ///
    /// So at most 4 GiB go under one key, and a leaked key opens nothing from before its rekey. A guess.
    package static let rekeyIntervalMessages: UInt64 = 65_536

    // MARK: Lists in messages (`protocol/wire.proto`)

    /// Optional features that one Hello may name; far more than exist.
    static let featuresCount = 64
    /// UTF-8 bytes of the agent in a Hello: one line of a log file; a longer agent is cut.
    package static let maximumAgentBytes = 64
    /// Logs in one Changes: about 80 KB a page, small beside a chunk; two million logs take a thousand pages.
    static let changesPageLogs = 2_000
    /// Logs that one Want asks for: enough to keep a fast link busy with tiny logs.
    static let wantsPerMessage = 1_024
    /// Wants of one peer that may wait for their answer.
    static let wantsUnanswered = 8_192
    /// Chunks in one message. A chunk of a new log takes about 350 bytes besides its entries, so about 3,000 fill a
    /// message.
    static let chunksPerMessage = 4_096
    /// Bytes of one lacking log in a message of chunks: a tag, a length and 32 bytes.
    static let lackingItemBytes = 34
    /// Nodes of one compact range: within 2³² leaves it has at most 32 on each slope.
    static let rangeNodesCount = 64
    /// PrefixWanted and NodesWanted of one peer together that may wait for their answer: each answer is small, and
    /// takes the store a few reads.
    static let prefixesUnanswered = 64
    /// Nodes in one Nodes message: the descendants of one node eight levels down, as the store keeps them.
    static let descendantsCount = 256
    /// Bytes of fork evidence: two heads and two entries, and at most ranges of 32, 64 and 64 nodes.
    static let evidenceBytes = 248...5_368
    /// Places in one BodiesWanted, and bodies in one Bodies.
    static let bodiesPerMessage = 1_024
    /// Bodies that one peer asked for and that may wait for their answer.
    static let bodiesUnanswered = 8_192
    /// Logs in one Compare page.
    static let comparePageLogs = 2_000
    /// Logs in one Comparison: 700 KB of the largest message.
    static let comparisonLogs = 16_384
    /// Frame limit of a Negentropy message: 4,096 ids, some 4 ms of work for the side that answers. A guess.
    package static let reconciliationFrameBytes = 131_072
    /// Bytes of the largest Negentropy message: after a list that was ended below the frame limit one range follows.
    static let reconciliationMessageBytes = reconciliationFrameBytes + 1_024
    /// Ids in one list: as many as fit a message.
    static let reconciliationIDs = reconciliationMessageBytes / 32
    /// Items in one Items message: 1 MiB with everything that a later version may say of a log.
    static let itemsPerMessage = 1_024
    /// Addresses in one Peers message.
    static let peersPerMessage = 32
    /// Bytes of a host: the longest name in the domain name system (RFC 1035 §2.3.4).
    static let maximumHostBytes = 253
}
