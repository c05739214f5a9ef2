internal import Entries
internal import Synchronization

/// A cache of log prefixes, so that a live post is verified without reading the file, which costs three times as much
/// as the rest of the check, signature included.
///
/// It shows the last commit, or one a moment ago, as a reader's snapshot does. Only the writer changes it, after each
/// commit (`changed`, `forget`); a reader's addition is kept only if nothing was committed since its read began.
final class PrefixMemory: Sendable {
    /// A moment, as the number of commits so far.
    struct Moment: Equatable {
        fileprivate var commits: UInt64 = 0
    }

    private struct State {
        var moment = Moment()
        var prefixes: [LogID: LogPrefix] = [:]
    }

    private let state = Mutex(State())

    /// The cached prefixes among these logs, and the present moment.
    func known(of logs: [LogID]) -> (prefixes: [LogID: LogPrefix], moment: Moment) {
        state.withLock { state in
            var known: [LogID: LogPrefix] = [:]
            for log in logs { known[log] = state.prefixes[log] }
            return (known, state.moment)
        }
    }

    /// Caches prefixes read from the file, unless something was committed since that moment.
    func add(_ prefixes: [LogID: LogPrefix], readSince moment: Moment) {
        state.withLock { state in
            guard state.moment == moment else { return }
            for (log, prefix) in prefixes where prefix.isPlain {
                if state.prefixes.count >= StorageLimits.rememberedPrefixes { state.prefixes = [:] }
                state.prefixes[log] = prefix
            }
        }
    }

    /// Updates the cache after a commit that left `logs` in these states and removed `gone`.
    func changed(_ logs: [LogState], gone: [LogID]) {
        state.withLock { state in
            state.moment.commits += 1
            for log in gone { state.prefixes[log] = nil }
            for log in logs {
                guard let known = state.prefixes[log.log] else { continue }
                // Only a settled log has a side, and settled logs are not cached.
                let prefix = log.prefix(known.certificate, side: nil)
                state.prefixes[log.log] = prefix.isPlain ? prefix : nil
            }
        }
    }

    /// Clears the cache after a transaction that may have changed anything.
    func forget() {
        state.withLock { state in
            state.moment.commits += 1
            state.prefixes = [:]
        }
    }
}

extension LogPrefix {
    /// Whether the log has neither gap nor words, as nearly all.
    fileprivate var isPlain: Bool { cut == nil && settled == nil && side == nil && gap == nil }
}
