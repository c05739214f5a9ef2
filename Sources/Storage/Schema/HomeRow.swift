internal import Entries
internal import GRDB

/// The one row of `home`: the counters, and the log that this home writes.
struct HomeRow {
    let network: NetworkID
    /// The last change number assigned.
    var number: UInt64
    /// The last arrival number assigned.
    var arrival: Int64
    /// Number of the own log; nil for a hub.
    var ownLog: Int64?
    /// How much of the own log ever left this home (`protocol/own-log.md` §1).
    var published: UInt64
    var signing: Signing
    /// The latest hour in which entries came (`LateArrivals`).
    var hour: Int64

    enum Signing: Int {
        case stopped = 0
        case allowed = 1
    }

    /// - Throws: `StorageError.damaged`.
    static func read(_ db: Database) throws -> HomeRow {
        let sql = "SELECT network, number, arrival, own_log, published, signing, hour FROM home"
        let row = try Prepared(db, sql).first { columns in
            HomeRow(
                network: try columns.id(0),
                number: columns.bits(1),
                arrival: columns.integer(2),
                ownLog: columns.optionalInteger(3),
                published: columns.bits(4),
                signing: Signing(rawValue: columns.count(5)) ?? .stopped,
                hour: columns.integer(6)
            )
        }
        guard let row else { throw StorageError.damaged("the home's own row is missing") }
        return row
    }

    func write(_ db: Database) throws {
        let sql = "UPDATE home SET number = ?, arrival = ?, own_log = ?, published = ?, signing = ?, hour = ?"
        try Prepared(db, sql).run(
            Int64(bitPattern: number),
            arrival,
            ownLog,
            Int64(bitPattern: published),
            signing.rawValue,
            hour
        )
    }
}
