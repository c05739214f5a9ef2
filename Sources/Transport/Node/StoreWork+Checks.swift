internal import Entries
internal import Storage
internal import Sync

/// Checks of signatures and hashes, on the threads of `checks`.
extension StoreWork {
    func verify(_ batch: UnverifiedBatch) {
        let job = VerificationJob(batch, verifier: verifier, threads: checks.count)
        // All at once: one that is told by another starts as late as that one got its core, which the store may have.
        checks.submit(to: job.threads) { [self] in check(job) }
    }

    /// Checks shares of a batch until none is left to begin; the first thread reads what is held of its logs.
    private func check(_ job: VerificationJob) {
        do throws(StorageError) {
            guard let held = try job.begin({ logs throws(StorageError) in try store.prefixes(of: logs) }) else {
                return
            }
            while let share = job.next() {
                if let outcomes = job.check(share, over: held) { inputs.yield(.event(.verified(job.id, outcomes))) }
            }
        } catch {
            inputs.yield(.storageFailed(error))
            inputs.yield(.event(.verifyFailed(job.id, error.failure)))
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
        checks.submit { [verifier, inputs] in
            let outcomes = words.map(WordVerifier(network: verifier.network).check)
            inputs.yield(.event(.wordsChecked(id, outcomes)))
        }
    }
}
