package import Entries

/// Everything that a node wants done; performed in order.
package enum NodeEffect: Hashable, Sendable {
    /// Queues bytes on the connection, and answers with `sent` as they leave.
    case send(SessionID, [UInt8])
    /// Closes once what was queued has left, or after `Limits.closeLingerSeconds`.
    case close(SessionID)
    case dial(DialID, PeerTarget)
    /// Answered by `verified` or `verifyFailed`.
    case verify(UnverifiedBatch)
    /// One transaction of the store; answered by `taken` or `takeFailed`.
    case take(BatchID, TakeBatch)
    /// Answered by `ranges`: as much as fits `byteLimit`, but at least one entry.
    case readRanges(RequestID, [RangeWant], byteLimit: Int)
    /// The compact range of [0, end) of a log; answered by `prefix`.
    case readPrefix(RequestID, LogID, end: UInt64)
    /// The same with a proof, for a peer; answered by `prefixProof`.
    case readPrefixProof(RequestID, LogID, end: UInt64)
    /// The descendants of a place in a log's tree; answered by `nodes`.
    case readNodes(RequestID, LogID, TreePlace)
    /// What a peer showed of its history of a log, beside the own one of the same length; answered by `prefixWeighed`.
    case weighPrefix(RequestID, LogID, PrefixProof)
    /// Settlements and fork evidence to check, off the event loop; answered by `judged`.
    case judge(RequestID, [UnverifiedVerdict])
    /// Answered by `bodies`: as much as fits `byteLimit`, but at least one body.
    case readBodies(RequestID, [BodyPlace], byteLimit: Int)
    /// Send `timer` at this moment of the monotonic clock; it replaces the moment before.
    case wake(at: UInt64)
    case report(NodeReport)
    /// Addresses heard from peers, to be kept beside the peers file; the whole list.
    case learnPeers([PeerTarget])
    /// A peer was met for the first time where the peers file names no node: from now on it must be this one.
    case pin(PeerAddress, NodeID)
}

/// Chunks to check, off the event loop; the runs do not depend on each other.
package struct UnverifiedBatch: Hashable, Sendable {
    package let id: BatchID
    package let runs: [UnverifiedRun]

    package init(id: BatchID, runs: [UnverifiedRun]) {
        self.id = id
        self.runs = runs
    }
}

/// Chunks of one log in the order in which they came: each is checked over the end of the one before.
package struct UnverifiedRun: Hashable, Sendable {
    package let log: LogID
    package let prefix: Prefix
    package let chunks: [UnverifiedChunk]

    package enum Prefix: Hashable, Sendable {
        /// What the store holds now (`EntryStore.prefixes`); `LogPrefix.none` if it knows nothing of the log.
        case store
        /// The end of what was verified before and is on its way into the store.
        case known(LogPrefix)
        /// What the store holds now before the log's gap (`LogPrefix.beforeGap`); `LogPrefix.none` if there is none.
        case beforeGap
    }

    package init(log: LogID, prefix: Prefix, chunks: [UnverifiedChunk]) {
        self.log = log
        self.prefix = prefix
        self.chunks = chunks
    }

    /// Whether the store is asked.
    package var isOverStored: Bool {
        switch prefix {
        case .store, .beforeGap: true
        case .known: false
        }
    }

    /// What the first of the chunks is checked over; `stored` is what the store says, nil: nothing is known.
    package func base(_ stored: LogPrefix?) -> LogPrefix {
        switch prefix {
        case .store: stored ?? .none
        case .known(let prefix): prefix
        case .beforeGap: stored?.beforeGap ?? .none
        }
    }
}
