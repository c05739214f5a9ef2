internal import Entries
internal import Storage
internal import Sync

/// Whoever asked for an own entry to be written.
typealias AppendReply = CheckedContinuation<Result<OwnAppend, AppendError>, Never>?

/// What reaches the node from its threads and timers, in order.
enum NodeInput: Sendable {
    case event(NodeEvent)
    case appended(OwnAppend, AppendReply)
    case notAppended(AppendError, AppendReply)
    /// An own deleted post has an edit that no delete names.
    case strayEdit(EntryID)
    case storageFailed(StorageError)
    case fileFailed(SystemError)
    case timerFired
    case watchExpired(Int)
    case stop
}
