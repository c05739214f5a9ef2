internal import Entries
internal import Sync

/// The machine's events and the performance of its effects: messages, store requests, alarms.
extension Site {
    func give(_ event: NodeEvent) {
        noteLiar(event)
        guard let effects = machine?.received(event, at: moment) else { return }
        trial.events += 1
        // With no effect but an alarm the load is unchanged.
        if effects.contains(where: { if case .wake = $0 { false } else { true } }) { measure() }
        for effect in effects { perform(effect) }
    }

    /// A liar will say that it has nothing of the own log; a home that did not detect its restore believes it, and may
    /// fork.
    private func noteLiar(_ event: NodeEvent) {
        guard case .opened(_, .incoming(let host), _) = event, !trial.sites.contains(where: { $0.isAt(host) }),
            let log = device?.log, trial.ledger.goneOn.contains(log), machine?.isSigningStopped == false
        else { return }
        trial.ledger.mayFork.insert(log)
    }

    private func isAt(_ host: String?) -> Bool { Self.address(number).host == host }

    func measure() {
        if let load = machine?.load { peakLoad = peakLoad.peak(load) }
    }

    func received(_ bytes: [UInt8], on session: SessionID) {
        give(.received(session, bytes, .inTurns))
        while machine?.hasUnread(session) == true { give(.readOn(session)) }
    }
    func sent(_ bytes: Int, on session: SessionID) {
        give(.sent(session, bytes: bytes))
        noteArrival(on: session)
    }

    func closed(_ session: SessionID) { give(.closed(session)) }

    private func perform(_ effect: NodeEffect) {
        asked?.count(effect)
        switch effect {
        case .send(let session, let bytes):
            trial.trace.note(trial.now, number, "send", session.raw, bytes)
            if let freshMoment { freshSessions[freshMoment, default: []].insert(session) }
            trial.fabric.transmit(bytes, from: session)
        case .close(let session):
            trial.trace.note(trial.now, number, "close", session.raw)
            trial.fabric.hangUp(session)
        case .dial(let dial, let target): trial.dial(dial, target.address, from: self)
        case .verify(let batch): work(effect, on: .checks, name: "verify", batch.id.raw)
        case .checkWords(let id, _): work(effect, on: .checks, name: "judge", id.raw)
        case .take(let id, _): work(effect, on: .writes, at: .commit, name: "take", id.raw)
        case .readRanges(let id, _, _), .readPrefix(let id, _, _), .readPrefixProof(let id, _, _),
            .readNodes(let id, _, _), .weighPrefix(let id, _, _), .readBodies(let id, _, _):
            work(effect, on: .reads, name: "read", id.raw)
        case .wake(let moment): wake(at: moment)
        case .report(let report): trial.heard(report, at: self)
        case .learnPeers(let learned): peers = peers.filter { $0.origin == .listed } + learned
        case .pin(let address, let node):
            peers = peers.map {
                $0.address == address ? PeerTarget(address: address, node: node, origin: $0.origin) : $0
            }
        }
    }

    private func wake(at wanted: UInt64) {
        // A machine with a deadline that stays in the past would be woken every millisecond for ever.
        spins = wanted <= trial.now + 1 ? spins + 1 : 0
        if spins == Self.spinsCount {
            trial.findings.append(Finding("spin", "node \(number) at \(trial.now) wakes again and again"))
        }
        let moment = spins < Self.spinsCount ? max(wanted, trial.now) : trial.now + 1_000
        alarm = moment
        let present = life
        trial.plan(at: moment) { [unowned self] in
            guard life == present, alarm == moment else { return }
            alarm = nil
            give(.timer)
        }
    }

    // MARK: Threads

    func isFree(_ thread: Thread) -> Bool { freeAt[thread.rawValue] <= trial.now }

    /// Runs `body` when the thread is free, and what it returns 1 to 4 ms later: a crash between the two loses the
    /// answer.
    func onThread(_ thread: Thread, at moment: AmbushMoment? = nil, _ body: @escaping () -> (() -> Void)?) {
        let begin = max(trial.now, freeAt[thread.rawValue])
        let done = begin + 1 + trial.chance.next() % 4
        freeAt[thread.rawValue] = done
        let present = life
        trial.plan(at: begin) { [unowned self] in
            guard life == present, let told = body() else { return }
            if let moment, isStruck(at: moment) { return }
            trial.plan(at: done) { [unowned self] in
                if life == present { told() }
            }
        }
    }

    /// Gives the machine the outcome of an effect; a planned crash or departure may wait for what it sends.
    private func tell(_ event: NodeEvent, of effect: NodeEffect) {
        if case .take(_, let batch) = effect, batch.published != nil { return giveFresh(event) }
        if case .readRanges = effect { return giveFresh(event, at: .answer) }
        give(event)
    }

    /// Checks some of the commits that advance cursors, as if the node crashed now.
    private func noteCursors(_ peers: [NodeID]) {
        guard !peers.isEmpty else { return }
        cursorCommits += 1
        let every = cursorCommits <= Self.cursorOftenCommits ? Self.cursorLookCommits : Self.cursorOftenCommits
        guard cursorCommits % every == 0, let state = try? home.state() else { return }
        trial.checkCursors(of: state, at: self, peers: Set(peers))
    }

    private func work(
        _ effect: NodeEffect,
        on thread: Thread,
        at moment: AmbushMoment? = nil,
        name: StaticString,
        _ id: UInt64
    ) {
        trial.trace.note(trial.now, number, name, id)
        onThread(thread, at: moment) { [unowned self] in
            guard let event = performer.work(effect, over: home) else { return nil }
            var hasBodies = false
            if case .take(_, let batch) = effect, case .taken = event {
                noteCursors(batch.cursors.map(\.peer))
                hasBodies = !batch.bodies.isEmpty
            }
            return { [unowned self, hasBodies] in
                tell(event, of: effect)
                guard case .taken(_, let report, _) = event else { return }
                trial.gapsMet += UInt64(report.gaps.count)
                let isOwn = report.changes.contains { $0.identity == device?.identity }
                if isOwn || hasBodies { deleteStrayEdits() }
            }
        }
    }
}
