/// How much is under way on a connection (`protocol/node.md` §6).
extension Limits {
    /// Credit window: bytes of chunks and bodies that a peer may send ahead of what is stored.
    ///
    /// Sixteen messages of the usual size, so that the link, the verifier and the store all have work. It bounds what
    /// one peer can make this node hold.
    package static let creditWindowBytes: UInt64 = 4_194_304
    /// The least credit that a Hello may give: two of the largest messages (`protocol/sync.md` §7).
    static let minimumCreditBytes: UInt64 = 2 * (UInt64(maximumMessageBytes) + 4)
    /// Credit is given back in eighths of the window: one small message for two usual ones.
    static let creditReturnBytes: UInt64 = creditWindowBytes / 8
    /// Cap of the credit counted for a peer: more than any sender can use.
    static let maximumCreditBytes: UInt64 = 1 << 40
    /// Usual size of a message of chunks: large enough that the cost per message vanishes, small enough that the first
    /// is verified while the second is on its way.
    static let chunksMessageBytes = 262_144
    /// Largest chunk that is pushed; a larger one is announced and asked for. Half of the largest message, two usual
    /// ones.
    static let pushedChunkBytes = 524_288
    /// Bytes pushed to one peer at once; fresh entries beyond that are announced and asked for.
    static let pushedBytes = 524_288
    /// Bytes of entries pushed to a peer that reconnects with a cursor, in place of announcements.
    ///
    /// Some 200 posts, and little in vain for a peer that has them from another by then. A guess.
    static let resumedBytes = 65_536
    /// Changes since a peer's cursor up to which entries are pushed in place of announcements. A guess.
    static let resumedChanges = 256
    /// Logs of these read from the store at once: as many as the verifier's first batch takes (`openingBatchWork`).
    static let resumedLotLogs = 28
    /// With less left of `resumedBytes` the rest is announced, since the store answers with at least one entry.
    static let resumedLeastBytes = 4_096
    /// Bytes read from the store at once for one peer: two usual messages.
    static let readBytes = 524_288
    /// Wants, or places of bodies, handed to the store in one request.
    static let readWantsCount = 256
    /// Credit below which nothing is read for a peer: one entry of the largest size and its proof, with room.
    static let readableCreditBytes: UInt64 = 131_072
    /// Requests for what peers want that are open at the store at once, over all peers: it answers one while another's
    /// answer is packed. A live entry waits for that many answers at most, and that many are in memory beside the
    /// queues.
    static let readingsCount = 2
    /// Queue length up to which pages and chunks are made for a peer.
    ///
    /// What is begun below it is one more answer of the store (`readBytes`), page or message of a reconciliation, so
    /// that some 1.5 MiB wait for a peer that reads nothing. The queue has to last as long as the store takes to
    /// answer: a fiftieth of a second at a node's full sending rate.
    package static let queueSoftBytes = 1_048_576
    /// `queueSoftBytes` while the node is crowded; an answer of the store is then one message. A peer that reads still
    /// gets its turn, and has the socket's own buffer beside this queue.
    package static let queueCrowdedBytes = 131_072
    /// Bytes queued for all peers together from which on the node is crowded.
    package static let queueCrowdBytes = 16_777_216
    /// Bytes queued for all peers together above which the connection with the longest queue is closed. Peers that only
    /// ask and read nothing never come near it, however many they are.
    package static let queueTotalBytes = 67_108_864
    /// Queue length at which a peer that asks on and reads nothing is closed. OwnLog, Prefix, Nodes, Items, Peers and
    /// KeepAlive are sent without waiting for room in the queue.
    package static let queueHardBytes = 16_777_216
    /// Time within which a peer has to take some of the bytes queued for it, or it is dropped: 256 KiB, which are
    /// written at once, at 2 KB/s, as in the other direction (`slowProgressMilliseconds`).
    package static let readingDeadlineMilliseconds: UInt64 = 120_000
}
