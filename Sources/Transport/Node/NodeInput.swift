internal import Entries
internal import Storage
internal import Sync

/// Whoever asked for an own entry to be written.
typealias AppendReply = CheckedContinuation<Result<OwnAppend, AppendError>, Never>?

/// Whoever brought entries of others.
typealias BringReply = CheckedContinuation<Result<Void, StorageError>, Never>

/// Whoever hands over the frames of a file.
typealias ImportReply = CheckedContinuation<Result<BundleReceipt, StorageError>, Never>

/// Whoever is about to write the own log to a file.
typealias ReleaseReply = CheckedContinuation<Result<OwnRelease?, StorageError>, Never>

/// What reaches the node from its threads and timers, in order.
enum NodeInput: Sendable {
    case event(NodeEvent)
    case appended(OwnAppend, EntryStore.Publication, AppendReply)
    /// Entries of others, by no peer; the reply says that they are stored.
    case brought([OwnAppend], BringReply)
    /// Chunks of a file; the reply says what became of them.
    case imported(BundleIntake.Taking, ImportReply)
    /// A file takes away what is there of the own log; the reply says so.
    case released(OwnRelease?, ReleaseReply)
    case notAppended(AppendError, AppendReply)
    /// Whom the person here follows may be others now.
    case carried(Carrying.Meaning)
    /// An own deleted post has an edit that no delete names.
    case strayEdit(EntryID)
    case storageFailed(StorageError)
    case fileFailed(SystemError)
    /// The home's file says who was met there.
    case pinned([PeerAddress: NodeID])
    case pinFailed(HomeError)
    /// Addresses that were learned since may be written.
    case learningRested
    case timerFired
    case watchExpired(Int)
    case stop
}
