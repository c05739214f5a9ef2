internal import Entries
internal import Storage
internal import Sync

extension Node {
    /// The node's status for a person, with counts from the store.
    package func report() async -> StatusReport {
        statusReport(await work.status())
    }

    /// The status for a command, without the store's counts: a command reads them itself, and each feed heading asks
    /// for this.
    func statusReport(_ store: StoreStatus? = nil, now: Moment = SystemClock.now) -> StatusReport {
        let status = machine.status
        return StatusReport(
            node: id.description,
            network: home.networkName,
            process: FileSystem.process,
            startedAt: started(now),
            listening: listening?.text,
            peers: status.sessions.map { peer($0) },
            targets: status.targets.map { target($0, now) },
            fingerprint: status.fingerprint.description,
            logs: status.logs,
            entries: store?.entries,
            databaseBytes: store?.databaseBytes,
            wantedLogs: status.wantedLogs,
            wantedBodies: status.wantedBodies,
            setAsideLogs: status.setAside,
            isOwnLogCleared: status.ownLogIsCleared,
            isSigningStopped: machine.isSigningStopped || work.hasOtherKey,
            isLocked: ownLog != nil && !work.canSign,
            bytesReceived: totals.received,
            bytesSent: totals.sent,
            isReplaced: isReplaced(),
            carriedPeople: carried.scope.count,
            leftOutPeople: carried.leftOut,
            unsuppliedLogs: status.unsuppliedLogs,
            delayedLogs: status.delayedLogs,
            isFull: status.isFull,
            diskBudgetBytes: budget?.bytes,
            droppedBodies: store?.evictedBodies,
            budgetFailure: work.store.evictionFailure.map { "\($0)" },
            storeFailure: work.store.writeFailure.map { "\($0)" },
            isStoreBehind: work.store.isBehind,
            isRound: purpose == .round,
            lastInStep: Self.lastInStep(status, now)
        )
    }

    /// The start by the wall clock as it goes now, which may have been set since, as on a board that keeps no time when
    /// off. The same at each call as long as it changes by less than a second.
    private func started(_ now: Moment) -> UInt64 {
        let reckoned = Self.wallMilliseconds(of: begunAt, now)
        if max(reckoned, startedAt) - min(reckoned, startedAt) >= 1_000 { startedAt = reckoned }
        return startedAt
    }

    /// When the node was last in step with anybody, in wall-clock time; nil: never since the start.
    private static func lastInStep(_ status: NodeStatus, _ now: Moment) -> UInt64? {
        if status.sessions.contains(where: { $0.isQuiet && $0.isEqual }) { return now.wallMilliseconds }
        return (status.sessions.map(\.equalAt) + [status.inStepAt]).compactMap(\.self).max().map {
            wallMilliseconds(of: $0, now)
        }
    }

    private func peer(_ status: SessionStatus) -> StatusReport.Peer {
        let open = sessions[status.session]
        let isInStep = status.isQuiet && status.isEqual
        let direction: StatusReport.Peer.Direction =
            switch status.direction {
            case .incoming: .incoming
            case .outgoing: .outgoing
            }
        let now = SystemClock.now
        return StatusReport.Peer(
            node: status.node.description,
            address: status.address.map { $0.port == 0 ? $0.host : $0.text } ?? open?.connection.remoteHost,
            direction: direction,
            agent: Printable(status.agent).description,
            connectedSince: open?.since ?? startedAt,
            lastEqual: isInStep ? now.wallMilliseconds : status.equalAt.map { Self.wallMilliseconds(of: $0, now) },
            isInStep: isInStep,
            wants: status.wantsInFlight,
            commonPeople: status.common.count,
            carriesOwn: status.carriesOwn,
            lackedLogs: status.lackedLogs,
            lastHeard: Self.wallMilliseconds(of: status.heardAt, now),
            bytesReceived: open?.traffic.received ?? 0,
            bytesSent: open?.traffic.sent ?? 0
        )
    }

    /// Converts a moment of the monotonic clock to wall-clock time.
    private static func wallMilliseconds(of monotonicMilliseconds: UInt64, _ now: Moment) -> UInt64 {
        let age = now.monotonicMilliseconds - min(now.monotonicMilliseconds, monotonicMilliseconds)
        return now.wallMilliseconds - min(now.wallMilliseconds, age)
    }

    private func target(_ status: TargetStatus, _ moment: Moment) -> StatusReport.Target {
        let now = moment.monotonicMilliseconds
        let isUnanswered = unanswered.contains(status.target.address)
        let dialling: (state: StatusReport.Target.State, failures: Int, retry: UInt64?) =
            switch status.state {
            case .connected: (.connected, 0, nil)
            case .dialling(let failures): (.dialling, failures, nil)
            case .waiting(let moment, let failures): (.waiting, failures, moment > now ? moment - now : 0)
            case .idle where status.isQueued: (.waiting, 0, 0)
            case .idle: (.idle, 0, nil)
            }
        let penalty = status.penalty.map { penalty in
            max(dialling.retry ?? 0, penalty.untilMonotonicMilliseconds - min(now, penalty.untilMonotonicMilliseconds))
        }
        return StatusReport.Target(
            address: status.target.address.text,
            node: status.target.node?.description,
            isListed: status.target.origin == .listed,
            // A penalised target waits for its penalty to end, whatever its state was.
            state: status.penalty != nil && dialling.state == .idle ? .waiting : dialling.state,
            failures: dialling.failures,
            retryInMilliseconds: penalty ?? dialling.retry,
            refusal: status.refusal.flatMap(Self.refusal),
            leftAlone: status.penalty.map(Self.leftAlone),
            failure: status.failure?.words ?? (isUnanswered ? LogLine.unanswered : nil),
            impostor: status.impostor?.description,
            isQueued: status.isQueued,
            lastInStep: status.inStepAt.map { Self.wallMilliseconds(of: $0, moment) }
        )
    }

    private static func leftAlone(_ penalty: TargetStatus.Penalty) -> StatusReport.Target.LeftAlone {
        switch penalty.cause {
        case .noNode: .stranger
        case .violation: .violation
        }
    }

    private static func refusal(_ goodbye: Goodbye) -> StatusReport.Target.Refusal? {
        switch goodbye {
        case .noCommonVersion: .version
        case .scopeNotServed: .scope
        case .tooManyPeers: .full
        case .replaced: .twin
        case .stopping, .violation, .duplicateConnection, .connectedToSelf, .unknown: nil
        }
    }
}
