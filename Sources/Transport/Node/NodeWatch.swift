internal import Entries
internal import NIOCore
internal import NIOPosix
package import Sync

extension Node {
    /// Somebody who waits for the node to get somewhere.
    struct Watcher {
        /// Tells who waits what is seen; false while there is nothing to tell.
        let look: (NodeStatus) -> Bool
        let giveUp: (WatchEnd) -> Void
        let deadline: Scheduled<Void>
    }

    /// How waiting ended.
    package enum WatchOutcome: Hashable, Sendable {
        case reached
        case timedOut
        case stopped
    }

    /// Why nothing was seen.
    enum WatchEnd: Error {
        case timedOut
        case stopped
    }

    /// Waits until `check` holds; asked now and after every event.
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

    /// The first that `look` sees; asked now and after every event. By the time it is returned the node may have gone on.
    func first<Seen: Sendable>(
        milliseconds: UInt64,
        _ look: @escaping @Sendable (NodeStatus) -> Seen?
    ) async throws(WatchEnd) -> Seen {
        if isEnding { throw .stopped }
        if machine.hasBegun, let seen = look(machine.status) { return seen }
        let name = nextName()
        let result: Result<Seen, WatchEnd> = await withCheckedContinuation { continuation in
            let deadline = loop.scheduleTask(in: .milliseconds(Int64(clamping: milliseconds))) { [input] in
                _ = input.yield(.watchExpired(name))
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
            // The node may have had a turn, or begun to end, since it was looked at: nothing need ever come after that.
            if isEnding {
                remove(name)?.giveUp(.stopped)
            } else {
                checkWatches()
            }
        }
        return try result.get()
    }

    func checkWatches() {
        // In this order: to ask the machine copies all of it, at every event.
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
