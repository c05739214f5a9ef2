/// What the fold reads of a header alone (`protocol/fold.md` §2).
extension EntryHeader {
    /// The kind that this entry folds as; nil if it folds to nothing whatever its payload says.
    ///
    /// Nil for another version, a flag of the future, an unknown or reserved kind, a bit 0 that is not the kind's, and a
    /// payload over the limit.
    package var foldedKind: EntryKind? {
        guard version == Self.currentVersion, flags <= Self.erasableFlag,
            length <= EntryLimits.maximumPayloadBytes,
            let kind = EntryKind(rawValue: kind), kind.isErasable == isErasable
        else { return nil }
        switch kind {
        case .post, .edit, .vote, .follow, .profile, .delete: return kind
        case .private, .label, .channel, .proof: return nil
        }
    }

    /// Unix milliseconds, at most 2⁵³ − 1: what the display is ordered by.
    package var foldedTime: UInt64 { min(time, EntryLimits.maximumClock) }

    /// At most 2⁵³ − 1: what registers are ordered by.
    package var foldedClock: UInt64 { min(clock, EntryLimits.maximumClock) }
}
