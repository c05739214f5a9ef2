internal import Entries
internal import Storage
internal import Sync

/// Checks of signatures and hashes, on the threads of `checks`.
extension StoreWork {
    func verify(_ batch: UnverifiedBatch) {
        checks.submit { [self] thread in
            let logs = batch.runs.filter(\.isOverStored).map(\.log)
            let held: [LogID: LogPrefix]
            do throws(StorageError) {
                held = logs.isEmpty ? [:] : try store.prefixes(of: logs)
            } catch {
                inputs.yield(.storageFailed(error))
                inputs.yield(.event(.verifyFailed(batch.id, error.failure)))
                return
            }
            let job = VerificationJob(batch, over: held, verifier: verifier, threads: checks.count)
            // This thread takes its part: waking another one costs more than a small batch.
            checks.submit(besides: thread, job.helpers) { [self] _ in check(job) }
            check(job)
        }
    }

    /// Checks shares of a batch until none is left to begin.
    private func check(_ job: VerificationJob) {
        while let share = job.next() {
            if let outcomes = job.check(share) { inputs.yield(.event(.verified(job.id, outcomes))) }
        }
    }

    /// Verifies a live post on the caller's thread, which takes less than two thread hops; nil for a larger batch, or
    /// one whose prefix is not in memory.
    func checkAtOnce(_ batch: UnverifiedBatch) -> [[ChunkOutcome]]? {
        guard batch.runs.count == 1, let run = batch.runs.first, run.chunks.count == 1, let chunk = run.chunks.first,
            chunk.count <= TransportLimits.checkedAtOnceEntries,
            chunk.entries.count <= TransportLimits.checkedAtOnceBytes
        else { return nil }
        let known: LogPrefix? =
            switch run.prefix {
            case .store: store.rememberedPrefix(of: run.log)
            case .known(let prefix): prefix
            case .beforeGap: nil
            }
        return known.map { [verifier.verify(run, over: $0)] }
    }

    func check(_ id: RequestID, _ words: [UnverifiedWords]) {
        checks.submit { [verifier, inputs] _ in
            let outcomes = words.map(WordVerifier(network: verifier.network).check)
            inputs.yield(.event(.wordsChecked(id, outcomes)))
        }
    }
}
