import Entries

/// Gaps that nobody fills: what lies behind one gives way to what goes on from before it, or to newer entries, so that the two
/// nodes meet; once a peer has shown that, and not before (`protocol/sync.md` §5).
extension NodeMachine {
    /// A peer asks for what is left out here: it may have the log from its beginning on as far as within the gap.
    ///
    /// Never for whom the log is not told of; nor for the device that writes it: what is behind the gap is what shows a restored
    /// one that it wrote more; nor for who has nothing of the log at all, or asks from where it let go of something itself.
    mutating func askForBeginning(_ want: RangeWant, by id: SessionID) {
        guard want.branch == .held, links[id]?.hello.ownLog != want.log, let gap = gaps.forlorn(want.log),
            gap.contains(want.from), gap.lowerBound < want.from
        else { return }
        switch want.extent {
        case .all, .newest: ask(.beginning(from: gap.lowerBound), of: want.log, by: id)
        case .until: break
        }
    }

    /// A peer offers more of a log than is here behind a gap, and cannot give what follows: it may have a gap there itself.
    mutating func askForNewest(_ log: LogID, of id: SessionID, offering size: UInt64) {
        guard links[id]?.windows == .spoken, own?.log != log, size > held(log), let gap = gaps.forlorn(log)
        else { return }
        ask(.newest(from: gap.lowerBound), of: log, by: id)
    }

    private mutating func ask(_ substitute: Substitute, of log: LogID, by id: SessionID) {
        guard let count = links[id]?.substitutes.count, count < Limits.substitutesCount,
            links[id]?.substitutes[log] == nil, requests.want(log)?.asked?.session != id,
            !requests.isPassedOn(log, of: id), isShared(log, with: id), !isApart(log, of: id), mayGiveWay(log),
            let node = links[id]?.node, substituteTries.begin(log, node, now: time)
        else { return }
        if links[id]?.isOwed == false, requests.askedCount(id) == 0 { links[id]?.progressAt = time }
        links[id]?.substitutes[log] = .asked(substitute)
        let extent: RangeWant.Extent =
            switch substitute {
            case .beginning: .all
            case .newest: .newest(configuration.windowEntries)
            }
        send(.want([RangeWant(log: log, from: substitute.from, certificate: .known, extent: extent)]), to: id)
    }

    /// What is to be done with a chunk.
    enum SubstituteChunk {
        /// It is checked, and takes the place if it may.
        case first(UnverifiedChunk, Substitute)
        /// It goes on with what did not end at its head: nothing comes of that, nor does it say anything new.
        case rest
        case other
    }

    /// What a peer was asked to show ends with its head, or with the log's name in `lacking`.
    mutating func takeSubstitute(_ chunk: UnverifiedChunk, from id: SessionID) -> SubstituteChunk {
        guard let progress = links[id]?.substitutes[chunk.log] else { return .other }
        let end = chunk.start + chunk.count
        var chunk = chunk
        var first: Substitute?
        switch progress {
        case .asked(.beginning(let from)):
            guard chunk.left.isEmpty, chunk.start == from else { return .other }
            first = .beginning(from: from)
        case .asked(.newest(let from)):
            guard !chunk.left.isEmpty || chunk.start == from else { return .other }
            if !chunk.left.isEmpty { chunk.askedFrom = from }
            first = .newest(from: from)
        case .answering(let next):
            guard chunk.left.isEmpty, chunk.start == next else { return .other }
        }
        links[id]?.substitutes[chunk.log] = end == chunk.size ? nil : .answering(next: end)
        links[id]?.progressAt = time
        guard let first, end == chunk.size, case .head = chunk.proof else {
            queue(chunk.log)
            return .rest
        }
        return .first(chunk, first)
    }

    /// A peer has nothing to show; false if it was not asked.
    mutating func lacksSubstitute(_ log: LogID, _ id: SessionID) -> Bool {
        guard links[id]?.substitutes.removeValue(forKey: log) != nil else { return false }
        links[id]?.progressAt = time
        queue(log)
        return true
    }

    /// Whether what was proven takes the place of what lies behind the gap, as that is now.
    ///
    /// All of it, up to its head: of what is not complete the rest may never come, and nothing of it would count. A head beyond
    /// the gap is no reason to drop anything, nor are newer entries that are not behind a gap: by these the gap is filled.
    func mayTake(_ verified: VerifiedChunk, as substitute: Substitute) -> Bool {
        let log = verified.log
        guard let gap = gaps.forlorn(log), gap.lowerBound == substitute.from, mayGiveWay(log), verified.reachesHead,
            verified.base.bounds.upperBound == gap.lowerBound, pipeline.tip(log) == nil, !pipeline.isArriving(log),
            !pipeline.isGapArriving(log)
        else { return false }
        return switch substitute {
        case .beginning: verified.size <= gap.upperBound
        case .newest: verified.left != nil && verified.size > frontier.size(of: log)
        }
    }

    /// What lies behind the gap goes in the transaction that brings what takes its place.
    mutating func replaceWindow(with verified: VerifiedChunk, of arrival: Pipeline.Arrival) {
        let log = verified.log
        put(verified, of: arrival)
        guard pipeline.tip(log) != nil else { return }
        let (id, size) = (arrival.session, verified.size)
        guard verified.left != nil else { return letWindowGo(log, toHave: whole(for: id, size: size)) }
        letWindowGo(log, toHave: newest(of: id, size: size))
        // As much as was here is on its way.
        settleOffers(log)
    }
}
