internal import Entries
internal import Storage
internal import Sync

/// Signatures and hashes, on as many threads as there are cores.
extension StoreWork {
    func verify(_ batch: UnverifiedBatch) {
        if let outcomes = checkAtOnce(batch) {
            inputs.yield(.event(.verified(batch.id, outcomes)))
            return
        }
        submit(to: checks) { [self] in
            let logs = batch.runs.filter(\.isOverStored).map(\.log)
            let held: [LogID: LogPrefix]
            do throws(StorageError) {
                held = logs.isEmpty ? [:] : try store.prefixes(of: logs)
            } catch {
                inputs.yield(.storageFailed(error))
                inputs.yield(.event(.verifyFailed(batch.id, error.failure)))
                return
            }
            let job = VerificationJob(batch, over: held, verifier: verifier, shares: checkers)
            // What is small stays where it is: another thread's wake-up costs more.
            for share in job.shares.dropFirst() {
                submit(to: checks) { [inputs] in
                    if let outcomes = job.check(share) { inputs.yield(.event(.verified(batch.id, outcomes))) }
                }
            }
            if let share = job.shares.first, let outcomes = job.check(share) {
                inputs.yield(.event(.verified(batch.id, outcomes)))
            }
        }
    }

    /// Checks a live post where it is asked for: it takes less than the two changes of threads. Nil for whatever is more than
    /// that, or needs the file.
    private func checkAtOnce(_ batch: UnverifiedBatch) -> [[ChunkOutcome]]? {
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

    func judge(_ id: RequestID, _ verdicts: [UnverifiedVerdict]) {
        submit(to: checks) { [verifier, inputs] in
            let judge = VerdictVerifier(network: verifier.network)
            inputs.yield(.event(.judged(id, verdicts.map(judge.judge))))
        }
    }
}
