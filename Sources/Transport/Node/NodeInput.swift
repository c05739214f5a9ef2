internal import Entries
internal import Storage
internal import Sync

/// The caller of an append; nil if nobody waits.
typealias AppendReply = CheckedContinuation<Result<OwnAppend, AppendError>, Never>?

/// The caller that stores chunks from elsewhere than a peer.
typealias BringReply = CheckedContinuation<Result<Void, StorageError>, Never>

/// The command that imports a bundle.
typealias ImportReply = CheckedContinuation<Result<BundleReceipt, StorageError>, Never>

/// The command that is about to export the own log.
typealias ReleaseReply = CheckedContinuation<Result<OwnRelease?, StorageError>, Never>

/// Input to the node from its threads and timers, in order.
enum NodeInput: Sendable {
    case event(NodeEvent)
    case appended(OwnAppend, EntryStore.Publication, AppendReply)
    /// Chunks from elsewhere than a peer are stored.
    case brought([OwnAppend], BringReply)
    /// A bundle's frame was imported, with its receipt.
    case imported(BundleIntake.Taking, ImportReply)
    /// The whole own log is marked as published, for an export.
    case released(OwnRelease?, ReleaseReply)
    case notAppended(AppendError, AppendReply)
    /// The followed identities, and so the scope, may have changed.
    case carried(Carrying.Meaning)
    /// An own deleted post has an edit that no delete names.
    case strayEdit(EntryID)
    case storageFailed(StorageError)
    /// This file of the store was removed or replaced.
    case databaseLost(String)
    /// What was stored is stored, but nothing gives way to the disk budget.
    case evictionFailed(StorageError)
    case fileFailed(SystemError)
    /// These pins are in the home's file.
    case pinned([PeerAddress: NodeID])
    case pinFailed(HomeError)
    /// The pause after a write of learned addresses is over.
    case learningRested
    case timerFired
    case watchExpired(Int)
    case stop
}
