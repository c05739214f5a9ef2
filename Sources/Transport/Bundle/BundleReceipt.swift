package import Entries
internal import Sync

/// What became of the chunks of one frame: what a node answers to the command that reads the file.
package struct BundleReceipt: Hashable, Sendable, Codable {
    /// One for each chunk, in order; the last may be a fault, and then the rest was not looked at. Of words a fault alone.
    package internal(set) var verdicts: [ChunkVerdict] = []
    /// Logs that hold more than before.
    package internal(set) var gains: [Gain] = []
    /// Bodies that were wanted and have come.
    package internal(set) var bodies = 0
    package internal(set) var ownLog: OwnLogFinding?
    /// What root keys said and what forks showed that was not known before; nil from a node that knows no such thing.
    package internal(set) var judged: [Judged]?

    package enum Judged: Hashable, Sendable, Codable {
        case settled(LogID)
        case forked(LogID)
        /// The name of the end (`LogID(endOf:in:)`).
        case ended(LogID)
    }

    package struct Gain: Hashable, Sendable, Codable {
        package let log: LogID
        package let identity: IdentityID
        package let entries: UInt64
    }

    /// What the file shows of the log that this home writes.
    package enum OwnLogFinding: Hashable, Sendable, Codable {
        case agreed
        /// Nothing more is signed here: the home was copied, or restored from a backup.
        case stopped
    }
}

/// What became of one chunk.
package enum ChunkVerdict: Hashable, Sendable, Codable {
    /// Verified, and stored as far as it was new.
    case taken
    /// All of it was here, and its head is true of what is here.
    case known
    /// All of it was here; what lies before a head that is still incomplete is not compared.
    case unchecked
    /// It begins after what is held of the log.
    case later
    /// The writer signed this, and something else that is held here.
    case forked
    /// It differs from what is held; whether the writer or the file is to blame the file does not show.
    case differs
    case fault(BundleFault)
}

/// Ids go over the control socket in base32.
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
