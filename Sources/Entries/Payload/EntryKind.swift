/// What an entry is: a `u16` in its header (`protocol/payload.md` §4).
///
/// Any other number is a kind of the future: stored and passed on, folded to nothing.
package enum EntryKind: UInt16, Hashable, Sendable, CaseIterable {
    case post = 1
    case edit = 2
    case vote = 3
    case follow = 4
    case profile = 5
    case delete = 6

    // Reserved: numbered so that their bit is settled, but without a payload yet; they fold to nothing.
    case `private` = 7
    case label = 8
    case channel = 9
    case proof = 10

    /// Whether bit 0 of the header's flags has to be set: the body may be erased.
    ///
    /// An entry of this kind with the other bit folds to nothing. What others' state is counted from (votes, follows,
    /// deletes) stays for ever.
    package var isErasable: Bool {
        switch self {
        case .post, .edit, .profile, .private, .label, .channel: true
        case .vote, .follow, .delete, .proof: false
        }
    }
}
