package import Entries
internal import Storage
package import Sync

/// One honest node of a trial: a machine, its disk, its clock, its threads, and who writes there.
package final class Site: Resident {
    package let number: Int
    let configuration: NodeConfiguration
    let home: any TrialHome
    unowned let trial: Trial
    let habit: Habit
    /// Nil on a hub.
    var device: Device?
    package internal(set) var machine: NodeMachine?
    /// Counts the starts of the process: what belongs to an earlier one is lost.
    private(set) var life = 0
    /// What the wall clock is wrong by, milliseconds.
    var clockError: Int64 = 0
    /// When the person or the program that keeps this node up wants it on.
    var isWanted = true
    var room = DiskRoom.unlimited
    private var peers: [PeerTarget]
    private var alarm: UInt64?
    /// Times in a row that it wanted to be woken at once.
    private var spins = 0
    /// More than any pile of work takes: a guess.
    private static let spinsCount = 5_000
    /// When each thread is free.
    private var desks = [UInt64](repeating: 0, count: 3)
    private let performer: WorkPerformer
    private var sinceLoad = 0
    /// What it sent in earlier lives.
    private var spokenBefore = SpokenMessages()
    package private(set) var peakLoad = NodeLoad()
    /// The store id of the present run.
    package private(set) var run: StoreID?

    /// When a machine is on.
    enum Habit: Hashable {
        /// Always, but for accidents.
        case always
        /// From morning to night.
        case byDay
        /// Some hours now and then.
        case nowAndThen
    }

    enum Thread: Int {
        case writes
        case reads
        case checks
    }

    init(_ number: Int, in trial: Trial, home: any TrialHome, habit: Habit, device: Device?, peers: [PeerTarget]) {
        self.number = number
        self.trial = trial
        self.home = home
        self.habit = habit
        self.device = device
        self.peers = peers
        configuration = NodeConfiguration(
            network: trial.network,
            key: .seeded(trial.options.seed, "node \(number)"),
            agent: "simulated \(number)",
            listenPort: Site.address(number).port
        )
        performer = WorkPerformer(network: trial.network)
    }

    static func address(_ number: Int) -> PeerAddress { PeerAddress(host: "node\(number)", port: 7_000) }

    package var node: NodeID { configuration.node }
    package var isRunning: Bool { machine != nil }
    package var spoken: SpokenMessages {
        var all = spokenBefore
        if let machine { all.add(machine.spoken) }
        return all
    }

    var wall: UInt64 { UInt64(max(1, Int64(trial.wall) + clockError)) }
    var moment: Moment { Moment(monotonicMilliseconds: trial.now, wallMilliseconds: wall) }

    // MARK: The process

    /// Starts the node on what its disk holds; false if it cannot.
    @discardableResult
    func start() -> Bool {
        guard machine == nil else { return true }
        let state: StoreState
        let run = trial.drawRun()
        do {
            state = try home.begin(run)
        } catch {
            trial.noteStorage(error, at: self)
            return false
        }
        self.run = run
        examineFile()
        trial.checkCursors(of: state, at: self)
        life += 1
        alarm = nil
        desks = desks.map { _ in trial.now }
        machine = NodeMachine(configuration: configuration, state: state, peers: peers, seed: trial.chance.next())
        trial.trace.note(trial.now, number, "start", state.number)
        give(.started)
        deleteStrayEdits()
        return true
    }

    /// Whatever happened to the process, the database is whole.
    func examineFile() {
        guard let reader = home.reader else { return }
        do {
            let faults = try reader.faults()
            if let first = faults.first {
                trial.findings.append(Finding("file", "node \(number) at \(trial.now): \(first)"))
            }
        } catch {
            trial.noteStorage(error, at: self)
        }
    }

    /// Asks the node to end; it is gone two seconds later.
    func stop() {
        guard machine != nil else { return }
        give(.stop)
        let present = life
        trial.plan(in: 2_000) { [unowned self] in
            guard life == present, machine != nil else { return }
            end()
            for session in trial.fabric.sessions(of: number) { trial.fabric.drop(session) }
            do { try home.close() } catch { trial.noteStorage(error, at: self) }
        }
    }

    /// The process is killed.
    func crash() {
        guard machine != nil else { return }
        end()
        for session in trial.fabric.sessions(of: number) { trial.fabric.drop(session) }
        do { try home.kill() } catch { trial.noteStorage(error, at: self) }
    }

    /// The power is gone.
    func cutPower(keeping share: Double) {
        let wasRunning = machine != nil
        end()
        for session in trial.fabric.sessions(of: number) { trial.fabric.abandon(session) }
        guard wasRunning else { return }
        do { try home.cutPower(keeping: share) } catch { trial.noteStorage(error, at: self) }
    }

    private func end() {
        if let machine { spokenBefore.add(machine.spoken) }
        life += 1
        machine = nil
        run = nil
        trial.trace.note(trial.now, number, "end")
    }

    // MARK: Events

    func give(_ event: NodeEvent) {
        guard let effects = machine?.received(event, at: moment) else { return }
        trial.events += 1
        for effect in effects { perform(effect) }
        sinceLoad += 1
        if sinceLoad >= 16 { measure() }
    }

    private func measure() {
        sinceLoad = 0
        if let load = machine?.load { peakLoad = peakLoad.peak(load) }
    }

    func received(_ bytes: [UInt8], on session: SessionID) { give(.received(session, bytes)) }
    func sent(_ bytes: Int, on session: SessionID) { give(.sent(session, bytes: bytes)) }
    func closed(_ session: SessionID) { give(.closed(session)) }

    private func perform(_ effect: NodeEffect) {
        switch effect {
        case .send(let session, let bytes):
            trial.trace.note(trial.now, number, "send", session.raw, bytes)
            trial.fabric.transmit(bytes, from: session)
        case .close(let session):
            trial.trace.note(trial.now, number, "close", session.raw)
            trial.fabric.hangUp(session)
        case .dial(let dial, let target): trial.dial(dial, target.address, from: self)
        case .verify(let batch): work(effect, on: .checks, name: "verify", batch.id.raw)
        case .judge(let id, _): work(effect, on: .checks, name: "judge", id.raw)
        case .take(let id, _): work(effect, on: .writes, name: "take", id.raw)
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
        // A machine whose deadline is past and stays there would be woken every millisecond for ever.
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

    /// Does it when its thread is free, and tells what came of it a little later: a crash between the two loses the word.
    func onThread(_ thread: Thread, _ body: @escaping () -> (() -> Void)?) {
        let begin = max(trial.now, desks[thread.rawValue])
        let done = begin + 1 + trial.chance.next() % 4
        desks[thread.rawValue] = done
        let present = life
        trial.plan(at: begin) { [unowned self] in
            guard life == present, let told = body() else { return }
            trial.plan(at: done) { [unowned self] in
                if life == present { told() }
            }
        }
    }

    private func work(_ effect: NodeEffect, on thread: Thread, name: StaticString, _ id: UInt64) {
        trial.trace.note(trial.now, number, name, id)
        onThread(thread) { [unowned self] in
            guard let event = performer.work(effect, over: home) else { return nil }
            return { [unowned self] in
                give(event)
                if case .taken(_, let report) = event, report.changes.contains(where: { $0.log == device?.log }) {
                    deleteStrayEdits()
                }
            }
        }
    }
}
