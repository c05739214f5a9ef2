import Entries

/// Import: takes over what a file brought, which is stored already and is announced like anything new.
extension NodeMachine {
    mutating func imported(_ file: ImportReport) {
        let report = file.report
        judgeOwnLog(file.own, grown: report.changes.last { $0.log == own?.log }?.item.size ?? 0)
        for item in report.stored { pendingEnds[item.log] = item.size }
        takeGaps(report)
        takeEmptied(report.emptied)
        for row in report.changes { takeLocal(.imported(row)) }
        for item in report.stored { settleImported(item.log) }
        judgeStandings(of: report)
        for place in report.unwantedBodies { bodies.remove(place) }
        for place in report.wantedBodies { bodies.add(place, of: owner(place.log), from: nil) }
        for place in file.bodies { bodies.remove(place) }
    }

    /// Applies a frontier row that a file changed.
    mutating func takeImported(_ row: FrontierRow) {
        takeRow(row)
        settleImported(row.log)
    }

    /// `grown`: the own log's size once the file brought entries of it; 0: it brought none.
    private mutating func judgeOwnLog(_ shown: ImportReport.OwnShown?, grown: UInt64) {
        switch shown {
        case nil: break
        case .agreed: own?.fileAgreed()
        case .longer(let held, let shown): stop(.longer, held: held, shown: shown, grown: grown)
        case .forked(let held, let shown): stop(.otherBranch, held: held, shown: shown, grown: grown)
        }
    }

    private mutating func stop(_ proof: OwnLogStop.Proof, held: UInt64, shown: UInt64, grown: UInt64) {
        guard let stop = own?.stop(proof) else { return }
        // The store counts what others hold as published already; the stop must not take that back.
        pipeline.change { $0.batch.stop = OwnLogStop(proof: proof, published: max(stop.published, grown)) }
        effects.append(.report(.ownLogIsLonger(nil, held: held, shown: shown)))
    }

    /// Closes offers of a log that an import fulfilled; offers beyond complete heads stay, since pending entries may
    /// never become complete.
    private mutating func settleImported(_ log: LogID) {
        if let end = pendingEnds[log], frontier.size(of: log) >= end {
            pendingEnds[log] = nil
            writers.remove(log)
        }
        for offer in requests.settle(log, at: complete(log)).fulfilled {
            if let log = frontier.log(log) { links[offer.session]?.known.raise(log, to: offer.size) }
            fulfil(offer)
        }
        queue(log)
    }
}
