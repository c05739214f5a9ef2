/// What a node needs of its store to begin: everything else is asked for when it is needed.
package struct StoreState: Hashable, Sendable {
    package let store: StoreID
    /// The number of the last change.
    package let number: UInt64
    package let frontier: [FrontierRow]
    /// Logs that hold entries beyond their frontier item, proven but not complete: how far they reach.
    package let pending: [LogSize]
    /// This and earlier runs, newest first.
    package let ranges: [StoreIDRange]
    package let cursors: [TakeBatch.PeerCursor]
    package let wants: [LogSize]
    package let wantedBodies: [BodyPlace]
    package let setAside: [LogID]
    package let own: OwnLogState?
    /// Logs with a settlement or fork evidence, and accounts that ended.
    package let standings: [LogStanding]
    /// What was left out of logs, at most one place of each.
    package let gaps: [GapPlace]

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
        standings: [LogStanding] = [],
        gaps: [GapPlace] = []
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

/// The log that this home writes.
package struct OwnLogState: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64
    /// How much of it ever left this home.
    package let published: UInt64
    package let signing: Signing

    package enum Signing: Hashable, Sendable {
        case allowed
        /// A peer has more of the log, or another branch of it: what never left this home stays here.
        case stopped
        /// The identity has 16 logs before it: it may be signed again once it is carried.
        case notCarried
    }

    package init(log: LogID, size: UInt64, published: UInt64, signing: Signing = .allowed) {
        self.log = log
        self.size = size
        self.published = published
        self.signing = signing
    }
}
