import Entries

/// Deadlines, dials and the next alarm.
extension NodeMachine {
    /// Closes sessions past a deadline, and begins what has waited long enough.
    mutating func meetDeadlines() {
        while waitingBytes > Limits.queueTotalBytes, let id = slowest { close(id, nil, reason: .notReading) }
        for id in order where isAwake(id) {
            if isGuestOverdue(id) {
                close(id, .tooManyPeers)
            } else if let reason = fault(of: id) {
                close(id, nil, reason: reason)
            }
        }
        endDelays()
        endAwaiting()
        renewPeers()
        if time >= overdueLookAt { passOn() }
        own?.expireClaims(now: time)
        endRounds()
    }

    private mutating func endRounds() {
        guard !ready.parts.isEmpty else {
            bodies.endRounds(ready: ready.all, now: time)
            return gaps.endRounds(ready: ready.speakingWindows, now: time)
        }
        let isShared = { [frontier, parts = ready.parts] (log: LogID, node: NodeID) in
            guard let part = parts[node], let known = frontier.log(log) else { return true }
            return frontier.holds(known, in: part)
        }
        bodies.endRounds(ready: ready.all, now: time) { isShared($0.log, $1) }
        gaps.endRounds(ready: ready.speakingWindows, now: time, isShared: isShared)
    }

    /// The deadline that a session has missed; nil: none.
    private func fault(of id: SessionID) -> LossReason? {
        guard let deadline = sessions[id]?.deadline else { return nil }
        if sessions[id]?.queuedBytes ?? 0 > Limits.queueHardBytes { return .notReading }
        if let deadline = sessions[id]?.readingDeadline, time >= deadline { return .notReading }
        if time >= deadline { return .idle }
        if let end = stageEnd(id), time >= end { return .noProgress }
        if let deadline = progressDeadline(id), time >= deadline { return .noProgress }
        return nil
    }

    /// Lets others be asked for overdue answers, whatever else the peers that owe them answer meanwhile.
    private mutating func passOn() {
        overdueLookAt = time + Limits.overdueLookMilliseconds
        guard links.count > 1, !pipeline.forming.isFull else { return }
        for log in requests.passLacks(limit: Limits.lacksPassedAtOnce) { queue(log) }
        for id in order {
            // Without credit nobody can answer; but who spends it at once on something else would owe for ever.
            guard let remaining = links[id]?.grantedCredit.remaining else { continue }
            let mayAnswer = remaining > UInt64(Limits.maximumMessageBytes)
            let now = waiting(for: id)
            let isOverdue = { (waiting: Waiting) in
                waiting.isOverdue(received: now.received, now: now.since)
                    && (mayAnswer || now.since >= waiting.since + Limits.slowProgressMilliseconds)
            }
            for log in requests.passOn(of: id, at: time, if: isOverdue) {
                noteLack(log, of: id)
                queue(log)
            }
            bodies.passOn(of: id, if: isOverdue)
            gaps.passOn(of: id, if: isOverdue)
        }
    }

    /// The start of an answer's deadline, for one that a peer owes from now on.
    func waiting(for id: SessionID) -> Waiting {
        Waiting(since: time, received: sessions[id]?.bytesReceived ?? 0)
    }

    /// The session with the longest queue.
    private var slowest: SessionID? {
        order.max { sessions[$0]?.waitingBytes ?? 0 < sessions[$1]?.waitingBytes ?? 0 }
    }

    /// Queues the logs whose wait for a quota is over.
    private mutating func endDelays() {
        for want in delayed.takeDue(now: time) {
            links[want.session]?.asking.endDelay(want.log)
            wish(want.log, of: want.session, .again)
        }
    }

    /// When a peer that owes an answer is dropped; nil: it owes none, or has no credit to answer with.
    func progressDeadline(_ id: SessionID) -> UInt64? {
        guard let progressAt = links[id]?.progressAt else { return nil }
        let owes = requests.askedCount(id) > 0 || bodies.isBusy(id) || gaps.isBusy(id) || links[id]?.isOwed == true
        guard owes || links[id]?.asker.awaitsOpening == true,
            links[id]?.grantedCredit.remaining ?? 0 > UInt64(Limits.maximumMessageBytes)
        else { return nil }
        // A stage's first answer: the peer may fetch from here first, over a slow line, and sends nothing meanwhile.
        guard owes else { return progressAt + Limits.slowProgressMilliseconds }
        // A large message over a slow line counts as on its way while bytes come, but not for ever.
        let heard = sessions[id]?.heardAt ?? 0
        return max(
            progressAt + Limits.progressDeadlineMilliseconds,
            min(heard + Limits.progressDeadlineMilliseconds, progressAt + Limits.slowProgressMilliseconds)
        )
    }

    /// Dials the peers that are wanted now.
    mutating func dial() {
        guard phase == .running, dialSchedule.isDue(now: time) else { return }
        let connected = connectedNodes
        let (all, few) = (peerSessionsCount, neighboursCount)
        for (id, target) in peers.dial(now: time, sessions: all, neighbours: few, connected: connected) {
            effects.append(.dial(id, target))
        }
        dialSchedule.chosen(nextDue: peers.nextDue(now: time, sessions: all, neighbours: few, connected: connected))
    }

    /// The nodes at the other ends of all sessions, as far as they have shown their ids.
    var connectedNodes: Set<NodeID> { Set(sessions.values.compactMap(\.node)) }

    mutating func dialFailed(_ dial: DialID, _ failure: DialFailure) {
        dialSchedule.invalidate()
        if let (address, delay) = peers.failed(dial, failure, links: farLinksCount, now: time) {
            effects.append(.report(.dialFailed(address, failure, retryInMilliseconds: delay)))
        }
    }

    /// Takes over the list of listed peers; connections to those that are no longer on it are closed.
    mutating func peersChanged(_ targets: [PeerTarget]) {
        for id in peers.list(targets) { close(id, .stopping, reason: .removed) }
        for id in order { if let node = links[id]?.node { links[id]?.isListed = peers.isListed(node) } }
        dialSchedule.invalidate()
    }

    /// Requests an alarm for the next thing due, if that is another moment than before.
    mutating func setAlarm() {
        var due = Earliest()
        if let next = rest() { due.note(next) }
        // Later than now, since `renewPeers` has looked in this event.
        if configuration.exchange == .on, !links.isEmpty { due.note(peersRenewalAt) }
        if let expiry = own?.nextExpiry { due.note(expiry) }
        if let change = ownScope.changeDue { due.note(change) }
        if let retry = pipeline.retryAt { due.note(retry) }
        if let next = pipeline.bulkDue(now: time) { due.note(next) }
        if !links.isEmpty {
            due.note(requests.nextDue)
            due.note(bodies.nextDue)
            due.note(gaps.nextDue)
        }
        if rests.isOwed || requests.hasLacks, links.count > 1 { due.note(overdueLookAt) }
        due.note(delayed.earliestDue)
        due.note(awaited.nextDue)
        // A moment in the past waits for the store.
        if let next = wordQueue.nextDue { due.note(next, after: time) }
        if phase == .running { due.note(dialSchedule.nextDue) }
        guard due.moment != .max else { return }
        let next = max(due.moment, time + 1)
        guard next != wokenAt else { return }
        wokenAt = next
        effects.append(.wake(at: next))
    }
}
