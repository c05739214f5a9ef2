import Entries

/// Deadlines, dials and the moment of the next alarm.
extension NodeMachine {
    /// Ends what has been silent or idle for too long, and begins what has waited long enough.
    mutating func meetDeadlines() {
        while waitingBytes > Limits.queueTotalBytes, let id = slowest { close(id, nil, reason: .notReading) }
        for id in order {
            guard let session = sessions[id] else { continue }
            if session.queuedBytes > Limits.queueHardBytes {
                close(id, nil, reason: .notReading)
            } else if let deadline = session.readingDeadline, time >= deadline {
                close(id, nil, reason: .notReading)
            } else if time >= session.deadline {
                close(id, nil, reason: .idle)
            } else if let link = links[id], let end = stageEnd(link), time >= end {
                close(id, nil, reason: .noProgress)
            } else if let link = links[id], let deadline = progressDeadline(link), time >= deadline {
                close(id, nil, reason: .noProgress)
            }
        }
        if time >= delayedUntil { endDelays() }
        endAwaiting()
        renewPeers()
        if time >= overdueLookAt { passOn() }
        own?.expireClaims(now: time)
        bodies.endRounds(ready: order.compactMap { links[$0]?.node }, now: time)
        endGapRounds()
    }

    /// Lets others be asked for what peers have owed for too long, whatever else those answer meanwhile.
    private mutating func passOn() {
        overdueLookAt = time + Limits.overdueLookMilliseconds
        guard links.count > 1, !pipeline.forming.isFull else { return }
        for id in order {
            // Without credit nobody can answer.
            guard let link = links[id], link.allowance.remaining > UInt64(Limits.maximumMessageBytes) else { continue }
            let now = waiting(for: id)
            let isOverdue = { (waiting: Waiting) in waiting.isOverdue(received: now.received, now: now.since) }
            for log in requests.passOn(of: id, at: time, if: isOverdue) { queue(log) }
            bodies.passOn(of: id, if: isOverdue)
            gaps.passOn(of: id, if: isOverdue)
        }
    }

    /// A peer begins to owe something now.
    func waiting(for id: SessionID) -> Waiting {
        Waiting(since: time, received: sessions[id]?.bytesReceived ?? 0)
    }

    /// The connection for which most waits.
    private var slowest: SessionID? {
        order.max { sessions[$0]?.waitingBytes ?? 0 < sessions[$1]?.waitingBytes ?? 0 }
    }

    /// Lets what waited for a quota be asked for.
    private mutating func endDelays() {
        let moment = time
        let due = delayed.filter { $0.due <= moment }
        delayed.removeAll { $0.due <= moment }
        delayedUntil = delayed.lazy.map(\.due).min() ?? .max
        for want in due { wish(want.log, of: want.session, .again) }
    }

    /// When a peer that owes an answer is given up; nil: it owes none, or has no credit to answer with.
    func progressDeadline(_ link: Link) -> UInt64? {
        let owes =
            requests.askedCount(link.session) > 0 || bodies.isBusy(link.session) || gaps.isBusy(link.session)
            || link.disputes.values.contains(where: \.isOwed)
            || link.comparison.isRunning || (link.asker.isAsking && !link.asker.awaitsOpening) || link.ownLog.isOwed
        guard owes || link.asker.awaitsOpening, link.allowance.remaining > UInt64(Limits.maximumMessageBytes)
        else { return nil }
        // It may have to be fetched from here first, over a slow line, and nothing need come of that meanwhile.
        guard owes else { return link.progressAt + Limits.slowProgressMilliseconds }
        // A large message over a slow line is on its way as long as bytes come; but not for ever.
        let heard = sessions[link.session]?.heardAt ?? 0
        return max(
            link.progressAt + Limits.progressDeadlineMilliseconds,
            min(heard + Limits.progressDeadlineMilliseconds, link.progressAt + Limits.slowProgressMilliseconds)
        )
    }

    mutating func dial() {
        guard phase == .running, arePeersChanged || time >= nextDialAt else { return }
        arePeersChanged = false
        let connected = Set(sessions.values.compactMap(\.node))
        for (id, target) in peers.dial(now: time, sessions: sessions.count, connected: connected) {
            effects.append(.dial(id, target))
        }
        nextDialAt = peers.nextDue(now: time, sessions: sessions.count, connected: connected) ?? .max
    }

    /// Asks to be woken when the next thing is due, if that is another moment than before.
    mutating func setAlarm() {
        var due: [UInt64] = []
        let hasLinks = !links.isEmpty
        var isOwed = false
        for id in order {
            guard let session = sessions[id] else { continue }
            due.append(session.deadline)
            if let deadline = session.readingDeadline { due.append(deadline) }
            guard let link = links[id] else { continue }
            due.append(link.calm.saidAt + Limits.keepAliveMilliseconds)
            if let deadline = progressDeadline(link) { due.append(deadline) }
            if let names = link.namesAt { due.append(names) }
            isOwed = isOwed || requests.askedCount(id) > 0 || bodies.isBusy(id) || gaps.isBusy(id)
            if isQuiet(link), link.calm.quietAt != frontier.number(of: link.part) {
                due.append(link.calm.activeAt + Limits.quietDelayMilliseconds)
            }
            if link.role == .dialler, link.comparison.notBefore > time, link.calm.theirs?.activity == .quiet {
                due.append(link.comparison.notBefore)
            }
            due.append(contentsOf: reconcilingDue(link))
            // Where it is past, there is no room, and the peer has to read.
            if let opensAt = link.comparison.opensAt, opensAt > time { due.append(opensAt) }
            if pipeline.taking == nil, link.milestones.reached ?? 0 > link.savedNumber {
                due.append(cursorsSavedAt + Limits.cursorSaveMilliseconds)
            }
        }
        if configuration.exchange == .on, links.values.contains(where: { $0.peersAskedAt == nil }) {
            due.append(peersRenewedAt + Limits.peersRenewalMilliseconds)
        }
        if let expiry = own?.nextExpiry { due.append(expiry) }
        if wantedScope != nil { due.append(scopeOpensAt) }
        if let retry = pipeline.retryAt { due.append(retry) }
        if hasLinks, requests.nextDue != .max { due.append(requests.nextDue) }
        if hasLinks, bodies.nextDue != .max { due.append(bodies.nextDue) }
        if hasLinks, gaps.nextDue != .max { due.append(gaps.nextDue) }
        if isOwed, links.count > 1 { due.append(overdueLookAt) }
        if delayedUntil != .max { due.append(delayedUntil) }
        if awaited.nextDue != .max { due.append(awaited.nextDue) }
        // What is past waits for the store.
        if let next = verdicts.nextDue, next > time { due.append(next) }
        if phase == .running, nextDialAt != .max { due.append(nextDialAt) }
        guard let next = due.min().map({ max($0, time + 1) }), next != wokenAt else { return }
        wokenAt = next
        effects.append(.wake(at: next))
    }
}
