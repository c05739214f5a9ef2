internal import Entries
internal import GRDB

/// Reads the state from which a node starts.
enum StateReading {
    static func state(of store: StoreID, _ db: Database) throws -> StoreState {
        let home = try HomeRow.read(db)
        var frontier: [FrontierRow] = []
        var pending: [LogSize] = []
        var gaps: [GapPlace] = []
        let select = "SELECT \(LogState.columns) FROM \(LogState.tables) ORDER BY logs.change"
        try Prepared(db, select).rows { columns in
            let log = try LogState(columns)
            if let row = log.frontierRow { frontier.append(row) }
            if log.storedEnd > log.size, log.carriage == .carried {
                pending.append(LogSize(log: log.log, size: log.storedEnd))
            }
            if let gap = log.gap { gaps.append(GapPlace(log: log.log, bounds: gap.missing.bounds)) }
            return .more
        }
        let ends = try EndTable(db).ends().map(\.row)
        if !ends.isEmpty { frontier = (frontier + ends).sorted { $0.number < $1.number } }
        return StoreState(
            store: store,
            number: home.number,
            frontier: frontier,
            pending: pending,
            ranges: try Runs.ranges(number: home.number, db),
            cursors: try cursors(db),
            wants: try Prepared(db, "SELECT log, size FROM wants").all { columns in
                LogSize(log: try columns.id(0), size: columns.bits(1))
            },
            wantedBodies: try bodyWants(db),
            setAside: try Prepared(db, "SELECT log FROM set_aside").all { try $0.id(0) },
            own: try ownLog(home, db),
            standings: try StandingReading(db).all(),
            gaps: gaps
        )
    }

    /// The log that this home writes; nil for a hub.
    static func ownLog(_ home: HomeRow, _ db: Database) throws -> OwnLogState? {
        guard let number = home.ownLog, let log = try LogTable(db).log(number: number) else { return nil }
        return OwnLogState(
            log: log.log,
            // Entries at or beyond the ceiling are not to leave.
            size: log.isJudged ? log.size : log.head?.size ?? 0,
            // Settled entries are published (`protocol/own-log.md` §4), even if an earlier version did not record it.
            published: log.isComplete ? max(home.published, log.size) : home.published,
            signing: try signing(home, db)
        )
    }

    private static func signing(_ home: HomeRow, _ db: Database) throws -> OwnLogState.Signing {
        switch try SigningStop.inForce(home, db) {
        // A copied home signs nothing, but the entries in its log may leave: they are the original's.
        case nil, .copied: .allowed
        case .notCarried where home.signing == .allowed: .notCarried
        case .longer, .diverged, .forked, .notCarried, .settled, .ended, .otherKey: .stopped
        }
    }

    private static func cursors(_ db: Database) throws -> [TakeBatch.PeerCursor] {
        try Prepared(db, "SELECT peer, store, number, scope FROM cursors").all { columns in
            guard let store = StoreID(columns.bytes(1)) else {
                throw StorageError.damaged("a store id is not 16 bytes")
            }
            return .init(
                peer: try columns.id(0),
                cursor: Cursor(
                    store: store,
                    number: columns.bits(2),
                    scope: columns.isNull(3) ? nil : try columns.bytes32(3)
                )
            )
        }
    }

    private static func bodyWants(_ db: Database) throws -> [BodyPlace] {
        let sql = "SELECT logs.log, entry FROM body_wants JOIN logs ON logs.number = entry >> 32 ORDER BY entry"
        return try Prepared(db, sql).all { columns in
            BodyPlace(log: try columns.id(0), sequence: EntryKey(columns.integer(1)).sequence)
        }
    }
}
