package import Entries
package import Sodium

/// Everything that can happen to a node (`NodeMachine.received`).
///
/// The shell sends one event for each outcome of an effect: a dial ends in `opened` or `dialFailed`, a session in
/// exactly one `closed`, a batch to verify in `verified` or `verifyFailed`, a transaction in `taken` or `takeFailed`, a
/// request to the store in its answer or `readFailed`. A late event, for a session or batch that is over, is ignored.
package enum NodeEvent: Sendable {
    /// The first event; nothing is dialled before it.
    case started
    /// A connection is open. `ephemeral` is drawn for this session and used for no other.
    case opened(SessionID, Direction, ephemeral: AgreementKey)
    /// Bytes from the peer, cut anywhere.
    case received(SessionID, [UInt8], ReadingExtent = .whole)
    /// The next turn of a session with unread messages (`NodeMachine.hasUnread`).
    case readOn(SessionID)
    /// That many bytes have left for the network; all others that were sent still count as queued.
    case sent(SessionID, bytes: Int)
    /// The connection is closed, by either side.
    case closed(SessionID)
    case dialFailed(DialID, DialFailure)
    /// The moment of the last `wake` has come; early or spurious timers are harmless.
    case timer
    /// The outcomes of a batch, in the order of its runs and chunks.
    case verified(BatchID, [[ChunkOutcome]])
    /// The store could not read the prefixes of the batch: the batch is tried again.
    case verifyFailed(BatchID, StoreFailure)
    /// The batch is stored; the time is the transaction's own.
    case taken(BatchID, TakeReport, microseconds: UInt64)
    /// Nothing of the batch was stored: it is tried again.
    case takeFailed(BatchID, StoreFailure)
    /// The answers, in the order of the wants; fewer where the byte limit was reached.
    case ranges(RequestID, [RangeAnswer])
    /// The compact range of [0, end); nil: the stored log is shorter.
    case prefix(RequestID, [Bytes32]?)
    /// The compact range of [0, end) with its proof; nil: nothing stored proves it.
    case prefixProof(RequestID, PrefixProof?)
    /// The descendants of the node; nil: the stored log is shorter.
    case nodes(RequestID, [Bytes32]?)
    case prefixWeighed(RequestID, PrefixWeight)
    /// The outcomes of the check, in the order of the words.
    case wordsChecked(RequestID, [WordOutcome])
    /// The answers, in the order of the places; fewer where the byte limit was reached.
    case bodies(RequestID, [BodyAnswer])
    case readFailed(RequestID)
    /// The author here wrote an entry, and it is durable.
    case appended(OwnAppend)
    /// An entry of the author here, of which the transaction also raised *published* (`protocol/own-log.md` §1), since
    /// `NodeMachine.ownLogIsCleared` was true when the store was asked.
    ///
    /// The entry goes out at once. If a peer has made a claim since, it waits like an appended one; if a peer has
    /// proven one, it stays here, and the stop takes *published* back.
    case published(OwnAppend)
    /// A file carries the own log away up to this size, and that is durable (*published* is raised).
    case released(UInt64)
    /// Entries of others' logs came by another way than a peer, and are durable: they are pushed like fresh ones, those
    /// of one transaction together. Only benchmarks write them.
    case brought([OwnAppend])
    /// A file brought entries or bodies, and they are durable: announced to peers, not pushed.
    case imported(ImportReport)
    /// The person here settled logs, and that is durable.
    case settled(TakeReport)
    /// The whole list of listed peers, as the peers file now has it.
    case peersChanged([PeerTarget])
    /// An address announced itself on the local network as a node of this network (`protocol/discovery.md`).
    case found(PeerAddress)
    /// The identities whose logs are carried from now on: the person here follows others than before, say.
    case scopeChanged(Scope)
    /// A person waits: peers in plain backoff are dialled now, and listed ones that are left alone for a violation.
    case hurry
    /// Say Goodbye to all peers and close; `NodeMachine.isIdle` tells when nothing is open any more.
    case stop
}

/// Why an operation of the store failed.
package enum StoreFailure: Hashable, Sendable {
    /// The operation may succeed later, and is retried with backoff: a full disk, say.
    case passing
    /// Stored data is unreadable, so the operation always fails; work on other logs goes on without it.
    case damaged
    /// The database rejects the operation without saying whether that passes; five failures in a row count as
    /// `damaged`.
    case unexplained
}

/// Why a peer could not be reached.
package enum DialFailure: Hashable, Sendable {
    case nameNotFound
    case refused
    case unreachable
    case timedOut
    /// Not tried: as many names are being looked up as may be at once.
    case busy
    case other
}

/// How much of a session's received messages is read in one go.
package enum ReadingExtent: Hashable, Sendable {
    case whole
    /// One turn (`Limits.turnItems`), so that other sessions get theirs soon; `NodeEvent.readOn` goes on, before any
    /// more bytes of the session.
    case inTurns
}
