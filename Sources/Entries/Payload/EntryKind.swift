/// The kind of an entry: a `u16` in its header (`protocol/payload.md` §4).
///
/// An entry of any other number, a future kind, is stored and passed on, and folds to nothing.
package enum EntryKind: UInt16, Hashable, Sendable, CaseIterable {
    case post = 1
    case edit = 2
    case vote = 3
    case follow = 4
    case profile = 5
    case delete = 6

    // Reserved: the erasable bit is fixed, there is no payload yet, and they fold to nothing.
    case `private` = 7
    case label = 8
    case channel = 9
    case proof = 10

    /// Whether bit 0 of the header's flags, *erasable*, has to be set; with another bit an entry folds to nothing.
    ///
    /// Votes, follows and deletes decide other entries' state, so they are never erased.
    package var isErasable: Bool {
        switch self {
        case .post, .edit, .profile, .private, .label, .channel: true
        case .vote, .follow, .delete, .proof: false
        }
    }
}
