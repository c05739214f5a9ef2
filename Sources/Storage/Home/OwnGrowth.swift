internal import Entries
internal import GRDB

/// What one transaction says of the own log: how much of it has left, and whether it is signed on.
///
/// Entries of the own log that others bring, this home did not write: another one with its key did, or it wrote them before
/// it went back to an older state. Signing stops in the transaction that stores them, whoever brings them.
struct OwnGrowth {
    private let log: LogID?
    private let end: UInt64

    /// Looks before the chunks of the batch.
    init(_ intake: Intake) throws {
        let own = try intake.home.ownLog.flatMap { try intake.logs.log(number: $0) }
        log = own?.log
        end = own?.storedEnd ?? 0
    }

    /// Looks again, behind them.
    ///
    /// What a file has taken away (`released`) no stop brings back.
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
        // What the root key counts is no secret of this home's.
        if state.isComplete { intake.home.published = max(intake.home.published, state.size) }
        guard state.storedEnd > end else { return }
        intake.home.signing = .stopped
        try SigningStop.note(.longer, db)
        // What others have has left some home.
        intake.home.published = max(intake.home.published, state.head?.size ?? 0)
    }
}
