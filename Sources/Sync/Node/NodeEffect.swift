package import Entries

/// Action that a node requests; the shell performs actions in order (`NodeMachine.received`).
package enum NodeEffect: Hashable, Sendable {
    /// Queue bytes on the connection; answered by `sent` as they leave.
    case send(SessionID, [UInt8])
    /// Close the connection once the queued bytes have left, or after `Limits.closeLingerSeconds`.
    case close(SessionID)
    case dial(DialID, PeerTarget)
    /// Verify chunks; answered by `verified` or `verifyFailed`.
    case verify(UnverifiedBatch)
    /// Store a batch in one transaction; answered by `taken` or `takeFailed`.
    case take(BatchID, TakeBatch)
    /// Read entries; answered by `ranges` with as much as fits `byteLimit`, but at least one entry.
    case readRanges(RequestID, [RangeWant], byteLimit: Int)
    /// Read the compact range of [0, end) of a log; answered by `prefix`.
    case readPrefix(RequestID, LogID, end: UInt64)
    /// Read the same with a proof, for a peer; answered by `prefixProof`.
    case readPrefixProof(RequestID, LogID, end: UInt64)
    /// Read the descendants of a node in a log's tree; answered by `nodes`.
    case readNodes(RequestID, LogID, TreePlace)
    /// Check a peer's proof of its history of a log and compare it with the stored one of the same length; answered by
    /// `prefixWeighed`.
    case weighPrefix(RequestID, LogID, PrefixProof)
    /// Check settlements and fork evidence, off the event loop; answered by `wordsChecked`.
    case checkWords(RequestID, [UnverifiedWords])
    /// Read bodies; answered by `bodies` with as much as fits `byteLimit`, but at least one body.
    case readBodies(RequestID, [BodyPlace], byteLimit: Int)
    /// Send `timer` at this moment of the monotonic clock, in place of the one requested before.
    case wake(at: UInt64)
    case report(NodeReport)
    /// Save the learned addresses beside the peers file; this is the whole list.
    case learnPeers([PeerTarget])
    /// Write the node id into the peers file, for a listed address without one: from now on this node has to answer
    /// there.
    case pin(PeerAddress, NodeID)
}

/// Chunks to verify, off the event loop; the runs are independent of each other.
package struct UnverifiedBatch: Hashable, Sendable {
    package let id: BatchID
    package let runs: [UnverifiedRun]

    package init(id: BatchID, runs: [UnverifiedRun]) {
        self.id = id
        self.runs = runs
    }
}

/// Chunks of one log in the order of arrival, each verified over the prefix that ends with the one before.
package struct UnverifiedRun: Hashable, Sendable {
    package let log: LogID
    package let prefix: Prefix
    package let chunks: [UnverifiedChunk]

    package enum Prefix: Hashable, Sendable {
        /// The stored prefix (`EntryStore.prefixes`); `LogPrefix.none` if nothing of the log is stored.
        case store
        /// The prefix that ends with chunks verified before, which are on their way into the store.
        case known(LogPrefix)
        /// The stored prefix before the log's gap (`LogPrefix.beforeGap`); `LogPrefix.none` if there is no gap.
        case beforeGap
    }

    package init(log: LogID, prefix: Prefix, chunks: [UnverifiedChunk]) {
        self.log = log
        self.prefix = prefix
        self.chunks = chunks
    }

    /// Whether the prefix has to be read from the store.
    package var isOverStored: Bool {
        switch prefix {
        case .store, .beforeGap: true
        case .known: false
        }
    }

    /// The prefix over which the first chunk is verified; `stored` is the store's, nil: the log is not known.
    package func base(_ stored: LogPrefix?) -> LogPrefix {
        switch prefix {
        case .store: stored ?? .none
        case .known(let prefix): prefix
        case .beforeGap: stored?.beforeGap ?? .none
        }
    }
}
