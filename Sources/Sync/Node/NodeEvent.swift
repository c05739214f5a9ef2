package import Entries
package import Sodium

/// Everything that can happen to a node (`NodeMachine.received`).
///
/// Whoever performs the effects sends one event for each outcome: a dial ends in `opened` or `dialFailed`, a session
/// in exactly one `closed`, a batch in `verified` or `verifyFailed`, then, if it was taken, in `taken` or `takeFailed`, a
/// question to the store in its answer or `readFailed`. What is late, for a session or a batch that is over, is ignored.
package enum NodeEvent: Sendable {
    /// First of all; nothing is dialled before.
    case started
    /// A connection stands. `ephemeral` is drawn for this session and used for no other.
    case opened(SessionID, Direction, ephemeral: AgreementKey)
    /// Bytes from the peer, cut anywhere.
    case received(SessionID, [UInt8], Reading = .whole)
    /// The next turn of a session of which something is unread (`NodeMachine.hasUnread`).
    case readOn(SessionID)
    /// So many bytes of what was sent have left for the network: what is not yet told counts as queued.
    case sent(SessionID, bytes: Int)
    /// The connection is gone, whoever closed it.
    case closed(SessionID)
    case dialFailed(DialID, DialFailure)
    /// The moment of the last `wake` has come; early or spurious ones are harmless.
    case timer
    /// The outcomes of a batch, in the order of its runs and chunks.
    case verified(BatchID, [[ChunkOutcome]])
    /// The store could not say what the chunks of the batch continue: it is offered again.
    case verifyFailed(BatchID, StoreFailure)
    /// Stored, and how long the transaction took by itself.
    case taken(BatchID, TakeReport, microseconds: UInt64)
    /// Nothing of the batch was stored: it is offered again.
    case takeFailed(BatchID, StoreFailure)
    /// Answers, in the order of the wants; they may end early where the byte limit was reached.
    case ranges(RequestID, [RangeAnswer])
    /// The compact range of [0, end); nil if the log does not reach so far here.
    case prefix(RequestID, [Bytes32]?)
    /// Nil: nothing proves so much of the log here.
    case prefixProof(RequestID, PrefixProof?)
    /// Nil if the log does not reach so far here.
    case nodes(RequestID, [Bytes32]?)
    case prefixWeighed(RequestID, PrefixWeight)
    /// The outcomes, in the order of the verdicts.
    case judged(RequestID, [VerdictOutcome])
    /// Answers, in the order of the places; they may end early where the byte limit was reached.
    case bodies(RequestID, [BodyAnswer])
    case readFailed(RequestID)
    /// The author here wrote something, and it is durable.
    case appended(OwnAppend)
    /// The same where the store has noted, in the same transaction, that it leaves: asked of it while
    /// `NodeMachine.ownLogIsCleared` was true. It goes out at once; if a peer has claimed something since, it waits as what
    /// is appended does, and if one has proven something, it stays, and the stop takes the store's note back.
    case published(OwnAppend)
    /// A file takes so much of the own log away, and that is durable.
    case released(UInt64)
    /// Entries of logs that others write came by another way than a peer (an import, a replay), and are durable: they
    /// are told like fresh ones, those of one transaction together.
    case brought([OwnAppend])
    /// A file brought something, and it is durable: named to peers, not pushed.
    case imported(ImportReport)
    /// The person here settled logs, and it is durable.
    case settled(TakeReport)
    /// The whole list of listed peers, as the peers file now has it.
    case peersChanged([PeerTarget])
    /// Whoever is there says to the local network that it is a node of this network (`protocol/discovery.md`).
    case found(PeerAddress)
    /// Whose logs are carried from now on: whom the person here follows has changed, say.
    case scopeChanged(Scope)
    /// A person waits: whatever only waits out a plain backoff is dialled now.
    case hurry
    /// Says goodbye to everybody and closes; `NodeMachine.isIdle` tells when nothing is open any more.
    case stop
}

/// Why the store did nothing.
package enum StoreFailure: Hashable, Sendable {
    /// A full disk, say: the same may succeed later, and is tried with backoff.
    case passing
    /// Something that is stored is unreadable: the same fails for ever. What does not touch it is tried without it.
    case damaged
    /// The database does not take it, and it does not say whether it ever will: what fails five times in a row counts as
    /// `damaged`.
    case unexplained
}

/// Why a peer could not be reached.
package enum DialFailure: Hashable, Sendable {
    case nameNotFound
    case refused
    case unreachable
    case timedOut
    case other
}

/// How much of what came is looked at in one go.
package enum Reading: Hashable, Sendable {
    case whole
    /// So much that others have their say soon; `NodeEvent.readOn` goes on, before any more bytes of the session.
    case inTurns
}
