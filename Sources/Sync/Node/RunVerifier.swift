package import Entries

extension ChunkVerifier {
    /// Verifies the chunks of a run, each over the prefix that ends with the one before; too slow for an event loop.
    ///
    /// `prefix` is the prefix of the first chunk: `run.prefix`, or what the store read for it. Returns one outcome for
    /// each chunk; the chunks behind one that failed do not fit.
    package func verify(_ run: UnverifiedRun, over prefix: LogPrefix) -> [ChunkOutcome] {
        var prefix = prefix
        var outcomes: [ChunkOutcome] = []
        outcomes.reserveCapacity(run.chunks.count)
        for chunk in run.chunks {
            let outcome = verify(chunk, over: prefix)
            if case .verified(let verified) = outcome {
                prefix = verified.prefix
            }
            outcomes.append(outcome)
        }
        return outcomes
    }
}
