import Entries

/// A request from its sending to the end of its answer: which chunks belong to the answer, and what ends it.
extension Requests {
    mutating func ask(
        _ log: LogID,
        of session: SessionID,
        from held: UInt64,
        owner: UInt64?,
        waiting: Waiting,
        branch: RangeWant.Branch,
        extent: RangeWant.Extent,
        certificate: RangeWant.CertificateWish
    ) {
        modify(log) {
            $0.asked = Asked(
                session: session,
                waiting: waiting,
                next: held,
                owner: owner,
                branch: branch,
                extent: extent,
                certificate: certificate
            )
        }
    }

    /// The `from` of the request with `newest` that this chunk with `left` answers; nil if it answers none.
    func askedFrom(_ chunk: UnverifiedChunk, by session: SessionID) -> UInt64? {
        guard !chunk.left.isEmpty, let asked = wants[chunk.log]?.asked, asked.session == session,
            case .newest = asked.extent
        else { return nil }
        return asked.next
    }

    /// Whether the session's next chunk of the log must have its certificate: only the first one of an answer.
    func certificateDue(_ log: LogID, from session: SessionID) -> RangeWant.CertificateWish {
        guard let asked = wants[log]?.asked, asked.session == session else { return .known }
        return asked.certificate
    }

    /// Whether a chunk is the next part of an answer.
    ///
    /// The chunk that ends at its own head ends the answer; the rest of a patient want is asked of the next peer.
    mutating func isAnswer(_ chunk: UnverifiedChunk, from session: SessionID, now: UInt64, received: UInt64 = 0) -> Bool
    {
        var isAnswer = false
        var due = UInt64.max
        modify(chunk.log) { want in
            guard let asked = want.asked, asked.session == session,
                asked.next == chunk.askedFrom ?? chunk.start,
                asked.branch == .held || chunk.proof == .known
            else { return }
            isAnswer = true
            want.patience?.failed.removeAll { $0 == session }
            let end = chunk.start + chunk.count
            guard end == chunk.size else {
                return want.asked = Asked(
                    session: session,
                    waiting: asked.waiting.extended(
                        by: chunk.wireBytes,
                        now: Waiting(since: now, received: received)
                    ),
                    next: end,
                    owner: asked.owner,
                    branch: asked.branch
                )
            }
            want.asked = nil
            want.patience?.postpone(from: now)
            due = want.patience?.due ?? due
        }
        nextDue = min(nextDue, due)
        return isAnswer
    }

    /// The session lacks the log; false if it was not asked.
    mutating func lacks(_ log: LogID, _ session: SessionID, at now: UInt64) -> Bool {
        guard wants[log]?.asked?.session == session else { return false }
        release(log, at: now)
        return true
    }

    /// Ends the request; a patient want that is due has its next turn after a backoff, not at once.
    private mutating func release(_ log: LogID, at now: UInt64) {
        var due = UInt64.max
        modify(log) { want in
            want.asked = nil
            guard let patience = want.patience else { return }
            if patience.due <= now { want.patience?.postpone(from: now) }
            due = want.patience?.due ?? due
        }
        nextDue = min(nextDue, due)
    }
}
