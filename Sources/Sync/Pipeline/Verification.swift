/// The batch at the verifier, its retry, and what is left of batches that failed as a whole.
struct Verification {
    typealias Arrival = Pipeline.Arrival

    private struct Batch {
        let id: BatchID
        /// Parallel to the batch's runs.
        let arrivals: [[Arrival]]
        var failures = 0
    }

    private var batch: Batch?
    /// When the failed batch is retried; nil: none failed.
    private(set) var retryAt: UInt64?
    /// Runs of a batch that failed as a whole; each is verified alone.
    private var suspects = Queue<[Arrival]>()

    var isIdle: Bool { batch == nil && suspects.isEmpty }
    /// Whether a batch is being verified, or waits for its retry.
    var isBusy: Bool { batch != nil }

    mutating func begin(_ id: BatchID, _ arrivals: [[Arrival]]) {
        batch = Batch(id: id, arrivals: arrivals)
    }

    /// The failed batch, if it is to be retried now.
    mutating func again(now: UInt64) -> (id: BatchID, arrivals: [[Arrival]])? {
        guard let failed = batch, let due = retryAt, due <= now else { return nil }
        retryAt = nil
        return (failed.id, failed.arrivals)
    }

    /// The next run that is to be verified alone.
    mutating func popSuspect() -> [Arrival]? { suspects.popFirst() }

    /// The store could not read the prefixes for a batch: it is retried later, or run by run.
    ///
    /// - Returns: whether it is a single run that failed for good; it is still being verified.
    mutating func fail(_ id: BatchID, _ failure: StoreFailure, now: UInt64) -> Bool {
        guard let failed = batch, failed.id == id else { return false }
        guard failure.isLasting(after: failed.failures) else {
            batch?.failures += 1
            retryAt = now + StoreFailure.retryDelay(after: failed.failures)
            return false
        }
        guard failed.arrivals.count == 1 else {
            batch = nil
            suspects.append(contentsOf: failed.arrivals)
            return false
        }
        return true
    }

    /// Takes the batch out of verification; nil if it is another batch.
    mutating func end(_ id: BatchID) -> [[Arrival]]? {
        guard let done = batch, done.id == id else { return nil }
        batch = nil
        return done.arrivals
    }

    /// Visits the chunks that are being verified, or are still to be verified alone.
    func forEach(_ body: (Arrival) -> Void) {
        batch?.arrivals.joined().forEach(body)
        suspects.forEach { run in run.forEach(body) }
    }
}
