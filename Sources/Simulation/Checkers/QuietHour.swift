package import Entries
package import Sync

/// What passed at a node in the hour in which nothing was new.
package struct QuietHour: Hashable, Sendable {
    package var milliseconds: UInt64 = 0
    /// Connections that stood when it began.
    package var sessions = 0
    /// By the node's own account, messages by type.
    package var spoken = SpokenMessages()
    /// What its host put on the wire.
    package var wire = WireTally()
    package var asked = AskedLogs()

    package init() {}
}

/// Of which logs peers asked a node something, as its questions to the store show.
package struct AskedLogs: Hashable, Sendable {
    /// Entries, nodes of trees and histories, by how often.
    package private(set) var entries: [LogID: UInt64] = [:]
    /// Bodies.
    package private(set) var bodies: [BodyPlace: UInt64] = [:]
    /// Times that the store was asked, whatever for.
    package private(set) var reads: UInt64 = 0

    package init() {}

    package mutating func count(_ effect: NodeEffect) {
        switch effect {
        case .readRanges(_, let wants, _): for want in wants { entries[want.log, default: 0] += 1 }
        case .readPrefix(_, let log, _), .readPrefixProof(_, let log, _), .readNodes(_, let log, _),
            .weighPrefix(_, let log, _):
            entries[log, default: 0] += 1
        case .readBodies(_, let places, _): for place in places { bodies[place, default: 0] += 1 }
        case .send, .close, .dial, .verify, .take, .judge, .wake, .report, .learnPeers, .pin: return
        }
        reads += 1
    }
}
