package import Entries
internal import Sync

/// Results for the chunks of one frame: the node's response to an importing command.
package struct BundleReceipt: Hashable, Sendable, Codable {
    /// One for each chunk, in order; a fault ends the list. For a frame of settlements and evidence: only a fault.
    package internal(set) var verdicts: [ChunkVerdict] = []
    /// Logs with more entries than before.
    package internal(set) var gains: [Gain] = []
    /// Wanted bodies that arrived.
    package internal(set) var bodies = 0
    package internal(set) var ownLog: OwnLogFinding?
    /// Settlements and fork evidence that came into force; nil from a node of a version that knows neither.
    package internal(set) var judged: [Judged]?
    /// Logs of which nothing more counts, since they are not carried; nil: none, or the node does not say.
    package internal(set) var refused: [LogID]?
    /// Logs of which something new was passed over, since the file had the entries of their identity counted anew
    /// often enough (`BundleRecounts`); nil: none, or the node has no such bound.
    package internal(set) var passed: [LogID]?

    /// Appends the results for the next frame.
    mutating func add(_ next: BundleReceipt) {
        verdicts += next.verdicts
        gains += next.gains
        bodies += next.bodies
        if let finding = next.ownLog, ownLog != .stopped { ownLog = finding }
        if let more = next.judged { judged = (judged ?? []) + more }
        if let more = next.refused { refused = (refused ?? []) + more }
        if let more = next.passed { passed = (passed ?? []) + more }
    }

    package enum Judged: Hashable, Sendable, Codable {
        case settled(LogID)
        case forked(LogID)
        /// Item id of the ended account (`LogID(endOf:in:)`).
        case ended(LogID)
    }

    package struct Gain: Hashable, Sendable, Codable {
        package let log: LogID
        package let identity: IdentityID
        package let entries: UInt64
    }

    /// What the bundle shows of the own log.
    package enum OwnLogFinding: Hashable, Sendable, Codable {
        case agreed
        /// Signing stopped: the home was copied, or restored from a backup.
        case stopped
    }
}

/// Result for one chunk.
package enum ChunkVerdict: Hashable, Sendable, Codable {
    /// Verified; its new entries are stored.
    case taken
    /// All entries were held, and the head is valid for them.
    case known
    /// All entries were held; what precedes a head that is still incomplete is not compared.
    case unchecked
    /// It begins beyond the held entries, or is passed over.
    case later
    /// The writer signed this branch and the one that is held.
    case forked
    /// It differs from the held entries; the bundle does not show whether the writer forked or the bundle is false.
    case differs
    case fault(BundleFault)
}

/// Ids are base32 on the control socket.
extension Identifier where Self: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Base32.decode(try container.decode(String.self)).flatMap({ Self($0) }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an id")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension LogID: Codable {}
extension IdentityID: Codable {}
