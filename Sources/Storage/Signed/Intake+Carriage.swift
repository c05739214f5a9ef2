internal import Entries
internal import GRDB

/// Decides which logs are carried (`protocol/identity.md` §6).
extension Intake {
    /// The log of a chunk; nil if the chunk cannot begin an unknown log, or the log would not be carried.
    func place(for chunk: VerifiedChunk) throws -> LogState? {
        let log: LogState
        if let known = try state(of: chunk.log) {
            log = known
        } else {
            guard chunk.start == 0 || chunk.left?.bounds.lowerBound == 0 else {
                noteUnfitting(chunk)
                return nil
            }
            log = try logs.add(chunk.certificate)
            open[log.log] = log
        }
        // Checked before anything is stored: a log that will not be carried need not be fetched to its head.
        if !log.hasItem, try !carriages.admits(log) {
            try forget(log)
            return nil
        }
        if !log.hasItem, chunk.end < chunk.size {
            for id in try carriages.begin(log) { try giveUp(id) }
        }
        return log
    }

    /// Drops a log that has no frontier item, unless it is the own one.
    private func giveUp(_ id: LogID) throws {
        guard let log = try state(of: id), !log.hasItem, log.number != home.ownLog else { return }
        try forget(log)
    }

    /// Whether the own log may grow: it is carried, or would be.
    func admits(_ log: LogState) throws -> Bool {
        try log.hasItem || carriages.admits(log)
    }

    /// Ranks a log that is about to get its first item; logs that are then not carried are forgotten.
    func admit(_ log: LogState) throws {
        for id in try carriages.insert(log) {
            guard let last = try state(of: id) else { continue }
            try suspend(last.identity)
            try forget(last)
        }
    }

    /// Removes a log from the file; the own one is kept, and counts no more.
    func forget(_ log: LogState) throws {
        var log = log
        if !forgotten.contains(log.log) { forgotten.append(log.log) }
        try Prepared(db, "DELETE FROM wants WHERE log = ?").run(log.log.raw)
        if log.number == home.ownLog {
            touch(log.log)
            log.discount()
            open[log.log] = log
            return
        }
        try Prepared(db, "DELETE FROM late_arrivals WHERE log = ?").run(log.number)
        try words.remove(of: log.number)
        try sides.remove(of: log.number)
        try drop(from: 0, of: &log)
        try logs.remove(log)
        open[log.log] = nil
    }

    /// Unfolds an identity's entries; `finish` folds those that count by then.
    func suspend(_ identity: IdentityNumber) throws {
        guard suspended.insert(identity).inserted else { return }
        var recounting = try recounting ?? Recounting(db, folding, wants)
        let states = try states(of: identity)
        let work = try recounting.uncount(states, of: identity)
        self.recounting = recounting
        if let id = states.first?.identityID {
            recounted.append(
                TakeReport.Recount(identity: id, entries: work.entries, choiceBytes: work.choiceBytes)
            )
        }
    }

    func states(of identity: IdentityNumber) throws -> [LogState] {
        try logs.numbers(of: identity).compactMap { number in
            guard let stored = try logs.log(number: number) else { return nil }
            return open[stored.log] ?? stored
        }
    }

    /// Carries the own log again once there is room for it.
    func readmitOwnLog(of identity: IdentityNumber) throws {
        guard let number = home.ownLog, let stored = try logs.log(number: number), stored.identity == identity else {
            return
        }
        let own = open[stored.log] ?? stored
        guard own.carriage == .forgotten, try carriages.admits(own) else { return }
        var carried = own
        try updateStanding(&carried)
        try replace(own, by: carried, from: nil)
    }
}
