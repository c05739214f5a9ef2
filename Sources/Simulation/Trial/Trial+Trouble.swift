internal import Entries
internal import Storage
internal import Sync

/// The injection of faults.
extension Trial {
    /// Plans the first fault of each kind; each plans the next one of its kind.
    func planTrouble() {
        for fault in Fault.allCases where options.faults.contains(fault) { planNext(fault) }
        if options.faults.contains(.backup) { planBackups() }
    }

    private func planNext(_ fault: Fault) {
        let every =
            FaultMeasures.Measure(rawValue: fault.rawValue + "-every").map { drawn($0, by: next(for: fault)) }
            ?? fault.meanIntervalMilliseconds
        let mean = max(10_000, every * 50 / UInt64(max(1, options.nodes)))
        // Shorter in a short trial, so that about every fault happens.
        let interval = min(mean, options.milliseconds / 3)
        plan(in: 30_000 + (0..<4).reduce(0) { sum, _ in sum + next(for: fault) % max(1, interval / 2) }) {
            [unowned self] in
            guard isAlive else { return }
            if happen(fault) { faults[fault, default: 0] += 1 }
            planNext(fault)
        }
    }

    /// Injects a fault; false if there was nothing to inject it into.
    private func happen(_ fault: Fault) -> Bool {
        switch fault {
        case .latency, .resets, .halfopen, .oneway, .partition, .slowreader: return disturbNetwork(fault)
        case .crash, .powercut, .backup, .clock, .diskfull, .damage: return strike(fault)
        case .ending: return endSomething()
        case .departure:
            // Counted when it happens.
            sendAway()
            return false
        case .equivocation, .withholding, .forgery, .replay, .proof, .endless, .flood:
            liars.append(Liar(liars.count, fault, in: self, seed: trouble.next()))
            return true
        }
    }

    // MARK: The network

    private func disturbNetwork(_ fault: Fault) -> Bool {
        switch fault {
        case .latency:
            guard let path = drawBusyPath() else { return false }
            fabric.setDelay(path, drawn(.latency))
            plan(in: drawn(.latencyTime)) { [unowned self] in fabric.setDelay(path, nil) }
        case .slowreader:
            guard let site = drawRunning() else { return false }
            fabric.setReading(site.number, bytesPerSecond: drawn(.slowreader))
            plan(in: drawn(.slowreaderTime)) { [unowned self] in
                fabric.setReading(site.number, bytesPerSecond: nil)
            }
        case .oneway:
            // One time in four every path from one half of the network to the other.
            if trouble.next() % 4 == 0, let sides = drawSides() {
                block(paths(between: sides).filter { sides[$0.from] == 0 }, for: drawn(.oneway))
            } else {
                guard let path = drawBusyPath() else { return false }
                block([path], for: drawn(.oneway))
            }
        case .partition:
            guard let sides = drawSides() else { return false }
            block(paths(between: sides), for: drawn(.partition))
        case .resets, .halfopen:
            guard let session = drawn(of: fabric.openSessions) else { return false }
            if fault == .resets { fabric.reset(session) } else { fabric.fallSilent(session) }
        case .crash, .powercut, .backup, .clock, .diskfull, .damage, .ending, .departure, .equivocation, .withholding,
            .forgery, .replay, .proof, .endless, .flood:
            return false
        }
        return true
    }

    /// A random direction of a random connection between two nodes; nil if there is none.
    private func drawBusyPath() -> Fabric.Path? {
        let paths = fabric.openSessions.compactMap { fabric.wires[$0] }
            .filter { sites.indices.contains($0.host) && sites.indices.contains($0.peer) }
            .map { Fabric.Path(from: $0.host, to: $0.peer) }
        return drawn(of: paths).map {
            trouble.next() % 2 == 0 ? $0 : Fabric.Path(from: $0.to, to: $0.from)
        }
    }

    /// Half of the trials begin with two networks that have never met, so that they have much to reconcile when they
    /// do.
    func planIslands() {
        guard trouble.next() % 2 == 0 else { return }
        let most = options.milliseconds * 2 / 3
        let duration = most / 4 + trouble.next() % max(1, most * 3 / 4)
        guard let sides = drawSides() else { return }
        islands = sides
        block(paths(between: sides), for: duration)
        plan(in: duration) { [unowned self] in islands = [] }
        faults[.partition, default: 0] += 1
    }

    /// A random side, 0 or 1, for each node, with a node on each side; nil if there is only one node.
    private func drawSides() -> [Int]? {
        guard sites.count > 1 else { return nil }
        while true {
            let sides = sites.map { _ in Int(trouble.next() % 2) }
            if Set(sides).count == 2 { return sides }
        }
    }

    private func paths(between sides: [Int]) -> [Fabric.Path] {
        var paths: [Fabric.Path] = []
        for from in sites.indices {
            for to in sites.indices where sides[from] != sides[to] { paths.append(Fabric.Path(from: from, to: to)) }
        }
        return paths
    }

    private func block(_ paths: [Fabric.Path], for milliseconds: UInt64) {
        let healing = healings
        for path in paths { fabric.block(path) }
        plan(in: milliseconds) { [unowned self] in
            guard healing == healings else { return }
            for path in paths { fabric.unblock(path) }
        }
    }

    // MARK: Nodes

    private func strike(_ fault: Fault) -> Bool {
        if fault == .backup { return restore(drawSite()) }
        guard let site = drawRunning() else { return false }
        switch fault {
        case .crash, .powercut: return bringDown(site, by: fault)
        case .clock:
            let jump = drawnEitherWay(.clock)
            let healing = healings
            site.clockError += jump
            plan(in: drawn(.clockTime)) { [unowned self] in
                if healing == healings { site.clockError -= jump }
            }
        case .diskfull:
            setRoom(.exhausted, site)
            plan(in: drawn(.diskfull)) { [unowned self] in setRoom(.unlimited, site) }
        case .damage: return damage(site)
        case .backup, .latency, .resets, .halfopen, .oneway, .partition, .slowreader, .ending, .departure,
            .equivocation, .withholding, .forgery, .replay, .proof, .endless, .flood:
            return false
        }
        return true
    }

    /// Makes a log unreadable on a node's disk; a person reads of it in the node's log and restarts the node.
    private func damage(_ site: Site) -> Bool {
        let logs = sites.compactMap { $0.device?.log }.filter { $0 != site.device?.log }
        guard site.home.damaged == nil, let log = drawn(of: logs) else { return false }
        // Half of the time at a restart, while the node catches up.
        guard trouble.next() % 2 == 0 else {
            lose(log, at: site)
            return true
        }
        site.crash()
        plan(in: drawn(.crash)) { [unowned self] in
            if isAlive, site.isWanted, !site.isRunning, site.start() { lose(log, at: site) }
        }
        return true
    }

    private func lose(_ log: LogID, at site: Site) {
        site.home.damaged = log
        site.unreadable.insert(log)
        let life = site.life
        plan(in: drawn(.damage)) { [unowned self] in
            guard isAlive, site.life == life else { return }
            site.stop()
            plan(in: 5_000) {
                if site.isWanted { site.start() }
            }
        }
    }

    /// Brings a node down, half of the time at once; else at the next half-done moment, and the fault counts when that
    /// has come.
    private func bringDown(_ site: Site, by fault: Fault) -> Bool {
        // A home in memory loses nothing when the power fails.
        guard fault == .crash || options.store == .sqlite else { return false }
        let share = Double(trouble.next() % 1_001) / 1_000
        let strike = { [unowned self] in
            if fault == .crash {
                site.crash()
            } else {
                site.cutPower(keeping: share)
                excuseLosses()
            }
            comeUp(site, after: fault == .crash ? .crash : .powercut)
        }
        guard site.ambush == nil, trouble.next() % 2 == 0, let moment = drawn(of: AmbushMoment.ofCrashes) else {
            strike()
            return true
        }
        site.ambush = Site.Ambush(moment: moment) { [unowned self] in
            strike()
            faults[fault, default: 0] += 1
            ambushes[moment, default: 0] += 1
        }
        return false
    }

    private func comeUp(_ site: Site, after measure: FaultMeasures.Measure) {
        plan(in: drawn(measure)) { [unowned self] in
            if isAlive, site.isWanted { site.start() }
        }
    }

    func setRoom(_ room: SimulatedRoom, _ site: Site) {
        site.room = room
        do { try site.home.setRoom(room) } catch { noteStorage(error, at: site) }
    }

    // MARK: Chance

    private func next(for fault: Fault) -> UInt64 { fault == .departure ? leaving.next() : trouble.next() }

    func drawSite() -> Site {
        let present = present
        return present[Int(trouble.next() % UInt64(present.count))]
    }

    private func drawRunning() -> Site? { drawn(of: sites.filter(\.isRunning)) }

    func drawn<Choice>(of choices: [Choice]) -> Choice? {
        choices.isEmpty ? nil : choices[Int(trouble.next() % UInt64(choices.count))]
    }

    /// A random value in the measure's range.
    func drawn(_ measure: FaultMeasures.Measure) -> UInt64 { drawn(measure, by: trouble.next()) }

    private func drawn(_ measure: FaultMeasures.Measure, by number: UInt64) -> UInt64 {
        let range = options.measures[measure]
        return range.lowerBound + number % (range.upperBound - range.lowerBound + 1)
    }

    func drawnEitherWay(_ measure: FaultMeasures.Measure) -> Int64 {
        let amount = Int64(drawn(measure))
        return trouble.next() % 2 == 0 ? amount : -amount
    }
}
