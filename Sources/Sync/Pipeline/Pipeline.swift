import Entries

/// From a peer's bytes to the store: at most one batch is being verified and one taken, and what comes meanwhile makes
/// up the next ones.
struct Pipeline {
    /// A chunk that nobody has looked at yet.
    struct Arrival {
        let session: SessionID
        let node: NodeID
        let chunk: UnverifiedChunk
        /// Bytes of the session's credit that are free again once this is stored or refused.
        let cost: UInt64
        let kind: Kind

        enum Kind: Hashable {
            /// The next part of what the session was asked for.
            case answer
            case push
        }
    }

    struct Verifying {
        let id: BatchID
        /// In the shape of the batch's runs.
        let arrivals: [[Arrival]]
    }

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
        /// Which session brought a log.
        var origins: [LogID: SessionID] = [:]
        var failures = 0

        var isFull: Bool { entries >= Limits.batchEntries || bytes >= Limits.batchBytes }
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

    private struct Tip {
        let prefix: LogPrefix
        /// Where the last complete head of what is on its way ends.
        let complete: UInt64
        /// The transaction that brings it.
        let batch: BatchID
    }

    private var waiting = Queue<Arrival>()
    private(set) var verifying: Verifying?
    private(set) var forming: Taking
    private(set) var taking: Taking?
    /// When a failed transaction is tried again.
    private(set) var retryAt: UInt64?
    private var tips: [LogID: Tip] = [:]
    /// Logs with chunks that are not verified yet.
    private var arriving: [LogID: Int] = [:]
    private var nextBatch: UInt64 = 1

    init() {
        forming = Taking(id: BatchID(raw: 0))
    }

    var isIdle: Bool { waiting.isEmpty && verifying == nil && taking == nil && forming.batch.chunks.isEmpty }
    func isArriving(_ log: LogID) -> Bool { arriving[log] != nil }
    /// The end of what was verified of a log and is not stored yet.
    func tip(_ log: LogID) -> UInt64? { tips[log]?.prefix.range.bounds.upperBound }

    /// How much of that lies under a complete head; 0 if no head on its way is.
    func complete(_ log: LogID) -> UInt64 { tips[log]?.complete ?? 0 }

    mutating func add(_ arrival: Arrival) {
        waiting.append(arrival)
        arriving[arrival.chunk.log, default: 0] += 1
    }

    // MARK: Verification

    /// The next batch for the verifier, if it is free and the store keeps up.
    mutating func nextVerification() -> UnverifiedBatch? {
        guard verifying == nil, !waiting.isEmpty, !forming.isFull else { return nil }
        var runs: [LogID: Int] = [:]
        var arrivals: [[Arrival]] = []
        var entries: UInt64 = 0
        var bytes = 0
        while let next = waiting.first {
            let isFirst = arrivals.isEmpty
            guard isFirst || entries + next.chunk.count <= Limits.batchEntries,
                isFirst || bytes + next.chunk.entries.count <= Limits.batchBytes
            else { break }
            _ = waiting.popFirst()
            entries += next.chunk.count
            bytes += next.chunk.entries.count
            if let place = runs[next.chunk.log] {
                arrivals[place].append(next)
            } else {
                runs[next.chunk.log] = arrivals.count
                arrivals.append([next])
            }
        }
        let batch = UnverifiedBatch(id: drawBatch(), runs: arrivals.map(run))
        verifying = Verifying(id: batch.id, arrivals: arrivals)
        return batch
    }

    /// Takes the batch out of verification; nil for outcomes that belong to no batch.
    mutating func endVerification(_ id: BatchID) -> [[Arrival]]? {
        guard let done = verifying, done.id == id else { return nil }
        verifying = nil
        for run in done.arrivals {
            guard let log = run.first?.chunk.log, let count = arriving[log] else { continue }
            arriving[log] = count > run.count ? count - run.count : nil
        }
        return done.arrivals
    }

    /// Drops what a session sent and nobody has looked at.
    ///
    /// - Returns: logs of which nothing arrives any more: they may be asked for again.
    mutating func dropWaiting(from session: SessionID) -> [LogID] {
        var dropped: [LogID] = []
        for arrival in waiting.popFirst(waiting.count) {
            if arrival.session == session {
                let log = arrival.chunk.log
                if let count = arriving[log] { arriving[log] = count > 1 ? count - 1 : nil }
                if arriving[log] == nil { dropped.append(log) }
            } else {
                waiting.append(arrival)
            }
        }
        return dropped
    }

    // MARK: The transaction

    mutating func change(_ change: (inout Taking) -> Void) {
        change(&forming)
    }

    /// Adds what was proven to the next transaction.
    mutating func put(_ verified: VerifiedChunk, of arrival: Arrival) {
        forming.batch.chunks.append(TakeBatch.SourcedChunk(chunk: verified, source: arrival.node))
        forming.entries += UInt64(verified.entries.count)
        forming.bytes += arrival.chunk.entries.count
        forming.origins[verified.log] = arrival.session
        if arrival.kind == .push { forming.pushed.append(verified) }
        refund(arrival.session, arrival.cost)
        tips[verified.log] = Tip(
            prefix: verified.prefix,
            complete: verified.reachesHead ? verified.end : complete(verified.log),
            batch: forming.id
        )
    }

    mutating func put(_ body: TakeBatch.BodyArrival, from session: SessionID, cost: UInt64) {
        forming.batch.bodies.append(body)
        forming.bytes += body.payload.count
        refund(session, cost)
    }

    /// The transaction to begin now, if none is under way.
    mutating func nextTake(now: UInt64) -> (BatchID, TakeBatch)? {
        if let failed = taking {
            guard let due = retryAt, due <= now else { return nil }
            retryAt = nil
            return (failed.id, failed.batch)
        }
        guard !forming.batch.isEmpty else { return nil }
        let started = forming
        taking = started
        forming = Taking(id: drawBatch())
        return (started.id, started.batch)
    }

    mutating func endTake(_ id: BatchID) -> Taking? {
        guard let done = taking, done.id == id else { return nil }
        taking = nil
        retryAt = nil
        for log in done.origins.keys where tips[log]?.batch == id { tips[log] = nil }
        return done
    }

    mutating func failTake(_ id: BatchID, now: UInt64) {
        guard taking?.id == id else { return }
        taking?.failures += 1
        retryAt =
            now
            + Backoff.milliseconds(
                failures: (taking?.failures ?? 1) - 1,
                base: Limits.takeRetryMilliseconds,
                maximum: Limits.takeRetryMaximumMilliseconds
            )
    }

    // MARK: Private

    private func run(_ arrivals: [Arrival]) -> UnverifiedRun {
        guard let log = arrivals.first?.chunk.log else { preconditionFailure("a run has chunks") }
        return UnverifiedRun(
            log: log,
            prefix: tips[log].map { .known($0.prefix) } ?? .store,
            chunks: arrivals.map(\.chunk)
        )
    }

    private mutating func refund(_ session: SessionID, _ bytes: UInt64) {
        if let place = forming.refunds.firstIndex(where: { $0.session == session }) {
            forming.refunds[place].bytes += bytes
            forming.refunds[place].items += 1
        } else {
            forming.refunds.append(Refund(session: session, bytes: bytes, items: 1))
        }
    }

    private mutating func drawBatch() -> BatchID {
        defer { nextBatch += 1 }
        return BatchID(raw: nextBatch)
    }
}
