package import Entries
package import Sodium

/// A person's profile, as far as it is known.
package struct Person: Hashable, Sendable {
    package let identity: IdentityID
    package let name: String?
    package let fullName: String?
    package let bio: String?
    package let avatar: Bytes32?
}

/// Follows as far as this node has seen them.
package struct FollowCounts: Hashable, Sendable {
    package let followers: Int
    package let following: Int
}

/// A channel and how many posts it holds.
package struct ChannelRow: Hashable, Sendable {
    package let channel: Channel
    package let posts: Int
    /// Folded time of the newest post that is due; nil if none is.
    package let latest: UInt64?
}

/// The beginning of an id as people type it: base32 characters, at least one.
package struct IDPrefix: Hashable, Sendable {
    /// As typed.
    package let text: String
    /// The range of the first eight bytes of a matching id.
    let bounds: ClosedRange<UInt64>

    /// Nil for no characters, more than 52, or one that base32 does not have; upper case is not folded.
    package init?(_ text: some StringProtocol) {
        guard (1...52).contains(text.utf8.count) else { return nil }
        var value: UInt64 = 0
        var free = 64
        for character in text.utf8 {
            let digit: UInt64
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt64(character - UInt8(ascii: "a"))
            case UInt8(ascii: "2")...UInt8(ascii: "7"): digit = UInt64(character - UInt8(ascii: "2")) + 26
            default: return nil
            }
            if free >= 5 {
                free -= 5
                value |= digit << UInt64(free)
            } else {
                value |= digit >> UInt64(5 - free)
                free = 0
            }
        }
        self.text = String(text)
        bounds = value...(value | (free == 64 ? .max : (1 << UInt64(free)) - 1))
    }

    func matches(_ id: some Identifier) -> Bool { id.description.hasPrefix(text) }
}

/// The counts and the state of a store.
package struct StoreStatus: Hashable, Sendable {
    /// Entries that count, of all logs.
    package let entries: Int
    package let logs: Int
    package let people: Int
    package let posts: Int
    /// Stored entries that do not count: pending, or hidden.
    package let pendingEntries: Int
    /// Logs of which a peer announced more than any peer supplied; whether there is more is not known.
    package let unsuppliedLogs: Int
    package let wantedBodies: Int
    /// Logs with a gap, whose newest entries came first.
    package let gaps: Int
    /// Entries missing in these gaps.
    package let missingEntries: Int
    package let setAsideLogs: Int
    package let databaseBytes: Int
    /// Bodies evicted to keep within the disk budget.
    package let droppedBodies: Int
    package let own: OwnLogState?
    package let ownIdentity: IdentityID?
    package let signing: Signing
    package let latestArrival: UInt64

    package enum Signing: Hashable, Sendable {
        case allowed
        /// A person has to decide first (`StoreReader.signingStop` says why).
        case stopped
    }
}

/// The fingerprint that two nodes compare, and how complete the frontier is.
package struct FingerprintReport: Hashable, Sendable {
    package let fingerprint: Fingerprint
    package let logs: Int
    package let entries: Int
    /// Logs of which a peer announced more than any peer supplied: that is not proven, and counts for nothing.
    package let unsuppliedLogs: Int
    package let wantedBodies: Int
    /// Logs with a gap.
    package let gaps: Int
    /// Bodies evicted to keep within the disk budget, and not wanted.
    package let droppedBodies: Int

    /// Whether nothing is missing but evicted bodies.
    package var isSettled: Bool { wantedBodies == 0 && gaps == 0 }
    package var isComplete: Bool { isSettled && droppedBodies == 0 }
}
