internal import Entries
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync

extension Node {
    /// Performs one effect of the machine without waiting.
    func perform(_ effect: NodeEffect) {
        switch effect {
        case .send(let session, let bytes): send(bytes, to: session)
        case .close(let session): sessions[session]?.connection.close()
        case .dial(let id, let target): job.yield { await self.dial(id, target) }
        case .verify(let batch):
            if let outcomes = work.checkAtOnce(batch) {
                handleNext(.verified(batch.id, outcomes))
            } else {
                work.verify(batch)
            }
        case .take(let id, let batch): work.take(id, batch)
        case .readRanges(let id, let wants, let limit): work.readRanges(id, wants, byteLimit: limit)
        case .readPrefix(let id, let log, let end): work.readPrefix(id, log, end: end)
        case .readPrefixProof(let id, let log, let end): work.readPrefixProof(id, log, end: end)
        case .readNodes(let id, let log, let place): work.readNodes(id, log, place)
        case .weighPrefix(let id, let log, let proof): work.weigh(id, log, proof)
        case .checkWords(let id, let words): work.check(id, words)
        case .readBodies(let id, let places, let limit): work.readBodies(id, places, byteLimit: limit)
        case .wake(let moment): wake(at: moment)
        case .report(let report): tell(report)
        case .learnPeers(let targets):
            learned = targets
            if !isLearningResting { writeLearned() }
        case .pin(let address, let node): pin(address, node)
        }
    }

    /// Applies the result of a bundle import: reports its changes, and logs a copied own log.
    private func take(_ taking: BundleIntake.Taking) {
        for report in taking.reports {
            handle(.imported(report))
            changed(report.report.changes)
            switch report.own {
            case .longer, .forked:
                log.error("a file shows that this home's log was written elsewhere too: nothing more is signed here")
            case .agreed, nil: break
            }
        }
    }

    /// Follows up on what a transaction brought: an entry or a late body of another device of the person's may be an
    /// edit of a post that is deleted here. Looking for such goes over all edits, so others' entries do not bring it
    /// about.
    private func changed(_ rows: [FrontierRow]) {
        rereadCarried(after: rows)
        if work.store.claimStrayEdits() { work.deleteStrayEdits(publication) }
    }

    /// Rereads the followed identities if the own identity's log changed and the home carries whom it follows.
    private func rereadCarried(after rows: [FrontierRow]) {
        guard carry == .following, let identity, rows.contains(where: { $0.identity == identity }) else { return }
        work.readCarried(carry)
    }

    private func changeScope(to meaning: Carrying.Meaning) {
        guard meaning != carried else { return }
        carried = meaning
        tellCarried()
        handle(.scopeChanged(meaning.scope))
    }

    /// Logs the carried scope, and how many identities did not fit.
    func tellCarried() {
        guard let count = carried.scope.count else { return }
        log.notice("carries the logs of \(count) \(count == 1 ? "person" : "people")")
        if carried.leftOut > 0 {
            log.warning(
                "\(carried.leftOut) more do not fit, a node names \(Scope.maximumIdentities) at most: not carried"
            )
        }
    }

    /// Applies an input from a thread or a timer.
    func take(_ input: NodeInput) {
        switch input {
        case .event(.taken(let id, let report, let microseconds)):
            toldFailure = nil
            handle(.taken(id, report, microseconds: microseconds))
            changed(report.changes)
        case .event(let event): handle(event)
        case .appended(let own, let publication, let reply):
            readingRate.noteOwn(at: SystemClock.monotonicMicroseconds)
            toldFailure = nil
            switch publication {
            case .cleared: handle(.published(own))
            case .held: handle(.appended(own))
            }
            rereadCarried(after: [own.row])
            reply?.resume(returning: .success(own))
            work.noteOwnLog(on: loop)
        case .brought(let appends, let reply):
            handle(.brought(appends))
            reply.resume(returning: .success(()))
        case .imported(let taking, let reply):
            take(taking)
            reply.resume(returning: .success(taking.receipt))
        case .released(let own, let reply):
            if let own { handle(.released(own.published)) }
            reply.resume(returning: .success(own))
        case .notAppended(let error, let reply):
            // Whoever wrote is told in any case; the log is for who looks why nothing is stored here.
            if case .storage(let failure) = error, failure == .diskFull || failure == .unwritable { tell(failure) }
            reply?.resume(returning: .failure(error))
        case .carried(let meaning): changeScope(to: meaning)
        case .strayEdit(let post):
            if !isSigningStopped { work.delete(post, before: nil, publication, nil) }
        case .storageFailed(let error): tell(error)
        case .databaseLost(let path): databaseLost(path)
        // Of the same failure the store says no more after the next transactions.
        case .evictionFailed(let error): log.error("nothing gives way to the disk budget: \(error)")
        case .fileFailed(let error): log.warning("\(error)")
        case .learningRested:
            isLearningResting = false
            writeLearned()
        case .pinned(let nodes):
            isPinning = false
            unwrittenPins = unwrittenPins.filter { nodes[$0.key] != $0.value }
            writePins()
        case .pinFailed(let error):
            // Retried with the next pin, and by `keepHouse`.
            isPinning = false
            log.warning("\(error)")
        case .timerFired: alarmRang()
        case .watchExpired(let name): expireWatch(name)
        case .stop: beginToStop()
        }
    }

    // MARK: Connections

    private func send(_ bytes: [UInt8], to session: SessionID) {
        guard let connection = sessions[session]?.connection else { return }
        // The machine keeps its queues short; only a peer that stopped reading gets here.
        if connection.send(bytes) == .full { connection.abort() }
    }

    private func dial(_ id: DialID, _ target: PeerTarget) async {
        switch await Dialer(group: loop, executor: thread).dial(target.address, target.origin) {
        case .failed(let failure): handle(.dialFailed(id, failure))
        case .connected(let connection): await run(connection, .outgoing(id))
        }
    }

    /// Runs one connection from open to close.
    func run(_ connection: Connection, _ direction: Direction) async {
        let session = SessionID(raw: UInt64(nextName()))
        sessions[session] = OpenSession(connection: connection, since: SystemClock.wallMilliseconds)
        readingRate.begin(session, from: direction.network, at: SystemClock.monotonicMicroseconds)
        handle(.opened(session, direction, ephemeral: .random()))
        await connection.run(
            received: { await self.received($0, on: session) },
            sent: { await self.sent($0, on: session) }
        )
        sessions[session] = nil
        readingRate.end(session, at: SystemClock.monotonicMicroseconds)
        handle(.closed(session))
    }

    /// Handles the bytes of one read; returns when the next read may begin.
    private func received(_ bytes: [UInt8], on session: SessionID) async {
        sessions[session]?.traffic.received += UInt64(bytes.count)
        totals.received += UInt64(bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty || hasUnread(session) {
            let begun = SystemClock.monotonicMicroseconds
            if hasUnread(session) {
                handle(.readOn(session))
            } else if readingRate.isShared(at: begun, besides: session) {
                // Handling one page takes as long as a live post may take in all: other connections get a turn between
                // two pieces.
                let piece = rest.prefix(TransportLimits.turnBytes)
                rest = rest.dropFirst(piece.count)
                handle(.received(session, piece.count == bytes.count ? bytes : Array(piece), .inTurns))
            } else {
                handle(.received(session, rest.count == bytes.count ? bytes : Array(rest)))
                rest = []
            }
            let now = SystemClock.monotonicMicroseconds
            let pause = readingRate.spend(now - begun, on: session, at: now)
            if pause > 0 {
                try? await Task.sleep(for: .microseconds(pause))
            } else if !rest.isEmpty || hasUnread(session) {
                await Task.yield()
            }
        }
    }

    private func sent(_ count: Int, on session: SessionID) {
        sessions[session]?.traffic.sent += UInt64(count)
        totals.sent += UInt64(count)
        handle(.sent(session, bytes: count))
    }

    /// Writes the newest learned addresses, then pauses for `learningRestMilliseconds`: each incoming connection may
    /// teach an address, and each write takes two fsyncs.
    func writeLearned() {
        guard let targets = learned else { return }
        learned = nil
        let layout = home.layout
        work.writeFile { () throws(SystemError) in try PeerList.writeLearned(targets, to: layout) }
        isLearningResting = true
        let rest = TimeAmount.milliseconds(Int64(TransportLimits.learningRestMilliseconds))
        loop.scheduleTask(in: rest) { [input] in input.yield(.learningRested) }
    }

    private func pin(_ address: PeerAddress, _ node: NodeID) {
        guard case .pinned = known.pin(address, to: node) else { return }
        unwrittenPins[address] = node
        writePins()
    }

    /// Writes the pins that the home's file lacks, in one batch, with one write in flight.
    func writePins() {
        guard !unwrittenPins.isEmpty, !isPinning else { return }
        isPinning = true
        work.pin(unwrittenPins, in: home)
    }

    // MARK: Time

    /// The wake-up that the machine asked for, and the timer that is set.
    struct Alarm {
        var wanted: UInt64?
        var set: (moment: UInt64, task: Scheduled<Void>)?

        mutating func cancel() {
            set?.task.cancel()
            set = nil
        }
    }

    private func wake(at moment: UInt64) {
        alarm.wanted = moment
        // A timer that fires early is set again then, which is cheaper than rescheduling at every event.
        if let set = alarm.set, set.moment <= moment { return }
        setAlarm(at: moment)
    }

    private func setAlarm(at moment: UInt64) {
        alarm.cancel()
        let now = SystemClock.monotonicMilliseconds
        let delay = TimeAmount.milliseconds(Int64(clamping: moment > now ? moment - now : 0))
        alarm.set = (moment, loop.scheduleTask(in: delay) { [input] in input.yield(.timerFired) })
    }

    private func alarmRang() {
        alarm.set = nil
        guard let wanted = alarm.wanted else { return }
        if wanted > SystemClock.monotonicMilliseconds {
            setAlarm(at: wanted)
        } else {
            alarm.wanted = nil
            handle(.timer)
        }
    }
}
