package import Entries
package import Sync

/// What a node sent and was asked in the hour in which nothing was new.
package struct QuietHour: Hashable, Sendable {
    package var milliseconds: UInt64 = 0
    /// Connections that were open when it began.
    package var sessions = 0
    /// Messages by type, as the node counts.
    package var spoken = SpokenMessages()
    /// What the node's host sent on the wire.
    package var wire = WireTally()
    package var asked = AskedLogs()

    package init() {}
}

/// How often peers asked a node for something of a log, counted by the node's reads of its store.
package struct AskedLogs: Hashable, Sendable {
    /// Reads of entries, tree nodes and prefixes, by log.
    package private(set) var entries: [LogID: UInt64] = [:]
    /// Reads of bodies, by place.
    package private(set) var bodies: [BodyPlace: UInt64] = [:]
    /// Reads of the store in all.
    package private(set) var reads: UInt64 = 0

    package init() {}

    package mutating func count(_ effect: NodeEffect) {
        switch effect {
        case .readRanges(_, let wants, _): for want in wants { entries[want.log, default: 0] += 1 }
        case .readPrefix(_, let log, _), .readPrefixProof(_, let log, _), .readNodes(_, let log, _),
            .weighPrefix(_, let log, _):
            entries[log, default: 0] += 1
        case .readBodies(_, let places, _): for place in places { bodies[place, default: 0] += 1 }
        case .send, .close, .dial, .verify, .take, .checkWords, .wake, .report, .learnPeers, .pin: return
        }
        reads += 1
    }
}
