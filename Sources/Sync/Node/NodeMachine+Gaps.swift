import Entries

/// The newest entries of a log first, and what was left out for them (`protocol/sync.md §5`).
extension NodeMachine {
    /// Whether a log may be had of a peer with its newest entries first.
    ///
    /// Not the own one, which has to be whole before anything is signed; not one that is compared, since what lies in the gap
    /// may be what matters; not a settled history beside another one; nor where something is left out already, or too much was.
    func mayLeaveOut(_ log: LogID, of id: SessionID) -> Bool {
        guard links[id]?.windows == .spoken, own?.log != log, !isWantedWhole(log), !verdicts.isBusy(log),
            standings[log]?.standing.side == nil, links[id]?.inWhole.contains(log) == false
        else { return false }
        if let prefix = pipeline.prefix(log) { return prefix.gap == nil }
        return !gaps.contains(log)
    }

    /// A peer left out entries in which a cut lies, or the end of a settlement: false if the log is not to be asked of it in
    /// whole instead.
    mutating func askInWhole(_ log: LogID, of id: SessionID) -> Bool {
        guard let count = links[id]?.inWhole.count, count < Limits.wantedLogsPerSessionCount else { return false }
        return links[id]?.inWhole.insert(log).inserted == true
    }

    /// Asks a peer for history, once it owes nothing that is new.
    mutating func askGaps(_ id: SessionID) {
        guard gaps.count > 0, links[id]?.windows == .spoken, links[id]?.asking.isEmpty == true,
            requests.askedCount(id) == 0, !gaps.isBusy(id), !pipeline.forming.isFull,
            hasRoom(id), let node = links[id]?.node
        else { return }
        let part = links[id]?.part
        let isShared = { [frontier] (log: LogID) in frontier.log(log).map { frontier.holds($0, in: part) } ?? true }
        let delay = { [quotas, frontier, time] (log: LogID) in
            frontier.log(log).flatMap { quotas.delay(frontier.owner($0), now: time) }
        }
        // What is on its way may close it, or lead nowhere.
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

    /// False if nothing more is to be done about the chunk: it was not what is missing here, which is nobody's fault, for
    /// the peer may hold another history, or the gap was closed meanwhile.
    mutating func judgeGap(_ arrival: Pipeline.Arrival, _ outcome: ChunkOutcome) -> Bool {
        switch outcome {
        case .verified, .violation: return true
        case .doesNotFit, .unknownRoot, .certificateMissing, .prefixDiffers:
            _ = gaps.lacks(arrival.chunk.log, arrival.session)
            discharge(arrival)
            return false
        }
    }

    /// Takes over what is left out of logs now.
    mutating func takeGaps(_ report: TakeReport) {
        if gaps.count > 0 || !report.gaps.isEmpty {
            let left = Dictionary(report.gaps.map { ($0.log, $0.bounds) }, uniquingKeysWith: { $1 })
            for item in report.stored { gaps.set(item.log, left[item.log]) }
        }
        for log in report.emptied {
            frontier.remove(log)
            if (pendingEnds[log] ?? 0) == 0 { pendingEnds[log] = nil }
        }
    }

    /// What is known that peers have of logs; less of these is here now than they were told.
    func heldByPeers(_ logs: [LogID]) -> [(SessionID, LogSize)] {
        logs.flatMap { id in
            guard let log = frontier.log(id) else { return [(SessionID, LogSize)]() }
            return order.compactMap { session in
                guard let size = links[session]?.known.size(log), size > 0 else { return nil }
                return (session, LogSize(log: id, size: size))
            }
        }
    }

    /// How a log is asked for of which what lay behind a gap was let go of.
    enum Release: Hashable {
        /// With nothing left out for a time: the first difference from another history may lie there, or this peer has it all.
        /// Then nobody has it whole, and it is as below.
        case whole(Successor, before: UInt64)
        /// As any other, but of this peer first for a time: others may have what gave way to it.
        case newestOf(Successor, before: UInt64)
        /// As any other.
        case newest
    }

    /// For whom a log was let go of, and how much of it that one has.
    struct Successor: Hashable {
        let session: SessionID
        let size: UInt64
    }

    /// Whether nothing is to be left out of a log.
    func isWantedWhole(_ log: LogID) -> Bool {
        if case .whole(_, let end) = released[log] { time < end } else { false }
    }

    /// Whether a log is to be had of somebody else first, who is there.
    func isReserved(_ log: LogID, before id: SessionID) -> Bool {
        guard !released.isEmpty else { return false }
        let (first, times): (Successor, Range<UInt64>)
        switch released[log] {
        case .whole(let successor, let end): (first, times) = (successor, end..<end + Limits.successorMilliseconds)
        case .newestOf(let successor, let end): (first, times) = (successor, 0..<end)
        case .newest, nil: return false
        }
        return first.session != id && times.contains(time) && links.contains(first.session) && held(log) < first.size
    }

    func whole(for id: SessionID, size: UInt64) -> Release {
        .whole(Successor(session: id, size: size), before: time + Limits.wholeLogMilliseconds)
    }

    func newest(of id: SessionID, size: UInt64) -> Release {
        .newestOf(Successor(session: id, size: size), before: time + Limits.successorMilliseconds)
    }

    /// Whether what is behind the gap of a log may be let go of: the history that a root key settled gives way to none.
    func mayGiveWay(_ log: LogID) -> Bool {
        gaps.contains(log) && standings[log]?.standing.isComplete != true && !verdicts.isBusy(log)
    }

    /// Goes back to where the log has no gap: what follows is asked for.
    ///
    /// Cursors of peers have passed what is dropped, so that it is a durable want from the same transaction on
    /// (`protocol/sync.md` §1): who starts anew would not be told of it a second time.
    mutating func dropWindow(_ log: LogID, toHave release: Release) {
        letWindowGo(log, toHave: release) { $0.batch.droppedWindows.append(log) }
    }

    /// The same where a transaction that is made brings what takes its place, and drops it if that fits.
    mutating func letWindowGo(_ log: LogID, toHave release: Release, _ drop: (inout Pipeline.Taking) -> Void = { _ in })
    {
        let item = LogSize(log: log, size: max(frontier.size(of: log), stored(log)))
        gaps.remove(log)
        letGo(of: log, toHave: release) {
            drop(&$0)
            $0.want(item)
        }
        if requests.wait(item, from: time, by: nil, behind: 1) { _ = requests.note(item) }
    }

    /// Drops what no head that is complete covers, where nobody who offers more goes on from there: it counts nothing, and keeps
    /// from the log whoever has a gap that reaches further.
    mutating func startOver(_ log: LogID) {
        letGo(of: log, toHave: released[log] ?? .newest) { $0.batch.restarts.append(log) }
    }

    /// Whether there is such, and nothing of the log on its way.
    func hasOnlyBegun(_ log: LogID) -> Bool {
        pendingEnds[log] != nil && stored(log) > frontier.size(of: log) && standings[log]?.standing.side == nil
            && pipeline.tip(log) == nil && !pipeline.isArriving(log) && !verdicts.isBusy(log)
    }

    private mutating func letGo(of log: LogID, toHave release: Release, _ drop: (inout Pipeline.Taking) -> Void) {
        released[log] = release
        // Until that is stored it would be compared with what is dropped, and asked for behind it.
        verdicts.hold(log)
        pipeline.change {
            drop(&$0)
            $0.verdictLogs.append(log)
        }
    }

    /// Of two histories whose first difference neither node can show, this one's gives way: the peer's is asked for.
    ///
    /// Both are the device's own, so that nobody loses anything of a log that is not forked.
    mutating func dropWindow(_ log: LogID, for end: UInt64, of id: SessionID) {
        dropWindow(log, toHave: newest(of: id, size: end))
        guard !isClosed(log) else { return }
        if requests.offer(LogSize(log: log, size: end), by: id, epoch: nil) == .new { links[id]?.offersOpen += 1 }
    }
}
