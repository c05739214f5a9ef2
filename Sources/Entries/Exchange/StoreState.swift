/// The part of the store's state that a node loads at start; the rest is read on demand.
package struct StoreState: Hashable, Sendable {
    package var store: StoreID
    /// The last change number.
    package var number: UInt64
    package var frontier: [FrontierRow]
    /// Logs with pending entries (proven, beyond the frontier item), and their stored end.
    package var pending: [LogSize]
    /// This run and earlier ones, newest first.
    package var ranges: [StoreIDRange]
    package var cursors: [TakeBatch.PeerCursor]
    package var wants: [LogSize]
    package var wantedBodies: [BodyPlace]
    package var setAside: [LogID]
    package var own: OwnLogState?
    /// Standings of logs with a settlement or fork evidence, and of ended accounts.
    package var standings: [LogStanding]
    /// Gaps, at most one for each log.
    package var gaps: [GapPlace]

    package init(
        store: StoreID,
        number: UInt64,
        frontier: [FrontierRow],
        pending: [LogSize],
        ranges: [StoreIDRange],
        cursors: [TakeBatch.PeerCursor],
        wants: [LogSize],
        wantedBodies: [BodyPlace],
        setAside: [LogID],
        own: OwnLogState?,
        standings: [LogStanding],
        gaps: [GapPlace]
    ) {
        self.store = store
        self.number = number
        self.frontier = frontier
        self.pending = pending
        self.ranges = ranges
        self.cursors = cursors
        self.wants = wants
        self.wantedBodies = wantedBodies
        self.setAside = setAside
        self.own = own
        self.standings = standings
        self.gaps = gaps
    }
}

/// The state of the log that this home writes.
package struct OwnLogState: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64
    /// Size up to which the log ever left this home (`protocol/own-log.md` §1).
    package let published: UInt64
    package let signing: Signing

    package enum Signing: Hashable, Sendable {
        case allowed
        /// A peer has more of the log or another branch: entries that were never published stay here.
        case stopped
        /// Sixteen of the identity's logs come before it; signing resumes once it is carried.
        case notCarried
    }

    package init(log: LogID, size: UInt64, published: UInt64, signing: Signing = .allowed) {
        self.log = log
        self.size = size
        self.published = published
        self.signing = signing
    }
}
