/// What a node holds in memory for others at one moment, beside the bounds of `Limits`.
package struct NodeLoad: Hashable, Sendable {
    package var sessions = 0
    package var incomingSessions = 0
    /// Bytes that wait for the network, of the connection that has most of them.
    package var queuedBytes = 0
    /// Of all connections together.
    package var allQueuedBytes = 0
    /// Logs that peers offer and are not here.
    package var wantedLogs = 0
    package var wantedBodies = 0
    /// What one peer asked for and has not got.
    package var unansweredWants = 0
    package var unansweredBodies = 0
    package var unansweredProofs = 0
    /// Bytes of one peer's credit that wait to be checked or stored.
    package var arrivingBytes: UInt64 = 0
    package var penalties = 0

    package init() {}

    private static let wantedLogsBound =
        Limits.wantedLogsCount + Limits.sessionsCount * Limits.wantedLogsPerSessionCount + Limits.patientWantsCount

    /// The bounds that are passed, by name.
    package var exceeded: [String] {
        let bounds: [(String, Int, Int)] = [
            ("sessions", sessions, Limits.sessionsCount),
            ("incoming sessions", incomingSessions, Limits.incomingSessionsCount),
            // What is written when the bound is reached goes beyond it by one answer.
            ("queued bytes", queuedBytes, Limits.queueHardBytes + 2 * Limits.maximumMessageBytes),
            ("queued bytes of all", allQueuedBytes, Limits.queueTotalBytes + Limits.queueHardBytes),
            ("wanted logs", wantedLogs, Self.wantedLogsBound),
            ("wanted bodies", wantedBodies, Limits.wantedBodiesCount),
            ("unanswered wants", unansweredWants, Limits.wantsUnanswered),
            ("unanswered bodies", unansweredBodies, Limits.bodiesUnanswered),
            ("unanswered proofs", unansweredProofs, Limits.prefixesUnanswered),
            ("arriving bytes", Int(clamping: arrivingBytes), Int(clamping: Limits.creditWindowBytes)),
            ("penalties", penalties, Limits.penaltiesCount),
        ]
        return bounds.filter { $0.1 > $0.2 }.map { "\($0.0): \($0.1) > \($0.2)" }
    }

    /// The most of both.
    package func peak(_ other: NodeLoad) -> NodeLoad {
        var peak = self
        peak.sessions = max(sessions, other.sessions)
        peak.incomingSessions = max(incomingSessions, other.incomingSessions)
        peak.queuedBytes = max(queuedBytes, other.queuedBytes)
        peak.allQueuedBytes = max(allQueuedBytes, other.allQueuedBytes)
        peak.wantedLogs = max(wantedLogs, other.wantedLogs)
        peak.wantedBodies = max(wantedBodies, other.wantedBodies)
        peak.unansweredWants = max(unansweredWants, other.unansweredWants)
        peak.unansweredBodies = max(unansweredBodies, other.unansweredBodies)
        peak.unansweredProofs = max(unansweredProofs, other.unansweredProofs)
        peak.arrivingBytes = max(arrivingBytes, other.arrivingBytes)
        peak.penalties = max(penalties, other.penalties)
        return peak
    }
}

extension NodeMachine {
    /// What it holds for others now.
    package var load: NodeLoad {
        var load = NodeLoad()
        load.sessions = sessions.count
        for session in sessions.values {
            if !session.isOutgoing { load.incomingSessions += 1 }
            load.queuedBytes = max(load.queuedBytes, session.queuedBytes)
        }
        load.allQueuedBytes = waitingBytes
        for link in links.values {
            load.unansweredWants = max(load.unansweredWants, link.serving.wants.count)
            load.unansweredBodies = max(load.unansweredBodies, link.serving.places.count)
            load.unansweredProofs = max(load.unansweredProofs, link.serving.proofsCount)
            load.arrivingBytes = max(
                load.arrivingBytes,
                configuration.credit - min(configuration.credit, link.allowance.remaining)
            )
        }
        load.wantedLogs = requests.count
        load.wantedBodies = bodies.count
        load.penalties = peers.penalties.count
        return load
    }
}
