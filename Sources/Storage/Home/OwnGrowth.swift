internal import Entries
internal import GRDB

/// Updates, for one transaction, how much of the own log is published, and whether signing stops.
///
/// Own entries that others bring were not written by this home: another one with its key wrote them, or this one did
/// before it went back to an older state. Signing stops in the transaction that stores them, whoever brings them.
struct OwnGrowth {
    private let log: LogID?
    private let end: UInt64

    /// Reads the end of the own log before the chunks of the batch are stored.
    init(_ intake: Intake) throws {
        let own = try intake.home.ownLog.flatMap { try intake.logs.log(number: $0) }
        log = own?.log
        end = own?.storedEnd ?? 0
    }

    /// Compares it with the end after the batch, and records what follows.
    ///
    /// A stop does not take back what an export contains (`released`).
    func note(_ batch: TakeBatch, _ intake: Intake, released: OwnRelease?, _ db: Database) throws {
        if let published = batch.published {
            intake.home.published = max(intake.home.published, published)
        }
        guard let log else { return }
        if let stop = batch.stop {
            intake.home.signing = .stopped
            let gone = released?.log == log ? released?.published ?? 0 : 0
            intake.home.published = min(intake.home.published, max(stop.published, gone))
            try SigningStop.note(stop.proof == .longer ? .longer : .diverged, db)
        }
        if batch.setAside.contains(log) {
            intake.home.signing = .stopped
            try SigningStop.note(.diverged, db)
        }
        guard let state = try intake.state(of: log) else { return }
        // Settled entries count as published (`protocol/own-log.md` §4).
        if state.isComplete { intake.home.published = max(intake.home.published, state.size) }
        guard state.storedEnd > end else { return }
        intake.home.signing = .stopped
        try SigningStop.note(.longer, db)
        // Entries that others hold have left some home.
        intake.home.published = max(intake.home.published, state.head?.size ?? 0)
    }
}
