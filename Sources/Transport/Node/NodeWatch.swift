internal import Entries
internal import NIOCore
internal import NIOPosix
package import Sync

extension Node {
    /// Somebody who waits for the node to get somewhere.
    struct Watcher {
        let check: (NodeStatus) -> Bool
        let continuation: CheckedContinuation<WatchOutcome, Never>
        let deadline: Scheduled<Void>
    }

    /// How waiting ended.
    package enum WatchOutcome: Hashable, Sendable {
        case reached
        case timedOut
        case stopped
    }

    /// Waits until `check` holds; asked now and after every event.
    package func wait(
        milliseconds: UInt64,
        until check: @escaping @Sendable (NodeStatus) -> Bool
    ) async -> WatchOutcome {
        if isEnding { return .stopped }
        if hasStarted, check(machine.status) { return .reached }
        let name = nextName()
        return await withCheckedContinuation { continuation in
            let deadline = loop.scheduleTask(in: .milliseconds(Int64(clamping: milliseconds))) { [input] in
                _ = input.yield(.watchExpired(name))
            }
            watchers[name] = Watcher(check: check, continuation: continuation, deadline: deadline)
        }
    }

    func checkWatches() {
        guard hasStarted, !watchers.isEmpty else { return }
        let status = machine.status
        for (name, watcher) in watchers where watcher.check(status) { end(name, .reached) }
    }

    func expireWatch(_ name: Int) {
        end(name, .timedOut)
    }

    func endWatches() {
        for name in Array(watchers.keys) { end(name, .stopped) }
    }

    private func end(_ name: Int, _ outcome: WatchOutcome) {
        guard let watcher = watchers.removeValue(forKey: name) else { return }
        watcher.deadline.cancel()
        watcher.continuation.resume(returning: outcome)
    }
}
