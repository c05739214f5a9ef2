import Entries

extension Pipeline {
    /// A transaction as it grows.
    struct Taking {
        let id: BatchID
        var batch = TakeBatch()
        var entries: UInt64 = 0
        var bytes = 0
        /// Credit that the transaction frees, by session.
        var refunds: [Refund] = []
        /// Chunks that came unasked: they are passed on.
        var pushed: [VerifiedChunk] = []
        /// What each session is known to have once this is stored.
        var known: [Known] = []
        /// Logs of which it has a verdict or a finding, once for each that came.
        var verdictLogs: [LogID] = []
        /// Whose cursors wait for the words among them.
        var verdictEpochs: [LogID: [(SessionID, Milestones.Epoch)]] = [:]
        /// The logs of `batch.restarts`.
        var restarting: Set<LogID> = []
        /// Which session brought a log.
        var origins: [LogID: SessionID] = [:]
        /// Where each log stands in `batch.wants`.
        private var wantPlaces: [LogID: Int] = [:]
        var failures = 0
        /// What is no news is among it.
        var hasBulk = false
        /// How many times as long as a log takes the store rests for the logs of that, all together.
        var pause: UInt64 = 0
        /// Set if this is the part of a transaction that concerns one log.
        var log: LogID?
        var extent = Extent.whole

        init(id: BatchID) {
            self.id = id
        }

        /// Notes durably that so much of a log is wanted. Of one log the most counts, as in the store: while the disk is full, a peer may offer
        /// more and more of it, and lack it each time.
        mutating func want(_ item: LogSize) {
            if let place = wantPlaces[item.log] {
                batch.wants[place] = LogSize(log: item.log, size: max(item.size, batch.wants[place].size))
            } else {
                wantPlaces[item.log] = batch.wants.count
                batch.wants.append(item)
            }
        }

        var isFull: Bool { entries >= Limits.batchEntries || bytes >= Limits.batchBytes }
        /// What the store has to do for it (`Pace`).
        var work: UInt64 { entries + logsWork + UInt64(bytes) / Pace.bytesPerWork }
        /// The logs' part of it.
        var logsWork: UInt64 { UInt64(origins.count) * Pace.workPerLog }
    }

    /// How much of a transaction is tried at once.
    enum Extent: Hashable {
        case whole
        /// One log, or, of none, what concerns all of them: the last part.
        case part
    }

    struct Refund {
        let session: SessionID
        var bytes: UInt64
        var items: Int
    }

    struct Known {
        let session: SessionID
        let item: LogSize
    }
}

extension Pipeline.Taking {
    /// The same, log by log in the order in which they came; what concerns all of them stands last.
    func parts() -> [Self] {
        var logs: [LogID] = []
        var seen: Set<LogID> = []
        for log in batch.logs where seen.insert(log).inserted { logs.append(log) }
        var rest = self
        rest.batch = batch.withoutLogs
        rest.origins = [:]
        rest.pushed = []
        rest.known = []
        // Words that brought nothing to store.
        rest.verdictLogs = verdictLogs.filter { !seen.contains($0) }
        rest.verdictEpochs = verdictEpochs.filter { !seen.contains($0.key) }
        rest.extent = .part
        let parts = logs.map { log in
            var part = Self(id: id)
            part.batch = batch.only(log)
            part.origins[log] = origins[log]
            part.pushed = pushed.filter { $0.log == log }
            part.known = known.filter { $0.item.log == log }
            part.verdictLogs = verdictLogs.filter { $0 == log }
            part.verdictEpochs[log] = verdictEpochs[log]
            part.log = log
            part.extent = .part
            return part
        }
        return parts + [rest]
    }
}
