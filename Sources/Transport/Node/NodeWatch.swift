internal import Entries
internal import NIOCore
internal import NIOPosix
package import Sync

extension Node {
    /// A caller that waits for a condition on the node's status.
    struct Watcher {
        /// Resumes the caller if the condition holds; returns false if it does not.
        let look: (NodeStatus) -> Bool
        let giveUp: (WatchEnd) -> Void
        let deadline: Scheduled<Void>
    }

    /// The result of waiting for a condition.
    package enum WatchOutcome: Hashable, Sendable {
        case reached
        case timedOut
        case stopped
    }

    /// Why a wait ended before its condition held.
    enum WatchEnd: Error {
        case timedOut
        case stopped
    }

    /// Waits until `check` holds; it is evaluated now and after every event.
    package func wait(
        milliseconds: UInt64,
        until check: @escaping @Sendable (NodeStatus) -> Bool
    ) async -> WatchOutcome {
        do throws(WatchEnd) {
            _ = try await first(milliseconds: milliseconds) { check($0) ? true : nil }
            return .reached
        } catch {
            switch error {
            case .timedOut: return .timedOut
            case .stopped: return .stopped
            }
        }
    }

    /// Returns the first value that `look` finds, now or after an event; the node may have gone on since.
    func first<Seen: Sendable>(
        milliseconds: UInt64,
        _ look: @escaping @Sendable (NodeStatus) -> Seen?
    ) async throws(WatchEnd) -> Seen {
        if isEnding { throw .stopped }
        if machine.hasBegun, let seen = look(machine.status) { return seen }
        let name = nextName()
        let result: Result<Seen, WatchEnd> = await withCheckedContinuation { continuation in
            let deadline = loop.scheduleTask(in: .milliseconds(Int64(clamping: milliseconds))) { [input] in
                input.yield(.watchExpired(name))
            }
            watchers[name] = Watcher(
                look: { status in
                    guard let seen = look(status) else { return false }
                    continuation.resume(returning: .success(seen))
                    return true
                },
                giveUp: { continuation.resume(returning: .failure($0)) },
                deadline: deadline
            )
            // The status may have changed, or the shutdown begun, since the check above, and no event need follow.
            if isEnding {
                remove(name)?.giveUp(.stopped)
            } else {
                checkWatches()
            }
        }
        return try result.get()
    }

    func checkWatches() {
        // The watchers first: reading `machine` copies all of it, at every event.
        guard !watchers.isEmpty, machine.hasBegun else { return }
        let status = machine.status
        for (name, watcher) in watchers where watcher.look(status) { remove(name) }
    }

    func expireWatch(_ name: Int) {
        remove(name)?.giveUp(.timedOut)
    }

    func endWatches() {
        for name in Array(watchers.keys) { remove(name)?.giveUp(.stopped) }
    }

    @discardableResult
    private func remove(_ name: Int) -> Watcher? {
        let watcher = watchers.removeValue(forKey: name)
        watcher?.deadline.cancel()
        return watcher
    }
}
