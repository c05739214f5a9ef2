internal import Entries
internal import Sync

/// The result of one synchronisation with all peers.
package enum SyncOutcome: Hashable, Sendable, Codable {
    /// Every reachable peer holds the same as this node.
    case equal(peers: Int, unreachable: Int)
    /// The timeout passed; what arrived is kept.
    case timedOut(peers: Int, equal: Int)
    /// No peer could be reached.
    case unreachable(tried: Int)
    /// The peers file is empty, and no peer called.
    case noPeers
    /// The node stopped meanwhile.
    case stopped
}

extension Node {
    /// The largest size of the own log that a peer has shown since this start; nil if none answered.
    package var ownLogShown: UInt64? { machine.ownLogShown }

    /// Dials all peers now, and waits until each reachable one holds the same as this node.
    package func syncOnce(milliseconds: UInt64) async -> SyncOutcome {
        handle(.hurry)
        return await synced(milliseconds: milliseconds)
    }

    /// Waits for the same on a node that has just started and dials all peers anyway; a peer that already failed is not
    /// dialled again.
    package func synced(milliseconds: UInt64) async -> SyncOutcome {
        do throws(WatchEnd) {
            // Judged at that moment: a failed peer is soon dialled again, and would then count neither as failed nor as
            // reached.
            return try await first(milliseconds: milliseconds) { status in
                let progress = SyncProgress(status)
                return progress.isOver ? progress.outcome : nil
            }
        } catch {
            switch error {
            case .stopped: return .stopped
            case .timedOut:
                let progress = SyncProgress(machine.status)
                return .timedOut(peers: progress.sessions + progress.pending, equal: progress.equal)
            }
        }
    }
}

/// Progress of a synchronisation, from the node's status.
struct SyncProgress: Hashable {
    /// Connected peers.
    let sessions: Int
    /// Connected peers that hold the same as this node.
    let equal: Int
    /// Listed peers that are being dialled or are about to be.
    let pending: Int
    /// Listed peers whose last dial failed, or that are not dialled.
    let failed: Int

    init(_ status: NodeStatus) {
        sessions = status.sessions.count
        equal = status.sessions.count { $0.isQuiet && $0.isEqual }
        let ready = Set(status.sessions.map(\.session))
        let nodes = Set(status.sessions.map(\.node))
        var pending = 0
        var failed = 0
        for target in status.targets where target.target.origin == .listed {
            // Reached at another address, or it called this node.
            if let node = target.target.node, nodes.contains(node) { continue }
            switch target.state {
            case .connected(let session): pending += ready.contains(session) ? 0 : 1
            // In this round one call is enough: of a long list some are always called again.
            case .dialling(let failures) where failures > 0 && target.isTried: failed += 1
            case .dialling: pending += 1
            case .waiting(_, let failures):
                let isOpen = failures == 0 || !target.isTried
                if isOpen { pending += 1 } else { failed += 1 }
            case .idle where target.isQueued: pending += 1
            // Penalised for a violation, or this node itself.
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
