/// Amounts that a node holds in memory for peers at one moment, comparable with the bounds of `Limits`.
package struct NodeLoad: Hashable, Sendable {
    /// The amounts measured; one given for one peer is that of the peer with the most.
    package enum Kind: Int, CaseIterable, Sendable {
        case sessions, incomingSessions, strangers
        /// Bytes queued for the network, for one peer and for all together.
        case queuedBytes, allQueuedBytes
        /// Logs of which peers offer more than is held, and patient wants.
        case offeredLogs, patientWants
        case wantedBodies
        case gaps
        /// Nodes remembered to have been asked for one body or gap.
        case askedNodes
        /// Unanswered questions of one peer.
        case unansweredWants, unansweredBodies, unansweredProofs
        /// Bytes of one peer's credit that wait to be verified or stored.
        case arrivingBytes
        /// Credit lost and credit given twice: one peer's remaining, owed and arriving bytes together, less or more
        /// than its Hello was told.
        case lostCredit, doubledCredit
        /// Bytes of settlements and fork evidence that wait to be checked, and of those that wait for a quota.
        case waitingWordBytes, delayedWordBytes
        /// For one peer: change numbers that wait for what was announced before them, marks heard, disputes, and logs
        /// that wait for a dispute or for the store.
        case milestones, heardMarks, disputes, postponedDisputes, undecidedLogs
        case forgottenLogs, outsideLogs, writers, cursors
        case learnedPeers, dials, penalties
    }

    private var amounts = [UInt64](repeating: 0, count: Kind.allCases.count)

    package init() {}

    package subscript(kind: Kind) -> UInt64 {
        get { amounts[kind.rawValue] }
        set { amounts[kind.rawValue] = newValue }
    }

    /// Notes an amount, of which the largest so far is kept.
    mutating func raise(_ kind: Kind, to amount: Int) { self[kind] = max(self[kind], UInt64(max(0, amount))) }

    /// The amounts above their bounds, as text.
    package func exceeded(_ bounds: NodeBounds) -> [String] {
        Kind.allCases.filter { self[$0] > UInt64($0.bound(bounds)) }
            .map { "\($0): \(self[$0]) > \($0.bound(bounds))" }
    }

    /// The larger of both for each amount.
    package func peak(_ other: NodeLoad) -> NodeLoad {
        var peak = self
        for kind in Kind.allCases { peak[kind] = max(self[kind], other[kind]) }
        return peak
    }
}

extension NodeLoad.Kind {
    /// Upper bound of the amount.
    package func bound(_ bounds: NodeBounds) -> Int {
        switch self {
        case .sessions: Limits.sessionsCount + Limits.guestsCount
        case .incomingSessions: Limits.incomingSessionsCount + Limits.guestsCount
        case .strangers: Limits.strangersCount
        // The answer that reaches the bound may exceed it.
        case .queuedBytes: Limits.queueHardBytes + 2 * Limits.maximumMessageBytes
        case .allQueuedBytes: Limits.queueTotalBytes + Limits.queueHardBytes
        case .offeredLogs: bounds.wantedLogsCount + Limits.sessionsCount * bounds.wantedLogsPerSessionCount
        case .patientWants: bounds.patientWantsCount
        case .wantedBodies: Limits.wantedBodiesCount
        case .gaps: Limits.gapsCount
        case .askedNodes: Limits.askedNodesCount
        case .unansweredWants: Limits.wantsUnanswered
        case .unansweredBodies: Limits.bodiesUnanswered
        case .unansweredProofs: Limits.prefixesUnanswered
        case .arrivingBytes: Int(Limits.creditWindowBytes)
        case .lostCredit, .doubledCredit: 0
        case .waitingWordBytes, .delayedWordBytes:
            Limits.waitingWordBytes + Limits.sessionsCount * Limits.waitingWordBytesPerSession
        case .milestones: Limits.milestonesCount
        case .heardMarks: Limits.heardMarksCount
        case .disputes: Limits.disputesCount
        case .postponedDisputes: Limits.postponedDisputesCount
        case .undecidedLogs: Limits.undecidedLogsCount
        case .forgottenLogs, .outsideLogs: Limits.forgottenLogsCount
        case .writers: Limits.writersCount
        // Cursors are forgotten an eighth at a time.
        case .cursors: Limits.peerCursorsCount + Limits.peerCursorsCount / 8 + Limits.sessionsCount
        case .learnedPeers: Limits.learnedPeersCount
        case .dials: Limits.dialsCount
        case .penalties: Limits.penaltiesCount
        }
    }
}

extension NodeMachine {
    /// The amounts held for peers now.
    package var load: NodeLoad {
        var load = NodeLoad()
        load.raise(.sessions, to: sessions.count)
        load.raise(.incomingSessions, to: sessions.values.count { !$0.isOutgoing })
        load.raise(.strangers, to: sessions.values.count { !$0.isOutgoing && $0.node == nil })
        for session in sessions.values { load.raise(.queuedBytes, to: session.waitingBytes) }
        load.raise(.allQueuedBytes, to: waitingBytes)
        load.raise(.offeredLogs, to: requests.offeredCount)
        load.raise(.patientWants, to: requests.patientCount)
        load.raise(.wantedBodies, to: bodies.count)
        load.raise(.gaps, to: gaps.count)
        load.raise(.askedNodes, to: max(bodies.askedNodesCount, gaps.askedNodesCount))
        let costs = pipeline.costs
        for link in links.values {
            let unread = sessions[link.session]?.unread.cost ?? 0
            measure(link, arriving: unread + (costs[link.session] ?? 0), &load)
        }
        load.raise(.waitingWordBytes, to: wordQueue.waitingBytes)
        load.raise(.delayedWordBytes, to: wordQueue.delayedBytes)
        load.raise(.forgottenLogs, to: forgotten.count)
        load.raise(.outsideLogs, to: ownScope.outside.count)
        load.raise(.writers, to: writers.count)
        load.raise(.cursors, to: cursors.count)
        load.raise(.learnedPeers, to: peers.learned.count)
        load.raise(.dials, to: peers.dialsCount)
        load.raise(.penalties, to: peers.penalties.count)
        return load
    }

    private func measure(_ link: Link, arriving: UInt64, _ load: inout NodeLoad) {
        load.raise(.unansweredWants, to: link.serving.wantsCount)
        load.raise(.unansweredBodies, to: link.serving.places.count)
        load.raise(.unansweredProofs, to: link.serving.proofsCount)
        load.raise(.arrivingBytes, to: Int(clamping: arriving))
        // Credit given back twice shows as more than was allowed, credit never given back as less.
        let present = Int(clamping: link.grantedCredit.remaining + link.grantedCredit.owed + arriving)
        load.raise(.doubledCredit, to: present - Int(clamping: configuration.credit))
        load.raise(.lostCredit, to: Int(clamping: configuration.credit) - present)
        load.raise(.milestones, to: link.milestones.count)
        load.raise(.heardMarks, to: link.heardMarks.count)
        load.raise(.disputes, to: link.disputes.count)
        load.raise(.postponedDisputes, to: link.postponed.count)
        load.raise(.undecidedLogs, to: link.undecided.count)
    }
}
