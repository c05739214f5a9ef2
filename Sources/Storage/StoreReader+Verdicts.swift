package import Entries
internal import GRDB

/// Reads the values that a person needs to sign a settlement with the root key.
extension StoreReader {
    package func settlement(for log: LogID, keeping: EntryStore.Keeping) throws(StorageError) -> KnownRoot? {
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

    package func highestSerial(of identity: IdentityID) throws(StorageError) -> UInt64? {
        try reading { db in
            let logs = LogTable(db)
            guard let number = try logs.number(ofKnown: identity) else { return nil }
            let verdicts = try VerdictTable(db)
            var serials: [UInt64] = []
            for log in try logs.numbers(of: number) {
                if let certificate = try logs.certificate(of: log) { serials.append(certificate.certificate.serial) }
                if let settlement = try verdicts.verdict(of: log).settlement {
                    serials.append(settlement.settlement.serial)
                }
            }
            if let end = try EndTable(db).end(of: number) { serials.append(end.signed.settlement.serial) }
            return serials.max()
        }
    }
}
