internal import Entries

extension NodeMachine {
    /// State of the node, for a person who asks.
    package var status: NodeStatus {
        let unsupplied = requests.unsuppliedCount
        let connected = connectedNodes
        // Who has no room for another connection calls nobody, however long.
        let mayDialMore = peerSessionsCount < Limits.sessionsCount
        return NodeStatus(
            node: configuration.node,
            sessions: order.compactMap { id in
                guard let session = sessions[id], let link = links[id] else { return nil }
                return SessionStatus(
                    session: id,
                    node: link.node,
                    address: session.address,
                    direction: session.direction,
                    agent: link.hello.agent,
                    isQuiet: isQuiet(id),
                    isEqual: isEqual(id),
                    equalAt: link.calm.equalAt,
                    common: link.common.scope,
                    carriesOwn: carriesOwn(link),
                    lackedLogs: link.lackedLogs,
                    wantsInFlight: requests.askedCount(id),
                    heardAt: session.heardAt,
                    bytesReceived: session.bytesReceived,
                    bytesSent: session.bytesSent
                )
            },
            targets: peers.all.map {
                TargetStatus(
                    target: $0.target,
                    state: Self.state($0),
                    refusal: $0.refusal,
                    penalty: peers.penalty(of: $0, now: time),
                    failure: $0.failure,
                    impostor: $0.impostor,
                    isTried: $0.isTried,
                    isQueued: mayDialMore && peers.isQueued($0, now: time, connected),
                    inStepAt: $0.inStepAt
                )
            },
            fingerprint: frontier.fingerprint,
            logs: UInt64(frontier.count),
            wantedLogs: requests.count - unsupplied + begunCount,
            wantedBodies: bodies.count,
            gaps: gaps.count,
            setAside: setAside.count + standings.forkedCount,
            ownLogIsCleared: ownLogIsCleared,
            scope: ownScope.scope,
            unsuppliedLogs: unsupplied,
            delayedLogs: delayed.count + wordQueue.delayedCount,
            isFull: isFull,
            inStepAt: peers.inStepAt
        )
    }

    /// Logs of which entries are here that count once the rest has come (`protocol/log.md` §8), and which nobody has
    /// offered: a part of a bundle, say. A log with a gap is counted as that.
    private var begunCount: Int {
        pendingEnds.count { log, end in
            end > frontier.size(of: log) && end < standings.ceiling(log) && requests.want(log) == nil
                && !gaps.contains(log) && !isClosed(log)
        }
    }

    private static func state(_ entry: PeerBook.Entry) -> TargetStatus.State {
        switch entry.state {
        case .idle, .own: .idle
        case .dialling: .dialling(failures: entry.failures)
        case .connected(let session): .connected(session)
        case .waiting(let until): .waiting(untilMonotonicMilliseconds: until, failures: entry.failures)
        }
    }
}
