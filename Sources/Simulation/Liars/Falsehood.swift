/// One way of lying.
package enum Falsehood: String, Hashable, Sendable, CaseIterable {
    case twoHistories = "two histories"
    case twoSettlements = "two settlements"
    /// One that the root key has replaced since.
    case olderSettlement = "older settlement"
    /// Everything of a log that forked, as its device signed it.
    case headBeyondCut = "head beyond a cut"
    case withheldEntries = "withheld entries"
    case withheldBodies = "withheld bodies"
    case otherBodies = "other bodies"
    case otherHistory = "other history in a gap"
    case forgedEntry = "forged entry"
    case forgedSettlement = "forged settlement"
    case forgedEvidence = "forged evidence"
    case usurpedDevice = "usurped device"
    /// That it has more of the log that a node writes than the node.
    case ownLogClaim = "claim to an own log"
    /// A writer of another network.
    case foreign
    case repeatedEntries = "repeated entries"
    /// Bodies that were deleted since, in their old places.
    case erasedBodies = "erased bodies"
    case garbledHandshake = "garbled handshake"
    /// Nodes beside entries: one too few, and others than belong there.
    case shortProof = "short proof"
    case wrongProof = "wrong proof"
    /// A history that is asked for, and is none.
    case wrongPrefix = "wrong prefix"
    case endless
    /// A head over much of which only little is given.
    case stingy
    case flood
    /// Logs that nobody has.
    case inventedLogs = "invented logs"
}

/// How often each was told, and how often who told it was dropped for breaking the protocol.
package struct LieTally: Hashable, Sendable {
    package internal(set) var told: [Falsehood: Int] = [:]
    package internal(set) var caught: [Falsehood: Int] = [:]
    /// Calls of somebody who was caught at the same node before, and did not come to speak there.
    package internal(set) var turnedAway = 0
    /// What was last told from a host.
    private var last: [String: Falsehood] = [:]

    package init() {}

    mutating func tell(_ falsehood: Falsehood, from host: String) {
        told[falsehood, default: 0] += 1
        last[host] = falsehood
    }

    /// A node dropped whoever called from there.
    mutating func drop(_ host: String) {
        if let falsehood = last[host] { caught[falsehood, default: 0] += 1 }
    }

    /// Those of another trial.
    package mutating func add(_ other: LieTally) {
        told.merge(other.told, uniquingKeysWith: +)
        caught.merge(other.caught, uniquingKeysWith: +)
        turnedAway += other.turnedAway
    }

    /// Each that was told, as it is printed.
    package var words: [String] {
        let words = Falsehood.allCases.compactMap { falsehood in
            told[falsehood].map { "\(falsehood.rawValue) \($0) (caught \(caught[falsehood] ?? 0))" }
        }
        return turnedAway > 0 ? words + ["turned away \(turnedAway)"] : words
    }
}
