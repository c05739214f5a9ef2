internal import GRDB

/// Why a home signs nothing more until a person has decided; a reason gives way only to a later one of this list.
package enum SigningStop: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// It is not where it was: copied, moved, or restored from a copy of its files.
    case copied
    /// A peer has proven more of the own log than was here: this is an old copy, or another home has the same key.
    case longer
    /// A peer has another branch of the own log above what ever left this home.
    case diverged
    /// Two histories of the own log are on their way: it goes on in a new one.
    case forked
    /// The person has 16 logs before this one.
    case notCarried
    /// The person cut this device off.
    case settled
    /// The account ended.
    case ended

    /// Whether the person's word, that no other home writes this log, is enough to go on (`id keep`).
    package var canBeKept: Bool { self <= .diverged }

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// What stands in the way of the next own entry: what was said and proven of the log, then what the home noted.
    static func inForce(_ home: HomeRow, _ db: Database) throws -> SigningStop? {
        guard let number = home.ownLog, let log = try LogTable(db).log(number: number) else { return nil }
        if try EndTable(db).hasEnded(log.identity) { return .ended }
        if log.settled != nil { return .settled }
        if log.cut != nil { return .forked }
        if log.carriage == .forgotten { return .notCarried }
        return home.signing == .allowed ? nil : try FactsRow.read(db).stop ?? .copied
    }

    /// Writes it down within a transaction.
    ///
    /// - Returns: the reason that stands now.
    @discardableResult
    static func note(_ stop: SigningStop, _ db: Database) throws -> SigningStop {
        var row = try FactsRow.read(db)
        if let standing = row.stop, standing >= stop { return standing }
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
        }
    }
}
