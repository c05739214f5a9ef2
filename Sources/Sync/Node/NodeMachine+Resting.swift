/// Rests: which sessions an event may have given something to do.
///
/// A session rests (`proceed` skips it) once all that could be done for it is done (`outlook`). Its rest ends when the
/// session or its link is changed, which their tables note; when the frontier changes; when a body or a gap becomes
/// free to be asked for; when `Rests.Surroundings` changes; and when its time has come.
extension NodeMachine {
    /// Whether a session is to be looked at in this event, also because of earlier steps of the event.
    func isAwake(_ id: SessionID) -> Bool {
        rests.areOver || rests[id] == nil || bodies.hasNews || gaps.hasNews
            || sessions.isChanged(id) || links.isChanged(id)
    }

    /// Ends the rest of every session that this event, or the time, may have given something to do.
    mutating func awaken() {
        let present = surroundings
        if rests.areOver || bodies.hasNews || gaps.hasNews || present != rests.surroundings {
            for id in order { awaken(id) }
        } else {
            for id in order where sessions.isChanged(id) || links.isChanged(id) { awaken(id) }
            if time >= rests.earliest {
                for id in order where rests[id].map({ time >= $0.until }) ?? false { awaken(id) }
            }
        }
        rests.surroundings = present
        rests.areEnded()
        bodies.forgetNews()
        gaps.forgetNews()
        sessions.forgetChanges()
        links.forgetChanges()
    }

    private mutating func awaken(_ id: SessionID) {
        guard let rest = rests.end(of: id), rest.isEqual else { return }
        links[id]?.comparedAt = rests.lookedAt
        // Both sides were equal until now.
        links[id]?.calm.equalAt = time
    }

    private var surroundings: Rests.Surroundings {
        Rests.Surroundings(
            isCrowded: isCrowded,
            isFull: pipeline.forming.isFull,
            withheld: withheld,
            isHeldBack: own?.isHeldBack ?? false
        )
    }

    /// Lets every session rest that has nothing to do.
    ///
    /// - Returns: the earliest moment at which something is due; nil: none.
    mutating func rest() -> UInt64? {
        var due = Earliest()
        var until = Earliest()
        var isOwed = false
        var hasCursor = false
        for id in order {
            if !isAwake(id), let rest = rests[id] {
                due.note(rest.due)
                until.note(rest.until)
                hasCursor = hasCursor || rest.hasCursor
                continue
            }
            let (rest, isDone) = outlook(id)
            due.note(rest.due)
            hasCursor = hasCursor || rest.hasCursor
            isOwed = isOwed || owes(id)
            if isDone {
                until.note(rest.until)
                rests.begin(rest, of: id)
            } else {
                rests.end(of: id)
            }
        }
        sessions.forgetChanges()
        links.forgetChanges()
        if isCrowded { rests.surroundings.isCrowded = true }
        rests.looked(at: time, earliest: until.moment, owing: isOwed)
        if hasCursor, pipeline.taking == nil { due.note(cursors.saveDue) }
        return due.moment == .max ? nil : due.moment
    }

    private func owes(_ id: SessionID) -> Bool {
        links.contains(id)
            && (requests.askedCount(id) > 0 || bodies.isBusy(id) || gaps.isBusy(id)
                || links[id]?.substitutes.isEmpty == false)
    }

    /// When time alone gives a session something to do, and whether nothing else is left to do for it now.
    private func outlook(_ id: SessionID) -> (rest: Rests.Rest, isDone: Bool) {
        var due = Earliest()
        if let deadline = sessions[id]?.deadline { due.note(deadline) }
        if let deadline = sessions[id]?.readingDeadline { due.note(deadline) }
        let isSaid = sessions[id]?.outbox.isEmpty == true
        guard links.contains(id) else {
            return (Rests.Rest(until: due.moment, due: due.moment, hasCursor: false, isEqual: false), isSaid)
        }
        let isQuiet = isQuiet(id)
        noteDue(id, isQuiet ? .quiet : .busy, &due)
        var until = due
        if links[id]?.role == .dialler {
            // Due with the next event after it: no alarm is set for these.
            until.note(links[id]?.comparison.pace.notBefore ?? 0, after: time)
            until.note((links[id]?.comparedAt ?? 0) + Limits.comparisonMaximumMilliseconds, after: time)
        }
        let rest = Rests.Rest(
            until: until.moment,
            due: due.moment,
            hasCursor: links[id]?.hasNewCursor == true,
            isEqual: isQuiet && isEqual(id)
        )
        let isDone =
            isQuiet && isSaid && links[id]?.answerer.untold.isEmpty == true
            && links[id]?.grantedCredit.isRefundDue == false
        return (rest, isDone)
    }

    private func noteDue(_ id: SessionID, _ activity: KeepAlive.Activity, _ due: inout Earliest) {
        if let saidAt = links[id]?.calm.saidAt { due.note(saidAt + Limits.keepAliveMilliseconds) }
        if let deadline = progressDeadline(id) { due.note(deadline) }
        if let names = links[id]?.namesAt { due.note(names) }
        if activity == .quiet, !hasSaidQuiet(id), let activeAt = links[id]?.calm.activeAt {
            due.note(activeAt + Limits.quietDelayMilliseconds)
        }
        if links[id]?.role == .dialler, links[id]?.calm.theirs?.activity == .quiet {
            due.note(links[id]?.comparison.pace.notBefore ?? 0, after: time)
        }
        for moment in reconcilingDue(id) { due.note(moment) }
        // Once it is past, the page waits for room in the queue, so for the peer to read.
        if let opensAt = links[id]?.comparison.answers.opensAt { due.note(opensAt, after: time) }
    }
}
