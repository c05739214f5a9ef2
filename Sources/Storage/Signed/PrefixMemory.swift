internal import Entries
internal import Synchronization

/// What was last asked of some logs, so that a live post is checked without a question to the file: that costs as much as the
/// signature and everything else about the check, thrice over.
///
/// It says what is committed, or what was a moment ago, as a reader's snapshot does. Only the one writer changes it, behind
/// each commit (`changed`, `forget`); what a reader adds is kept only if nothing was committed since it began to read.
final class PrefixMemory: Sendable {
    /// Transactions that were told of.
    struct Moment: Equatable {
        fileprivate var commits: UInt64 = 0
    }

    private struct State {
        var moment = Moment()
        var prefixes: [LogID: LogPrefix] = [:]
    }

    private let state = Mutex(State())

    /// Those that are known, and when that was.
    func known(of logs: [LogID]) -> (prefixes: [LogID: LogPrefix], moment: Moment) {
        state.withLock { state in
            var known: [LogID: LogPrefix] = [:]
            for log in logs { known[log] = state.prefixes[log] }
            return (known, state.moment)
        }
    }

    /// Keeps what was read from the file, unless something was committed since that moment.
    func add(_ prefixes: [LogID: LogPrefix], readSince moment: Moment) {
        state.withLock { state in
            guard state.moment == moment else { return }
            for (log, prefix) in prefixes where prefix.isPlain {
                if state.prefixes.count >= StorageLimits.rememberedPrefixes { state.prefixes = [:] }
                state.prefixes[log] = prefix
            }
        }
    }

    /// A transaction is committed that left these logs so, and `gone` out of the file.
    func changed(_ logs: [LogState], gone: [LogID]) {
        state.withLock { state in
            state.moment.commits += 1
            for log in gone { state.prefixes[log] = nil }
            for log in logs {
                guard let known = state.prefixes[log.log] else { continue }
                // A side belongs to a settled log alone, of which nothing is remembered.
                let prefix = log.prefix(known.certificate, side: nil)
                state.prefixes[log.log] = prefix.isPlain ? prefix : nil
            }
        }
    }

    /// A transaction is over, and may have changed anything.
    func forget() {
        state.withLock { state in
            state.moment.commits += 1
            state.prefixes = [:]
        }
    }
}

extension LogPrefix {
    /// Of one whole history that nobody has judged, as nearly all are.
    fileprivate var isPlain: Bool { cut == nil && settled == nil && side == nil && gap == nil }
}
