internal import Entries
internal import Sync

/// How one synchronisation with everybody ended.
package enum SyncOutcome: Hashable, Sendable, Codable {
    /// Every peer that could be reached holds the same as this node.
    case equal(peers: Int, unreachable: Int)
    /// Time ran out; what came until then is kept.
    case timedOut(peers: Int, equal: Int)
    /// Nobody could be reached.
    case unreachable(tried: Int)
    /// The peers file lists nobody, and nobody called.
    case noPeers
    /// The node stopped meanwhile.
    case stopped
}

extension Node {
    /// The most of the own log that a peer of this start said to hold; nil: nobody answered.
    package var ownLogShown: UInt64? { machine.ownLogShown }

    /// Calls everybody now, and waits until each peer that answers holds the same as this node.
    package func syncOnce(milliseconds: UInt64) async -> SyncOutcome {
        handle(.hurry)
        return await synced(milliseconds: milliseconds)
    }

    /// Waits for the same of a node that has just begun, and calls everybody in any case: whom it has tried in vain by now is not
    /// tried twice.
    package func synced(milliseconds: UInt64) async -> SyncOutcome {
        do throws(WatchEnd) {
            // What was seen then: a peer that was tried in vain is soon tried again, and would count as neither.
            return try await first(milliseconds: milliseconds) { status in
                let progress = SyncProgress(status, now: SystemClock.monotonicMilliseconds)
                return progress.isOver ? progress.outcome : nil
            }
        } catch {
            switch error {
            case .stopped: return .stopped
            case .timedOut:
                let progress = SyncProgress(machine.status, now: SystemClock.monotonicMilliseconds)
                return .timedOut(peers: progress.sessions + progress.pending, equal: progress.equal)
            }
        }
    }
}

/// What of a synchronisation is done.
struct SyncProgress: Hashable {
    /// Connected peers, and those of them that hold the same as this node.
    let sessions: Int
    let equal: Int
    /// Listed peers that were not reached yet and may still be, and those that were tried in vain.
    let pending: Int
    let failed: Int

    init(_ status: NodeStatus, now: UInt64) {
        sessions = status.sessions.count
        equal = status.sessions.count { $0.isQuiet && $0.isEqual }
        let ready = Set(status.sessions.map(\.session))
        let nodes = Set(status.sessions.map(\.node))
        var pending = 0
        var failed = 0
        for target in status.targets where target.target.origin == .listed {
            // Reached by another address, or because it called here.
            if let node = target.target.node, nodes.contains(node) { continue }
            switch target.state {
            case .connected(let session): pending += ready.contains(session) ? 0 : 1
            case .dialling: pending += 1
            case .waiting(let moment, let failures):
                if moment <= now || failures == 0 { pending += 1 } else { failed += 1 }
            // Left alone for breaking the protocol, this node itself, or behind others that are dialled first: those
            // are pending themselves.
            case .idle: failed += 1
            }
        }
        self.pending = pending
        self.failed = failed
    }

    var isOver: Bool { pending == 0 && equal == sessions }

    var outcome: SyncOutcome {
        if sessions > 0 { return .equal(peers: sessions, unreachable: failed) }
        return failed > 0 ? .unreachable(tried: failed) : .noPeers
    }
}
