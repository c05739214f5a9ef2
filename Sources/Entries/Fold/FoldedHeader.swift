/// The part of the fold that reads only the header (`protocol/fold.md` §2).
extension EntryHeader {
    /// The kind that this entry folds as; nil if it folds to nothing whatever its payload.
    ///
    /// Nil for another version, a flag other than bit 0, an unknown or reserved kind, a bit 0 that is not the kind's,
    /// and a payload above the limit.
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

    /// Unix milliseconds, at most 2⁵³ − 1: orders the display.
    package var foldedTime: UInt64 { min(time, EntryLimits.maximumClock) }

    /// At most 2⁵³ − 1: orders the writes of a register.
    package var foldedClock: UInt64 { min(clock, EntryLimits.maximumClock) }
}
