internal import GRDB

/// Why a home signs nothing until a person has decided; only a later reason of this list replaces an earlier one.
package enum SigningStop: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// The home is not where it was: copied, moved, or restored from a copy of its files.
    case copied
    /// A peer has proven more of the own log than was here: this is an old copy, or another home has the same key.
    case longer
    /// A peer has another branch of the own log, above the published size.
    case diverged
    /// Fork evidence of the own log is known: the person goes on with a new log.
    case forked
    /// The person has 16 logs before this one.
    case notCarried
    /// The person settled this device's log.
    case settled
    /// The account ended.
    case ended
    /// The device key that lies here belongs to another log. Never recorded: it is seen in the home's files alone.
    case otherKey

    /// Whether the person's statement that no other home writes this log is enough to go on (`id keep`).
    package var canBeKept: Bool { self <= .diverged }

    /// Whether another home may have this home's keys. A device that was cut off may have been stolen. With `otherKey`
    /// it is the other way round: this home has another's.
    package var isOfTwoHomes: Bool { self != .notCarried && self != .otherKey }

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The reason against the next own entry: the account's end and words on the log come before the home's recorded
    /// reason.
    static func inForce(_ home: HomeRow, _ db: Database) throws -> SigningStop? {
        guard let number = home.ownLog, let log = try LogTable(db).log(number: number) else { return nil }
        if try EndTable(db).hasEnded(log.identity) { return .ended }
        if log.settled != nil { return .settled }
        if log.cut != nil { return .forked }
        if log.carriage == .forgotten { return .notCarried }
        return home.signing == .allowed ? nil : try FactsRow.read(db).stop ?? .copied
    }

    /// Records a reason within a transaction.
    ///
    /// - Returns: the reason in force now.
    @discardableResult
    static func note(_ stop: SigningStop, _ db: Database) throws -> SigningStop {
        var row = try FactsRow.read(db)
        if let recorded = row.stop, recorded >= stop { return recorded }
        row.stop = stop
        try row.write(db)
        return stop
    }
}

extension SigningStop: CustomStringConvertible {
    /// One line for a person, without a full stop.
    package var description: String {
        switch self {
        case .copied: "this home was copied, moved or restored from a backup: it signs nothing until you decide"
        case .longer: "a peer has more of your log than this home had: it signs nothing until you decide"
        case .diverged: "a peer has another branch of your log than this home: it signs nothing until you decide"
        case .forked: "two histories of this device's log are known: it signs nothing more"
        case .notCarried: "16 devices of yours come before this one: it signs nothing more"
        case .settled: "this device was cut off: it signs nothing more"
        case .ended: "this account has ended: nothing of it counts any more"
        case .otherKey: "the device key here belongs to another log than this home's: it signs nothing"
        }
    }
}
