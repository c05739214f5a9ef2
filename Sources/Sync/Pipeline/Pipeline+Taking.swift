import Entries

extension Pipeline {
    /// A transaction that is being assembled or committed.
    struct Taking {
        let id: BatchID
        var batch = TakeBatch()
        var entries: UInt64 = 0
        var bytes = 0
        /// Credit that it gives back, by session.
        var refunds: [Refund] = []
        /// Chunks to push on to other peers once stored.
        var pushed: [VerifiedChunk] = []
        /// Sizes that each session is known to hold once this is stored.
        var known: [Known] = []
        /// Logs with words or a finding in it, one element for each.
        var wordLogs: [LogID] = []
        /// The sessions whose cursors wait for these words.
        var wordEpochs: [LogID: [(SessionID, Milestones.Epoch)]] = [:]
        /// The logs in `batch.restarts`.
        private var restarting: Set<LogID> = []
        /// The session that brought each log.
        var origins: [LogID: SessionID] = [:]
        /// The index of each log in `batch.wants`.
        private var wantPlaces: [LogID: Int] = [:]
        var failures = 0
        /// Whether it has chunks of history, neither news nor live.
        var hasBulk = false
        /// The sum of its logs' pause factors: the store rests for that many times as long as a log takes.
        var pause: UInt64 = 0
        /// The log, if this is the part of a transaction that concerns one log.
        var log: LogID?
        var extent = Extent.whole

        init(id: BatchID) {
            self.id = id
        }

        /// Adds a durable want. The largest size counts, as in the store: while the disk is full, a peer may offer more
        /// and more of a log, and lack it each time.
        mutating func want(_ item: LogSize) {
            if let place = wantPlaces[item.log] {
                batch.wants[place] = LogSize(log: item.log, size: max(item.size, batch.wants[place].size))
            } else {
                wantPlaces[item.log] = batch.wants.count
                batch.wants.append(item)
            }
        }

        /// Adds a verified chunk.
        mutating func put(_ verified: VerifiedChunk, of arrival: Arrival) {
            batch.chunks.append(
                TakeBatch.SourcedChunk(chunk: verified, source: arrival.node, position: arrival.kind.position)
            )
            entries += UInt64(verified.entries.count)
            bytes += arrival.chunk.entries.count
            if arrival.isNews { pushed.append(verified) }
            if !arrival.isNews, !arrival.isLive {
                hasBulk = true
                if origins[verified.log] == nil {
                    pause +=
                        arrival.isStrangers && verified.start == 0
                        ? Limits.strangersPauseFactor : Limits.bulkPauseFactor
                }
            }
            origins[verified.log] = arrival.session
            refund(arrival.session, arrival.cost)
        }

        /// Adds a settlement and fork evidence; they are stored before the chunks.
        mutating func put(_ settlement: SettlementArrival?, _ evidence: EvidenceArrival?, from session: SessionID) {
            if let settlement {
                batch.settlements.append(settlement)
                bytes += Limits.wordBatchBytes
            }
            if let evidence {
                batch.evidence.append(evidence)
                bytes += Limits.wordBatchBytes
            }
            refund(session, 0)
        }

        /// Adds the first difference between a peer's history and the stored one.
        mutating func put(_ finding: ForkFinding, from session: SessionID) {
            batch.findings.append(finding)
            wordLogs.append(finding.log)
            bytes += Limits.wordBatchBytes
            refund(session, 0)
        }

        /// Adds a body; the store compares its hash.
        mutating func put(_ body: TakeBatch.BodyArrival, from session: SessionID, cost: UInt64) {
            batch.bodies.append(body)
            bytes += body.payload.count
            refund(session, cost)
        }

        /// Drops what is stored of a log beyond its head, once.
        mutating func restart(_ log: LogID) {
            guard restarting.insert(log).inserted else { return }
            batch.restarts.append(log)
        }

        /// Notes that credit is due back to a session once this is stored.
        private mutating func refund(_ session: SessionID, _ cost: UInt64) {
            if let place = refunds.firstIndex(where: { $0.session == session }) {
                refunds[place].bytes += cost
                refunds[place].items += 1
            } else {
                refunds.append(Refund(session: session, bytes: cost, items: 1))
            }
        }

        var isFull: Bool { entries >= Limits.batchEntries || bytes >= Limits.batchBytes }
        /// Its work for the store (`StorePace`).
        var work: UInt64 { entries + logsWork + UInt64(bytes) / StorePace.bytesPerWork }
        /// The part of the work that the logs cause.
        var logsWork: UInt64 { UInt64(origins.count) * StorePace.workPerLog }
    }

    /// What a transaction covers.
    enum Extent: Hashable {
        case whole
        /// One log; or, with none, the last part, which concerns all of them.
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
    /// Splits the transaction into one part for each log, in order, and a last one that concerns all of them.
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
        rest.wordLogs = wordLogs.filter { !seen.contains($0) }
        rest.wordEpochs = wordEpochs.filter { !seen.contains($0.key) }
        rest.extent = .part
        let parts = logs.map { log in
            var part = Self(id: id)
            part.batch = batch.only(log)
            part.origins[log] = origins[log]
            part.pushed = pushed.filter { $0.log == log }
            part.known = known.filter { $0.item.log == log }
            part.wordLogs = wordLogs.filter { $0 == log }
            part.wordEpochs[log] = wordEpochs[log]
            part.log = log
            part.extent = .part
            return part
        }
        return parts + [rest]
    }
}
