package import Entries
internal import GRDB

/// How much of a log a person keeps when settling it.
package enum SettlementKeeping: Hashable, Sendable {
    /// All entries of the stored history that are held and proven, hidden ones included.
    case everythingHeld
    case first(UInt64)
    case nothing
}

/// Reads the values that a person needs to sign a settlement with the root key.
extension StoreReader {
    /// The size and root of the stored history to sign a settlement with; nil if less is held and proven.
    package func settlement(for log: LogID, keeping: SettlementKeeping) throws(StorageError) -> KnownRoot? {
        try reading { db in
            guard let log = try LogTable(db).log(log) else { return nil }
            let held = max(log.head?.size ?? 0, log.size)
            let size: UInt64 =
                switch keeping {
                case .everythingHeld: held
                case .first(let count): count
                case .nothing: 0
                }
            guard size <= held, log.knows(size) else { return nil }
            return KnownRoot(size: size, root: try TreeNodes(db).root(at: size, of: log))
        }
    }

    /// The highest serial that an identity is known to have used, in certificates and settlements; nil: none is known.
    package func highestSerial(of identity: IdentityID) throws(StorageError) -> UInt64? {
        try reading { db in
            let logs = LogTable(db)
            guard let number = try logs.number(ofKnown: identity) else { return nil }
            let words = try WordTable(db)
            var serials: [UInt64] = []
            for log in try logs.numbers(of: number) {
                if let certificate = try logs.certificate(of: log) { serials.append(certificate.certificate.serial) }
                if let settlement = try words.words(of: log).settlement {
                    serials.append(settlement.settlement.serial)
                }
            }
            if let end = try EndTable(db).end(of: number) { serials.append(end.signed.settlement.serial) }
            return serials.max()
        }
    }
}
