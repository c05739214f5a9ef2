import Entries

/// The way of received chunks into the store: at most one batch is verified and one committed at a time, and what
/// arrives meanwhile makes up the next ones.
struct Pipeline {
    private var waiting = Arrivals()
    private var liveliness = Liveliness()
    private var storePace = StorePace()
    private var liveRate = LiveRate()
    /// Until when history rests, so that the store is free for live entries.
    private var bulkRestsUntil: UInt64 = 0
    /// The most work for the next batch; doubles from batch to batch until the store has caught up.
    private var opening = Limits.openingBatchWork
    private var verification = Verification()
    private(set) var forming: Taking
    private(set) var taking: Taking?
    private var takeRetryAt: UInt64?
    /// Parts of a transaction that failed as a whole; each is tried alone.
    private var parts = Queue<Taking>()
    private var tips = LogTips()
    /// Chunks that are not verified yet, by log.
    private var arriving = ArrivingLogs()
    private var nextBatch: UInt64 = 1

    init() {
        forming = Taking(id: BatchID(raw: 0))
    }

    var isIdle: Bool {
        waiting.isEmpty && verification.isIdle && taking == nil && forming.batch.chunks.isEmpty && parts.isEmpty
    }
    /// When a failed batch or transaction is retried.
    var retryAt: UInt64? { [takeRetryAt, verification.retryAt].compactMap { $0 }.min() }
    /// When waiting history may go on; nil: none rests.
    func bulkDue(now: UInt64) -> UInt64? {
        waiting.isBulkWaiting && bulkRestsUntil > now ? bulkRestsUntil : nil
    }
    /// Whether a transaction is running, not only waiting for its retry.
    var isTaking: Bool { taking != nil && takeRetryAt == nil }
    func isArriving(_ log: LogID) -> Bool { arriving.isBusy(log) }
    /// Whether chunks keep the log from being asked of others, or the session's own pushes of it wait.
    func isArriving(_ log: LogID, or session: SessionID) -> Bool {
        arriving.isBusy(log) || arriving.has(log) && waiting.isBehind(log, of: session)
    }
    /// Whether chunks on their way will bring the log up to `end`, if they prove valid.
    func isArriving(_ log: LogID, to end: UInt64) -> Bool { arriving.reaches(log, end) }
    /// Whether chunks on their way will bring the log up to `end` soon: where others are live, a bulk sender may take
    /// long to bring what another peer has at hand.
    func isArrivingSoon(_ log: LogID, to end: UInt64, now: UInt64) -> Bool {
        arriving.reachesLive(log, end)
            || arriving.reaches(log, end) && !liveliness.isShared(by: waiting, now: now)
    }
    func isGapArriving(_ log: LogID) -> Bool { arriving.hasGap(log) }
    /// The log's prefix as it will be once its verified chunks are stored; nil if none are on their way.
    func prefix(_ log: LogID) -> LogPrefix? { tips.prefix(of: log) }
    /// The end of a log's verified chunks that are not stored yet.
    ///
    /// Of a settled branch that is fetched beside the stored one, the end of that branch.
    func tip(_ log: LogID) -> UInt64? { tips.end(of: log) }

    /// How much of that lies under a complete head; 0 if no head is on its way.
    func complete(_ log: LogID) -> UInt64 { tips.complete(of: log) }

    mutating func add(_ arrival: Arrival, now: UInt64) {
        var arrival = arrival
        let isLive = isLive(arrival, now: now)
        arrival.isLive = isLive
        // Where nobody else is live, a bulk sender keeps nobody waiting.
        arrival.isNews =
            arrival.kind == .push && !arrival.isListed && (isLive || !liveliness.isShared(by: waiting, now: now))
        let lane = waiting.lane(of: arrival, as: isLive ? .live : .bulk)
        arrival.isIdle = lane == .bulk && arrival.kind == .push && arrival.isStrangers
        waiting.add(arrival, to: lane)
        arriving.add(arrival)
        if arrival.isIdle { arriving.noteIdle(arrival) }
        guard lane == .live else { return }
        if !arrival.isListed { liveliness.note(arrival.session, now: now) }
        arriving.noteLive(arrival)
    }

    private mutating func isLive(_ arrival: Arrival, now: UInt64) -> Bool {
        guard arrival.kind == .push, arrival.work <= Limits.liveWork else { return false }
        return liveRate.take(arrival.work + StorePace.workPerLog, from: arrival.session, now: now)
    }

    /// The person here wrote an entry.
    mutating func noteOwn(now: UInt64) {
        liveliness.noteOwn(now: now)
    }

    // MARK: Verification

    /// The next batch for the verifier, if it is free and the store keeps up.
    mutating func nextVerification(now: UInt64) -> UnverifiedBatch? {
        guard !verification.isBusy else {
            return verification.again(now: now).map { UnverifiedBatch(id: $0.id, runs: $0.arrivals.map(tips.run)) }
        }
        if let suspect = verification.popSuspect() { return beginVerification([suspect]) }
        if forming.batch.chunks.isEmpty, taking == nil { opening = Limits.openingBatchWork }
        let limit = min(batchWork(now: now), opening)
        guard !forming.isFull, forming.work < limit,
            let lane = waiting.nextLane(isBulkResting: isBulkResting(now: now))
        else { return nil }
        // The store begins with the first few while the next are verified, and soon has full batches.
        opening = min(2 * opening, UInt64(Int64.max))
        let arrivals = waiting.popRuns(lane, work: limit - forming.work)
        for arrival in arrivals.joined() where arrival.isIdle { arriving.wake(arrival) }
        return beginVerification(arrivals)
    }

    /// Where others are live, transactions of history do not overlap, and a pause follows each.
    private func isBulkResting(now: UInt64) -> Bool {
        guard liveliness.isShared(by: waiting, now: now) else { return false }
        return bulkRestsUntil > now || forming.hasBulk || taking?.hasBulk == true
    }

    /// The most work for a transaction, so that nobody waits long for the store.
    private func batchWork(now: UInt64) -> UInt64 {
        storePace.work(
            in: liveliness.isShared(by: waiting, now: now)
                ? Limits.sharedBatchMilliseconds : Limits.loneBatchMilliseconds
        )
    }

    private mutating func beginVerification(_ arrivals: [[Arrival]]) -> UnverifiedBatch {
        let batch = UnverifiedBatch(id: drawBatch(), runs: arrivals.map(tips.run))
        verification.begin(batch.id, arrivals)
        return batch
    }

    /// The store could not read the prefixes for a batch: it is retried later, or run by run.
    ///
    /// - Returns: the run to leave out, if it failed alone.
    mutating func failVerification(_ id: BatchID, _ failure: StoreFailure, now: UInt64) -> [Arrival]? {
        guard verification.fail(id, failure, now: now) else { return nil }
        return endVerification(id)?.first
    }

    /// Takes the batch out of verification; nil if it is another batch.
    mutating func endVerification(_ id: BatchID) -> [[Arrival]]? {
        guard let arrivals = verification.end(id) else { return nil }
        for run in arrivals {
            for arrival in run { arriving.remove(arrival) }
        }
        return arrivals
    }

    /// Drops a session's chunks that are not being verified yet.
    ///
    /// - Returns: the logs with nothing else on its way: they may be requested again.
    mutating func dropWaiting(from session: SessionID) -> [LogID] {
        liveRate.forget(session)
        liveliness.forget(session)
        var dropped: [LogID] = []
        for arrival in waiting.removeAll(of: session) {
            let log = arrival.chunk.log
            if arrival.isIdle { arriving.wake(arrival) }
            arriving.remove(arrival)
            if !arriving.isBusy(log) { dropped.append(log) }
        }
        return dropped
    }

    // MARK: The transaction

    /// Changes the next transaction in place.
    mutating func change(_ change: (inout Taking) -> Void) {
        change(&forming)
    }

    /// Adds a verified chunk to the next transaction.
    mutating func put(_ verified: VerifiedChunk, of arrival: Arrival) {
        forming.put(verified, of: arrival)
        tips.put(verified, in: forming.id)
    }

    /// The transaction to begin now, if none is running.
    mutating func nextTake(now: UInt64) -> (BatchID, TakeBatch)? {
        if let failed = taking {
            guard let due = takeRetryAt, due <= now else { return nil }
            takeRetryAt = nil
            return (failed.id, failed.batch)
        }
        if let part = parts.popFirst() {
            taking = part
            return (part.id, part.batch)
        }
        guard !forming.batch.isEmpty else { return nil }
        let started = forming
        taking = started
        forming = Taking(id: drawBatch())
        return (started.id, started.batch)
    }

    /// The store has committed the transaction.
    mutating func endTake(_ id: BatchID, microseconds: UInt64, now: UInt64) -> Taking? {
        guard let done = endTake(id) else { return nil }
        storePace.note(work: done.work, microseconds: microseconds)
        if done.hasBulk {
            // Only for the logs' share, not the entries': a peer that catches up on many entries of each writer hardly
            // rests.
            let rest = min(microseconds, 1 << 40) * done.pause * StorePace.workPerLog / max(1, done.work)
            let pause = min(rest / 1_000, Limits.bulkPauseMaximumMilliseconds)
            bulkRestsUntil = now + pause
        }
        return done
    }

    private mutating func endTake(_ id: BatchID) -> Taking? {
        guard let done = taking, done.id == id else { return nil }
        taking = nil
        takeRetryAt = nil
        tips.finish(id, of: done.origins.keys)
        return done
    }

    /// The log is not stored any more: its chunks on their way continue nothing.
    mutating func forget(_ log: LogID) {
        tips.forget(log)
    }

    /// A transaction failed: it is retried later, or log by log.
    ///
    /// - Returns: the part to leave out, if it was one log's alone.
    mutating func failTake(_ id: BatchID, _ failure: StoreFailure, now: UInt64) -> Taking? {
        guard let failed = taking, failed.id == id else { return nil }
        let isLasting = failure.isLasting(after: failed.failures)
        if isLasting, failed.log != nil { return endTake(id) }
        if isLasting, failed.extent == .whole {
            taking = nil
            parts.append(contentsOf: failed.parts())
            return nil
        }
        taking?.failures += 1
        takeRetryAt = now + StoreFailure.retryDelay(after: failed.failures)
        return nil
    }

    /// Removes all cursors from transactions that have not begun: something before them was left out.
    mutating func dropCursors() -> [TakeBatch.PeerCursor] {
        var dropped = forming.batch.cursors
        forming.batch.cursors = []
        for var part in parts.popFirst(parts.count) {
            dropped += part.batch.cursors
            part.batch.cursors = []
            parts.append(part)
        }
        return dropped
    }

    /// Bytes of each session's credit that wait to be verified or stored.
    var costs: [SessionID: UInt64] {
        var costs: [SessionID: UInt64] = [:]
        waiting.forEach { costs[$0.session, default: 0] += $0.cost }
        verification.forEach { costs[$0.session, default: 0] += $0.cost }
        var takings = [forming] + [taking].compactMap(\.self)
        parts.forEach { takings.append($0) }
        for refund in takings.lazy.flatMap(\.refunds) { costs[refund.session, default: 0] += refund.bytes }
        return costs
    }

    private mutating func drawBatch() -> BatchID {
        defer { nextBatch += 1 }
        return BatchID(raw: nextBatch)
    }
}
