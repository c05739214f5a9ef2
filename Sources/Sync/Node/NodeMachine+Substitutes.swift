import Entries

/// Substitutes for the window behind a gap that nobody fills: entries that follow the start of the gap, or a newer
/// window, so that two nodes can meet. Nothing is dropped before a peer has proven the substitute (`protocol/sync.md`
/// §5).
extension NodeMachine {
    /// Asks a peer for the beginning of a log if its want starts within the gap here: it may hold the log up to there.
    ///
    /// Not a peer with which the log is not shared; nor the device that writes the log, since the window proves to a
    /// restored home that it wrote more; nor a peer that holds nothing, or that asks from the gap's start.
    mutating func askForBeginning(_ want: RangeWant, by id: SessionID) {
        guard want.branch == .held, links[id]?.hello.ownLog != want.log, let gap = gaps.forlorn(want.log),
            gap.contains(want.from), gap.lowerBound < want.from
        else { return }
        switch want.extent {
        case .all, .newest: ask(.beginning(from: gap.lowerBound), of: want.log, by: id)
        case .until: break
        }
    }

    /// Asks a peer for its newest entries of a log that has a gap here: it offers more than is held and lacks what
    /// follows, so it may have a gap there itself.
    mutating func askForNewest(_ log: LogID, of id: SessionID, offering size: UInt64) {
        guard links[id]?.windows == .spoken, own?.log != log, size > held(log), let gap = gaps.forlorn(log)
        else { return }
        ask(.newest(from: gap.lowerBound), of: log, by: id)
    }

    /// Notes that a peer has more of the beginning than is here, but a gap behind it, and ends within the gap here: its
    /// end is asked for, so that the two can meet in it.
    ///
    /// By itself that end may be any old head; whoever asks so has to show first what it adds.
    mutating func noteShown(_ verified: VerifiedChunk, as substitute: Substitute, by id: SessionID) {
        guard case .beginning(let from) = substitute, !verified.reachesHead, verified.left == nil,
            let gap = gaps.forlorn(verified.log), gap.lowerBound == from,
            verified.base.bounds.upperBound == from, verified.size <= gap.upperBound,
            let count = links[id]?.shownBeginnings.count, count < Limits.substitutesCount
        else { return }
        links[id]?.shownBeginnings[verified.log] = from
        askForOlder(verified.log, of: id)
    }

    /// Asks a peer for its newest entries once it has shown that it has more of the beginning, and has answered that.
    private mutating func askForOlder(_ log: LogID, of id: SessionID) {
        guard let from = links[id]?.shownBeginnings[log], links[id]?.substitutes[log] == nil else { return }
        links[id]?.shownBeginnings[log] = nil
        guard links[id]?.windows == .spoken, gaps.forlorn(log)?.lowerBound == from else { return }
        ask(.older(from: from), of: log, by: id)
    }

    private mutating func ask(_ substitute: Substitute, of log: LogID, by id: SessionID) {
        guard let count = links[id]?.substitutes.count, count < Limits.substitutesCount,
            links[id]?.substitutes[log] == nil, requests.want(log)?.asked?.session != id,
            !requests.isPassedOn(log, of: id), isShared(log, with: id), !isApart(log, of: id), mayGiveWay(log),
            let node = links[id]?.node, substituteTries.begin(substitute, of: log, node, now: time)
        else { return }
        if links[id]?.isOwed == false, requests.askedCount(id) == 0 { links[id]?.progressAt = time }
        links[id]?.substitutes[log] = .asked(substitute)
        let extent: RangeWant.Extent =
            switch substitute {
            case .beginning: .all
            case .newest, .older: .newest(configuration.windowEntries)
            }
        send(.want([RangeWant(log: log, from: substitute.from, certificate: .known, extent: extent)]), to: id)
    }

    /// How a chunk relates to an open request for a substitute.
    enum SubstituteChunk {
        /// The substitute: it is verified, and replaces the window if it may.
        case first(UnverifiedChunk, Substitute)
        /// Part of an answer that takes the place of nothing: it is dropped, and is no offer.
        case rest
        case other
    }

    /// Matches a chunk with an open request; the answer ends with the chunk that ends at its head, or with `lacking`.
    mutating func takeSubstitute(_ chunk: UnverifiedChunk, from id: SessionID) -> SubstituteChunk {
        guard let progress = links[id]?.substitutes[chunk.log] else { return .other }
        let end = chunk.start + chunk.count
        var chunk = chunk
        var first: Substitute?
        switch progress {
        case .asked(.beginning(let from)):
            guard chunk.left.isEmpty, chunk.start == from else { return .other }
            first = .beginning(from: from)
        case .asked(let newest):
            guard !chunk.left.isEmpty || chunk.start == newest.from else { return .other }
            if !chunk.left.isEmpty { chunk.askedFrom = newest.from }
            first = newest
        case .answering(let next):
            guard chunk.left.isEmpty, chunk.start == next else { return .other }
        }
        links[id]?.substitutes[chunk.log] = end == chunk.size ? nil : .answering(next: end)
        links[id]?.progressAt = time
        if end == chunk.size { askForOlder(chunk.log, of: id) }
        guard let first, end == chunk.size || first.isBeginning, case .head = chunk.proof else {
            queue(chunk.log)
            return .rest
        }
        return .first(chunk, first)
    }

    /// Ends a request for a substitute, since the peer lacks it; false: there was none.
    mutating func lacksSubstitute(_ log: LogID, _ id: SessionID) -> Bool {
        guard links[id]?.substitutes.removeValue(forKey: log) != nil else { return false }
        links[id]?.progressAt = time
        askForOlder(log, of: id)
        queue(log)
        return true
    }

    /// Whether a verified substitute may replace the window behind the gap as that is now.
    ///
    /// It has to end at its head, since the rest of an incomplete head may never come, and none of it would count. A
    /// beginning whose head lies beyond the gap does not replace it, nor do newer entries without a gap before them:
    /// these fill the gap.
    func mayTake(_ verified: VerifiedChunk, as substitute: Substitute) -> Bool {
        let log = verified.log
        guard let gap = gaps.forlorn(log), gap.lowerBound == substitute.from, mayGiveWay(log), verified.reachesHead,
            verified.base.bounds.upperBound == gap.lowerBound, pipeline.tip(log) == nil, !pipeline.isArriving(log),
            !pipeline.isGapArriving(log)
        else { return false }
        return switch substitute {
        case .beginning: verified.size <= gap.upperBound
        case .newest: verified.left != nil && verified.size > frontier.size(of: log)
        case .older: verified.left != nil && verified.size <= gap.upperBound
        }
    }

    /// Drops the window in the transaction that stores its substitute.
    mutating func replaceWindow(with verified: VerifiedChunk, of arrival: Pipeline.Arrival) {
        let log = verified.log
        put(verified, of: arrival)
        guard pipeline.tip(log) != nil else { return }
        let (id, size) = (arrival.session, verified.size)
        guard verified.left != nil else { return letWindowGo(log, toHave: .wholeLog(of: id, size: size, now: time)) }
        let isLess = size < frontier.size(of: log)
        letWindowGo(log, toHave: .newest(of: id, size: size, now: time))
        // At least as much as was held is on its way.
        if !isLess { settleOffers(log) }
    }
}
