/// One kind of lie.
package enum Falsehood: String, Hashable, Sendable, CaseIterable {
    case twoHistories = "two histories"
    case twoSettlements = "two settlements"
    /// A settlement that the root key has replaced since.
    case olderSettlement = "older settlement"
    /// All entries of a forked log, under the head that its device signed.
    case headBeyondCut = "head beyond a cut"
    case withheldEntries = "withheld entries"
    case withheldBodies = "withheld bodies"
    case otherBodies = "other bodies"
    case otherHistory = "other history in a gap"
    case forgedEntry = "forged entry"
    case forgedSettlement = "forged settlement"
    case forgedEvidence = "forged evidence"
    case usurpedDevice = "usurped device"
    /// A claim to hold more of a node's own log than the node.
    case ownLogClaim = "claim to an own log"
    /// Entries of another network.
    case foreign
    case repeatedEntries = "repeated entries"
    /// Entries with the bodies that their authors deleted since.
    case erasedBodies = "erased bodies"
    case garbledHandshake = "garbled handshake"
    /// A chunk whose compact range has one node too few.
    case shortProof = "short proof"
    /// A chunk whose compact range has random nodes.
    case wrongProof = "wrong proof"
    /// A prefix proof of random nodes.
    case wrongPrefix = "wrong prefix"
    case endless
    /// A head far beyond the entries that are served.
    case stingy
    case flood
    /// Announced logs that do not exist.
    case inventedLogs = "invented logs"
}

/// How often each lie was told, and how often its teller was disconnected for a violation.
package struct LieTally: Hashable, Sendable {
    package internal(set) var told: [Falsehood: Int] = [:]
    package internal(set) var caught: [Falsehood: Int] = [:]
    /// Calls of a liar that had called the same node before with the same key, and that the node closed before its
    /// Hello.
    package internal(set) var turnedAway = 0
    /// The last lie from each host.
    private var last: [String: Falsehood] = [:]

    package init() {}

    mutating func tell(_ falsehood: Falsehood, from host: String) {
        told[falsehood, default: 0] += 1
        last[host] = falsehood
    }

    /// Counts the last lie from a host as caught: a node closed the connection for a violation.
    mutating func drop(_ host: String) {
        if let falsehood = last[host] { caught[falsehood, default: 0] += 1 }
    }

    /// Adds the counts of another trial.
    package mutating func add(_ other: LieTally) {
        told.merge(other.told, uniquingKeysWith: +)
        caught.merge(other.caught, uniquingKeysWith: +)
        turnedAway += other.turnedAway
    }

    /// A text for each lie that was told, as it is printed.
    package var words: [String] {
        let words = Falsehood.allCases.compactMap { falsehood in
            told[falsehood].map { "\(falsehood.rawValue) \($0) (caught \(caught[falsehood] ?? 0))" }
        }
        return turnedAway > 0 ? words + ["turned away \(turnedAway)"] : words
    }
}
