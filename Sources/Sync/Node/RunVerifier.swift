package import Entries

extension ChunkVerifier {
    /// Checks the chunks of a run, each over the end of the one before; slow, so not on an event loop.
    ///
    /// `prefix` is what the run begins at: `run.prefix`, or what the store gave for it. Gives one outcome for each chunk;
    /// behind one that did not verify, the others do not fit.
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
