internal import Entries
internal import GRDB

/// Which logs have a place here (`protocol/identity.md` §6).
extension Intake {
    /// The log that a chunk is for; nil if there is no place for the chunk, or none for the log.
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
        // Looked at before anything is stored: a log that will have no place need not be fetched to its head.
        if !log.hasItem, try !carriages.admits(log) {
            try forget(log)
            return nil
        }
        if !log.hasItem, chunk.end < chunk.size {
            for id in try carriages.begin(log) { try giveUp(id) }
        }
        return log
    }

    /// Drops what is here of a log that has no item.
    private func giveUp(_ id: LogID) throws {
        guard let log = try state(of: id), !log.hasItem, log.number != home.ownLog else { return }
        try forget(log)
    }

    /// Whether the own log may grow: it is carried, or would be.
    func admits(_ log: LogState) throws -> Bool {
        try log.hasItem || carriages.admits(log)
    }

    /// Ranks a log that is about to get its first item; those that have no room beside it are forgotten.
    func admit(_ log: LogState) throws {
        for id in try carriages.insert(log) {
            guard let last = try state(of: id) else { continue }
            try suspend(last.identity)
            try forget(last)
        }
    }

    /// Takes a log out of the file, the own one out of the count alone.
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
        try verdicts.remove(of: log.number)
        try sides.remove(of: log.number)
        try drop(from: 0, of: &log)
        try logs.remove(log)
        open[log.log] = nil
    }

    /// Takes out of the fold what an identity's entries added, until `finish` folds those that count by then.
    func suspend(_ identity: IdentityNumber) throws {
        guard suspended.insert(identity).inserted else { return }
        var recounting = try recounting ?? Recounting(db, folding)
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
        try restand(&carried)
        try replace(own, by: carried, from: nil)
    }
}
