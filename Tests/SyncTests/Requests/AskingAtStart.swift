import Entries

@testable import Sync

/// Requests of tests that do not look at how long an answer is waited for.
extension Waiting {
    static var start: Waiting { Waiting(since: 0, received: 0) }
}

extension Requests {
    mutating func ask(
        _ log: LogID,
        of session: SessionID,
        from held: UInt64,
        owner: UInt64?,
        extent: RangeWant.Extent = .all
    ) {
        ask(
            log,
            of: session,
            from: held,
            owner: owner,
            waiting: .start,
            branch: .held,
            extent: extent,
            certificate: .known
        )
    }
}

extension BodyRequests {
    mutating func ask(
        _ session: SessionID,
        _ node: NodeID,
        _ isShared: (BodyPlace) -> Bool = { _ in true }
    ) -> [BodyPlace] {
        ask(session, node, waiting: .start, isShared)
    }
}

extension GapRequests {
    mutating func ask(
        _ session: SessionID,
        _ node: NodeID,
        isShared: (LogID) -> Bool = { _ in true },
        delay: (LogID) -> UInt64? = { _ in nil },
        isSettled: (LogID) -> Bool
    ) -> [GapPlace] {
        ask(session, node, waiting: .start, isShared: isShared, delay: delay, isSettled: isSettled)
    }

    mutating func isAnswer(_ chunk: UnverifiedChunk, from session: SessionID) -> Bool {
        isAnswer(chunk, from: session, waiting: .start)
    }
}
