import Entries

/// The ends of logs as they will be once their verified chunks, which are on their way, are stored: what comes next is
/// verified over these.
struct LogTips {
    /// A log's verified chunks on their way into the store.
    private struct Tip {
        let prefix: LogPrefix
        /// Where the last complete head on its way ends.
        let complete: UInt64
        /// The transaction that stores it.
        let batch: BatchID
    }

    private var tips: [LogID: Tip] = [:]

    /// The log's prefix once they are stored; nil if none are on their way.
    func prefix(of log: LogID) -> LogPrefix? { tips[log]?.prefix }

    /// Where they end; of a settled branch that is fetched beside the stored one, the end of that branch.
    func end(of log: LogID) -> UInt64? {
        tips[log].map { ($0.prefix.side ?? $0.prefix.range).bounds.upperBound }
    }

    /// How much of that lies under a complete head; 0 if no head is on its way.
    func complete(of log: LogID) -> UInt64 { tips[log]?.complete ?? 0 }

    /// A verified chunk was added to a transaction.
    mutating func put(_ verified: VerifiedChunk, in batch: BatchID) {
        tips[verified.log] = Tip(
            prefix: verified.prefix,
            complete: verified.reachesHead ? verified.end : complete(of: verified.log),
            batch: batch
        )
    }

    /// The transaction, which has chunks of these logs, is over; what a later one stores of them is still on its way.
    mutating func finish(_ batch: BatchID, of logs: some Sequence<LogID>) {
        for log in logs where tips[log]?.batch == batch { tips[log] = nil }
    }

    mutating func forget(_ log: LogID) {
        tips[log] = nil
    }

    /// The chunks of one log for the verifier, with what they are verified over.
    func run(_ arrivals: [Pipeline.Arrival]) -> UnverifiedRun {
        guard let first = arrivals.first else { preconditionFailure("a run has chunks") }
        let log = first.chunk.log
        if case .proof(let range) = first.kind {
            let prefix = LogPrefix(certificate: nil, range: range)
            return UnverifiedRun(log: log, prefix: .known(prefix), chunks: arrivals.map(\.chunk))
        }
        if case .substitute = first.kind {
            return UnverifiedRun(log: log, prefix: .beforeGap, chunks: arrivals.map(\.chunk))
        }
        return UnverifiedRun(
            log: log,
            prefix: tips[log].map { .known($0.prefix) } ?? .store,
            chunks: arrivals.map(\.chunk)
        )
    }
}
