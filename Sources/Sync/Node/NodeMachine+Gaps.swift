import Entries

/// Windows and gaps: asking for the newest entries of a log first, and for those left out later (`protocol/sync.md
/// §5`).
extension NodeMachine {
    /// Whether a log may be asked of a peer with a window, that is, its newest entries first.
    ///
    /// Not the own log, which has to be whole before anything is signed; not one being compared, since the gap may hide
    /// the difference; not a settled history beside another one; nor a log with a gap already, or of which the peer
    /// left out too much.
    func mayLeaveOut(_ log: LogID, of id: SessionID) -> Bool {
        guard links[id]?.windows == .spoken, own?.log != log, !droppedLogs.isWantedWhole(log, now: time),
            !wordQueue.isBusy(log), standings[log]?.standing.side == nil, links[id]?.inWhole.contains(log) == false
        else { return false }
        if let prefix = pipeline.prefix(log) { return prefix.gap == nil }
        return !gaps.contains(log)
    }

    /// Notes that a log is to be asked of a peer without a window, since its window left out the cut or the end of the
    /// settlement. False if that was noted before, or there is no room.
    mutating func askInWhole(_ log: LogID, of id: SessionID) -> Bool {
        guard let count = links[id]?.inWhole.count, count < Limits.wantedLogsPerSessionCount else { return false }
        return links[id]?.inWhole.insert(log).inserted == true
    }

    /// Asks a peer to fill gaps, once nothing new is to be asked of it.
    mutating func askGaps(_ id: SessionID) {
        guard gaps.count > 0, links[id]?.windows == .spoken, links[id]?.asking.isEmpty == true,
            requests.askedCount(id) == 0, !gaps.isBusy(id), !pipeline.forming.isFull,
            hasRoom(id), let node = links[id]?.node
        else { return }
        let part = links[id]?.part
        let isShared = { [frontier] (log: LogID) in frontier.log(log).map { frontier.holds($0, in: part) } ?? true }
        let delay = { [quotas, frontier, writers, time] (log: LogID) in
            (frontier.log(log).map { frontier.owner($0) } ?? writers[log]).flatMap { quotas.delay($0, now: time) }
        }
        // Entries on their way may close the gap, or make the answer useless.
        let places = gaps.ask(id, node, waiting: waiting(for: id), isShared: isShared, delay: delay) { [pipeline] log in
            !pipeline.isGapArriving(log) && pipeline.prefix(log) == nil
        }
        guard !places.isEmpty else { return }
        links[id]?.progressAt = time
        let wants = places.map { place in
            let (from, until) = (place.bounds.lowerBound, place.bounds.upperBound)
            return RangeWant(log: place.log, from: from, certificate: .known, extent: .until(until))
        }
        send(.want(wants), to: id)
    }

    /// Judges a chunk that answers for a gap; false: it is done with. A chunk that is not what is missing is nobody's
    /// fault: the peer may hold another history, or the gap was closed meanwhile.
    mutating func judgeGap(_ arrival: Pipeline.Arrival, _ outcome: ChunkOutcome) -> Bool {
        switch outcome {
        case .verified, .violation: return true
        case .doesNotFit, .unknownRoot, .certificateMissing, .prefixDiffers:
            _ = gaps.lacks(arrival.chunk.log, arrival.session)
            discharge(arrival)
            return false
        }
    }

    /// Takes over the gaps that logs have after a transaction.
    mutating func takeGaps(_ report: TakeReport) {
        if gaps.count > 0 || !report.gaps.isEmpty {
            let left = Dictionary(report.gaps.map { ($0.log, $0.bounds) }, uniquingKeysWith: { $1 })
            for item in report.stored { gaps.set(item.log, left[item.log]) }
        }
    }

    /// Takes over which logs a transaction left without an item: before its rows, which have none of these.
    mutating func takeEmptied(_ logs: [LogID]) {
        guard !logs.isEmpty else { return }
        dropAppended(logs)
        for log in logs {
            removeItem(log)
            if (pendingEnds[log] ?? 0) == 0 { pendingEnds[log] = nil }
        }
    }

    /// The sizes that peers are known to hold of logs, of which less is held here now.
    func heldByPeers(_ logs: [LogID]) -> [(SessionID, LogSize)] {
        logs.flatMap { id in
            guard let log = frontier.log(id) else { return [(SessionID, LogSize)]() }
            return order.compactMap { session in
                guard let size = links[session]?.known.size(log), size > 0 else { return nil }
                return (session, LogSize(log: id, size: size))
            }
        }
    }

    /// Whether another connected peer is to be asked for a log first.
    func isReserved(_ log: LogID, before id: SessionID) -> Bool {
        guard let first = droppedLogs.successor(log, now: time) else { return false }
        return first.session != id && links.contains(first.session) && held(log) < first.size
    }

    /// Whether the entries behind the gap of a log (its window) may be dropped; a complete settled history never is.
    func mayGiveWay(_ log: LogID) -> Bool {
        gaps.contains(log) && standings[log]?.standing.isComplete != true && !wordQueue.isBusy(log)
    }

    /// Drops the window of a log, back to the start of its gap; what follows is asked for.
    ///
    /// Cursors of peers have passed the dropped entries, so the same transaction notes them as a durable want
    /// (`protocol/sync.md` §1): after a restart no peer would announce them again.
    mutating func dropWindow(_ log: LogID, toHave refetch: Refetch) {
        letWindowGo(log, toHave: refetch) { $0.batch.droppedWindows.append(log) }
    }

    /// Drops a window in a transaction that brings its replacement, if that fits.
    mutating func letWindowGo(_ log: LogID, toHave refetch: Refetch, _ drop: (inout Pipeline.Taking) -> Void = { _ in })
    {
        let item = LogSize(log: log, size: max(frontier.size(of: log), stored(log)))
        gaps.remove(log)
        letGo(of: log, toHave: refetch) {
            drop(&$0)
            $0.want(item)
        }
        if requests.wait(item, from: time, by: nil, behind: 1) { _ = requests.note(item) }
    }

    /// Drops the pending entries of a log that no offerer can continue: they do not count, and a peer whose gap reaches
    /// further could never supply the log behind them.
    mutating func startOver(_ log: LogID) {
        letGo(of: log, toHave: droppedLogs[log] ?? .newest) { $0.batch.restarts.append(log) }
    }

    /// Whether a log has pending entries, and nothing of it is on its way.
    func hasOnlyBegun(_ log: LogID) -> Bool {
        pendingEnds[log] != nil && stored(log) > frontier.size(of: log) && standings[log]?.standing.side == nil
            && pipeline.tip(log) == nil && !pipeline.isArriving(log) && !wordQueue.isBusy(log)
    }

    private mutating func letGo(of log: LogID, toHave refetch: Refetch, _ drop: (inout Pipeline.Taking) -> Void) {
        droppedLogs.set(refetch, of: log)
        // Held until that is stored: else the log would be compared with the dropped entries, and asked for from their
        // end.
        wordQueue.hold(log)
        pipeline.change {
            drop(&$0)
            $0.wordLogs.append(log)
        }
    }

    /// Drops this node's window in favour of a peer's history, where neither side can show the first difference.
    ///
    /// The device signed both histories, so only a forked log loses entries.
    mutating func dropWindow(_ log: LogID, for end: UInt64, of id: SessionID) {
        dropWindow(log, toHave: .newest(of: id, size: end, now: time))
        guard !isClosed(log) else { return }
        if requests.offer(LogSize(log: log, size: end), by: id, epoch: nil) == .new { links[id]?.offersOpen += 1 }
    }
}
