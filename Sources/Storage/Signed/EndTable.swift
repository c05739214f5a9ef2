internal import Entries
internal import GRDB
internal import Sodium

/// Accounts that their root keys ended (`protocol/identity.md` §5).
struct EndTable {
    private let one: Prepared
    private let write: Prepared
    private let all: Prepared

    /// The end of an account.
    struct End {
        let identity: IdentityID
        let signed: SignedSettlement
        let change: UInt64
        let source: NodeID?

        /// The frontier row of the end (`protocol/log.md` §8).
        var row: FrontierRow {
            let settlement = signed.settlement
            return FrontierRow(
                identity: identity,
                item: FrontierItem(
                    log: LogID(endOf: identity, in: settlement.network),
                    size: 0,
                    root: .zero,
                    settled: .init(size: 0, root: .zero)
                ),
                time: 0,
                number: change,
                source: source
            )
        }

        var standing: LogStanding {
            LogStanding(
                log: row.log,
                words: Words(settlement: signed.bytes, evidence: nil, certificate: nil),
                ceiling: 0,
                isComplete: true,
                side: nil,
                isDiverging: false
            )
        }
    }

    private static let select = """
        SELECT identities.identity, ends.settlement, ends.change, ends.source
        FROM ends JOIN identities ON identities.number = ends.identity
        """

    init(_ db: Database) throws {
        one = try Prepared(db, "\(Self.select) WHERE ends.identity = ?")
        all = try Prepared(db, "\(Self.select) ORDER BY ends.change")
        write = try Prepared(
            db,
            "INSERT OR REPLACE INTO ends (identity, settlement, change, source) VALUES (?, ?, ?, ?)"
        )
    }

    func hasEnded(_ identity: IdentityNumber) throws -> Bool { try one.first(identity) { _ in true } ?? false }

    func end(of identity: IdentityNumber) throws -> End? { try one.first(identity) { try Self.end($0) } }

    func ends() throws -> [End] { try all.all { try Self.end($0) } }

    func write(_ end: End, of identity: IdentityNumber) throws {
        try write.run(identity, end.signed.bytes, Int64(bitPattern: end.change), end.source?.raw)
    }

    private static func end(_ columns: Columns) throws -> End {
        guard let signed = SignedSettlement(trusting: columns.bytes(1)) else {
            throw StorageError.damaged("a settlement is not 208 bytes")
        }
        return End(
            identity: try columns.id(0),
            signed: signed,
            change: columns.bits(2),
            source: columns.isNull(3) ? nil : try columns.id(3)
        )
    }
}
