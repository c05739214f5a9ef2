internal import Entries
internal import Storage
internal import Sync

/// The course of a trial, from the first start to the verdict.
extension Trial {
    /// How long to wait for the nodes to agree after the faults end; beyond `healingMilliseconds` it is a finding in
    /// any case.
    private static let patienceMilliseconds = 2 * healingMilliseconds
    /// Bound of the time to agree: several times the longest delay of a dial, and the quota debt of an endless writer.
    /// A guess.
    private static let healingMilliseconds = hourMilliseconds
    private static let calmMilliseconds: UInt64 = 300_000
    /// How long the nodes are compared every 10 s; then it is every 2 min.
    private static let hastyMilliseconds: UInt64 = 600_000
    /// Length of the quiet hour; in a short trial as long as people wrote.
    private static let quietMilliseconds = hourMilliseconds
    /// Quiet hours at most: those in which a node may learn an address, and one more. A guess.
    private static let quietHours = 3

    /// Runs the trial, once.
    ///
    /// - Throws: `Interrupted` once it may not go on; errors of the file system.
    package func run() throws -> Verdict {
        try found()
        if options.faults.contains(.partition) { planIslands() }
        if !options.faults.isEmpty { plan(in: 60_000) { [unowned self] in planTrouble() } }
        plan(in: 30_000) { [unowned self] in employ() }
        try run(milliseconds: options.milliseconds)
        mend()
        let agreedAfter = try settle()
        findings += Finding.late(agreedAfter, bound: Self.healingMilliseconds)
        try run(milliseconds: Self.calmMilliseconds)
        try checkLive()
        // What was written then is compared before the quiet hour begins.
        try run(milliseconds: Self.calmMilliseconds)
        let snapshots = try examine(after: try keepQuiet())
        judgeForks(snapshots)
        let aftermath = Aftermath(
            sites: snapshots,
            ledger: ledger,
            violations: violations,
            wall: wall,
            hadLiars: options.faults.contains(where: \.isLie),
            honest: Set(sites.map(\.node))
        )
        return Verdict(
            options: options,
            findings: findings + Checkers.findings(in: aftermath),
            faults: faults,
            lies: lies,
            figures: figures(snapshots, agreedAfter),
            traceHash: trace.hash
        )
    }

    /// Reads the final state of all nodes. A node that cannot be read, or whose person cannot write, is a finding.
    ///
    /// - Throws: `Interrupted`.
    private func examine(after hours: [QuietHour]) throws -> [SiteSnapshot] {
        var snapshots: [SiteSnapshot] = []
        for (place, site) in present.enumerated() {
            guard mayGoOn() else { throw Interrupted() }
            site.examineFile()
            do {
                var snapshot = try site.snapshot(at: wall)
                snapshot.quiet = hours[place]
                snapshots.append(snapshot)
            } catch {
                findings.append(Finding("snapshot", "node \(site.number) cannot be read: \(error)"))
            }
        }
        for site in present {
            do { try site.sayLastWords() } catch {
                let stop = (try? site.home.signingStop()).map { ", stopped as \($0)" } ?? ""
                findings.append(Finding("write", "node \(site.number), where all is mended: \(error)\(stop)"))
            }
        }
        return snapshots
    }

    /// Ends all faults, and the liars leave.
    private func mend() {
        isAlive = false
        areLiarsWelcome = false
        for liar in liars { liar.leave() }
        healings += 1
        fabric.heal()
        for site in present {
            site.clockError = 0
            site.ambush = nil
            site.farewell = nil
            // A person who reads in the node's log that a log is unreadable restarts the node.
            if site.home.damaged != nil { site.crash() }
            setRoom(.unlimited, site)
            site.isWanted = true
            // Later than a node that is stopping takes to end.
            plan(in: 5_000 + chance.next() % 20_000) { site.start() }
        }
    }

    /// Waits until all nodes agree and none lacks what another has; the milliseconds since the faults ended, nil if
    /// that never came.
    private func settle() throws -> UInt64? {
        let begin = now
        try run(milliseconds: restored.isEmpty ? 30_000 : 150_000)
        while now < begin + Self.patienceMilliseconds {
            // A person who is told that signing stopped comes back; of a copied home only the store says so.
            for site in present where restored.contains(site.number) || site.machine?.isSigningStopped == true {
                site.comeBack()
            }
            let states = present.map { $0.machine?.status }
            let isEqual = Set(states.map { $0?.fingerprint }).count == 1 && states.allSatisfy { $0 != nil }
            if isEqual, present.allSatisfy({ !isSuppliable($0) }) { return now - begin }
            try run(milliseconds: now < begin + Self.hastyMilliseconds ? 10_000 : 120_000)
        }
        return nil
    }

    /// The quiet hour, as each node spends it. An address that a node learns in it from the half-hourly peer exchange
    /// is new and is dialled: the hour then starts over, and the last one counts in any case.
    ///
    /// The machine's addresses are compared, not the stored ones: an address that failed too often is forgotten, and
    /// told again. Those of nodes that have left do not count.
    private func keepQuiet() throws -> [QuietHour] {
        let gone = Set(sites.filter(\.isGone).map { Site.address($0.number) })
        var hours: [QuietHour] = []
        for _ in 0..<Self.quietHours {
            let known = present.map(\.knownAddresses)
            hours = try spendHour()
            if zip(present, known).allSatisfy({ $0.knownAddresses.subtracting(gone).isSubset(of: $1) }) { break }
        }
        return hours
    }

    private func spendHour() throws -> [QuietHour] {
        let length = min(Self.quietMilliseconds, options.milliseconds)
        let before = present.map { site in
            site.asked = AskedLogs()
            var hour = QuietHour()
            hour.milliseconds = length
            hour.sessions = site.machine?.status.sessions.count ?? 0
            hour.spoken = site.spoken
            hour.wire = fabric.tally(site.number)
            return hour
        }
        try run(milliseconds: length)
        return zip(present, before).map { site, begin in
            var hour = begin
            hour.spoken = site.spoken.since(begin.spoken)
            hour.wire = fabric.tally(site.number).since(begin.wire)
            hour.asked = site.asked ?? AskedLogs()
            site.asked = nil
            return hour
        }
    }

    /// Whether another node has a body or a gap's entries that this node lacks.
    private func isSuppliable(_ site: Site) -> Bool {
        guard let status = site.machine?.status, status.gaps > 0 || status.wantedBodies > 0,
            let state = try? site.home.state()
        else { return false }
        let others = present.filter { $0.number != site.number }
        return others.contains { other in
            let bodies = (try? other.home.bodies(state.wantedBodies, byteLimit: 1 << 24)) ?? []
            return bodies.contains { $0.payload != nil } || state.gaps.contains { holds($0, other) }
        }
    }

    private func holds(_ gap: GapPlace, _ site: Site) -> Bool {
        let want = RangeWant(
            log: gap.log,
            from: gap.bounds.lowerBound,
            certificate: .known,
            extent: .until(gap.bounds.upperBound)
        )
        guard case .chunk? = try? site.home.ranges([want], byteLimit: 1).first else { return false }
        return true
    }

    /// A fork is no violation: it counts as caught where a node has evidence of it.
    private func judgeForks(_ snapshots: [SiteSnapshot]) {
        for log in ledger.forked where snapshots.contains(where: { $0.items[log]?.cut != nil }) {
            lies.caught[.twoHistories, default: 0] += 1
        }
    }

    private func figures(_ snapshots: [SiteSnapshot], _ agreedAfter: UInt64?) -> [Figure] {
        var spoken = SpokenMessages()
        for site in sites { spoken.add(site.spoken) }
        var peak = NodeLoad()
        for snapshot in snapshots { peak = peak.peak(snapshot.peakLoad) }
        let entries = snapshots.first?.entries.values.reduce(0) { $0 + $1.count } ?? 0
        return [
            Figure("nodes", UInt64(sites.count)),
            Figure("entries saved by people", UInt64(ledger.saved.count)),
            Figure("entries held at the end", UInt64(entries)),
            Figure("logs held at the end", UInt64(snapshots.first?.items.count ?? 0)),
            Figure("deleted entries", UInt64(ledger.erased.count)),
            Figure("events", events),
            Figure("messages", spoken.byType.reduce(0) { $0 + $1.count }),
            Figure("bytes on the network", fabric.bytes),
            Figure("messages that reconcile", spoken.byType.first { $0.type == 18 }?.count ?? 0),
            Figure("parts of logs stored behind a gap", gapsMet),
            Figure("times that a log was left out as unreadable", leftOut),
            Figure("logs that their person ended", UInt64(ledger.settled.count)),
            Figure("accounts that ended", UInt64(ledger.ends.count)),
            Figure("logs with a gap at the end", UInt64(snapshots.reduce(0) { $0 + $1.gaps.count })),
            Figure("bodies missing at the end", UInt64(snapshots.reduce(0) { $0 + $1.missingBodies.count })),
            Figure("violations reported", UInt64(violations.count)),
            Figure("homes that went back and did not see it", restoredUnseen),
        ]
            + AmbushMoment.allCases.compactMap { moment in
                ambushes[moment].map { Figure("nodes that went down at \(moment.rawValue)", $0) }
            }
            + returns.sorted { $0.key < $1.key }.map { Figure("new devices after \($0.key.rawValue)", $0.value) }
            + [
                Figure("logs that may fork", UInt64(ledger.mayFork.count)),
                Figure("saved entries lost with their home", UInt64(ledger.excused.count)),
                Figure("disk full", UInt64(storageWords.filter { $0.key.contains("diskFull") }.values.reduce(0, +))),
                Figure("most bytes queued for one peer", peak[.queuedBytes]),
                Figure("most bytes arriving from one peer", peak[.arrivingBytes]),
                Figure("most logs offered to one node", peak[.offeredLogs]),
                Figure("most wants nobody supplied at one node", peak[.patientWants]),
                Figure("minutes of virtual time", now / 60_000),
                agreedAfter.map { Figure("seconds to agree", $0 / 1_000) } ?? Figure("never agreed", 1),
            ]
    }
}
