internal import Storage
internal import Sync

/// Questions to the machine that are asked for each post or read.
extension Node {
    /// Asks the machine where it is: a property that is read, and not accessed to be changed, is copied first, with
    /// every part of it.
    private func ask<Answer>(_ question: (inout NodeMachine) -> Answer) -> Answer { question(&machine) }

    /// Whether messages of this session wait until it has its next turn.
    func hasUnread(_ session: SessionID) -> Bool { ask { $0.hasUnread(session) } }

    /// Whether an entry that is written now may be sent at once (`protocol/own-log.md` §1).
    var publication: EntryStore.Publication { ask { $0.ownLogIsCleared } ? .cleared : .held }

    /// Whether nothing is signed until a person has decided.
    var isSigningStopped: Bool { ask { $0.isSigningStopped } }
}
