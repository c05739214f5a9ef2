package import Entries
internal import Storage
package import Sync

/// One honest node of a trial: its machine, disk, clock and threads, and the device that writes there.
package final class Site: Resident {
    package let number: Int
    let configuration: NodeConfiguration
    let home: any TrialHome
    unowned let trial: Trial
    let habit: Habit
    /// Nil on a hub.
    var device: Device?
    /// Every log that was ever written at this node.
    var logs: [LogID]
    /// Whether the person looks now and then, after a restore.
    var isWatched = false
    package internal(set) var machine: NodeMachine?
    /// A number for one life of the process, raised at each start and end: events of an earlier life are dropped.
    private(set) var life = 0
    /// Error of the node's wall clock, milliseconds.
    package internal(set) var clockError: Int64 = 0
    /// Whether the person, or the program that keeps the node up, wants it to run.
    var isWanted = true
    /// It has left for good: nobody starts it, and nobody writes here.
    var isGone = false
    var room = SimulatedRoom.unlimited
    var peers: [PeerTarget]
    var alarm: UInt64?
    /// Consecutive alarms that were due at once.
    var spins = 0
    /// Alarms due at once in a row that make a finding: more than any backlog takes; a guess.
    static let spinsCount = 5_000
    /// Commits that advanced cursors.
    var cursorCommits = 0
    /// One commit in this many is checked, as a check reads two frontiers; a guess.
    static let cursorLookCommits = 8
    /// After this many commits only one in this many is checked; a guess.
    static let cursorOftenCommits = 512
    /// Logs that the disk could not read for a time.
    var unreadable: Set<LogID> = []
    /// The time from which on each thread is free, by `Thread`.
    var freeAt = [UInt64](repeating: 0, count: 3)
    let performer: WorkPerformer
    /// A crash or power cut that waits for a moment at this node.
    var ambush: Ambush?
    /// A departure that waits for a moment.
    var farewell: Ambush?
    /// The moment that the messages sent now belong to, if a crash or departure waits for it: own entries that no peer
    /// had before, or an answer.
    var freshMoment: AmbushMoment?
    /// Sessions on which such messages are in flight.
    var freshSessions: [AmbushMoment: Set<SessionID>] = [:]
    /// Counts what peers ask of this node; nil while it is not counted.
    var asked: AskedLogs?
    /// Addresses that the node may dial now.
    var knownAddresses: Set<PeerAddress> { Set(machine?.status.targets.map(\.target.address) ?? []) }
    /// Messages sent in earlier lives of the process.
    private var spokenBefore = SpokenMessages()
    package internal(set) var peakLoad = NodeLoad()
    /// The store id of the present run.
    package private(set) var run: StoreID?

    /// When the node's computer is on.
    enum Habit: Hashable {
        /// Always, faults aside.
        case always
        /// From 7 to 23 o'clock.
        case byDay
        /// Some hours now and then.
        case nowAndThen
    }

    enum Thread: Int {
        case writes
        case reads
        case checks
    }

    init(
        _ number: Int,
        in trial: Trial,
        home: any TrialHome,
        habit: Habit,
        device: Device?,
        peers: [PeerTarget],
        window: UInt64
    ) {
        self.number = number
        self.trial = trial
        self.home = home
        self.habit = habit
        self.device = device
        logs = device.map { [$0.log] } ?? []
        self.peers = peers
        configuration = NodeConfiguration(
            network: trial.network,
            key: .seeded(trial.options.seed, "node \(number)"),
            agent: "simulated \(number)",
            listenPort: Site.address(number).port,
            windowEntries: window,
            eagerLinks: trial.options.eagerLinks,
            bounds: Self.bounds
        )
        performer = WorkPerformer(network: trial.network)
    }

    /// Bounds so small that liars reach them and nobody else does: an endless writer's posts, a flood's logs.
    private static let bounds: NodeBounds = {
        var bounds = NodeBounds()
        bounds.quotaBurstBytes = 65_536
        bounds.quotaBytesPerSecond = 256
        bounds.wantedLogsCount = 256
        bounds.wantedLogsPerSessionCount = 64
        bounds.patientWantsCount = 64
        bounds.patientWantsPerPeerCount = 16
        return bounds
    }()

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

    /// Starts the node from its disk; false if it cannot.
    @discardableResult
    func start() -> Bool {
        guard machine == nil else { return true }
        guard !isGone else { return false }
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
        trial.checkCursors(of: state, at: self, peers: Set(state.cursors.map(\.peer)))
        life += 1
        alarm = nil
        freeAt = freeAt.map { _ in trial.now }
        machine = NodeMachine(configuration: configuration, state: state, peers: peers, seed: trial.chance.next())
        trial.trace.note(trial.now, number, "start", state.number)
        give(.started)
        for liar in trial.liars { liar.meet(self) }
        deleteStrayEdits()
        return true
    }

    /// Checks that the database is whole, whatever happened to the process.
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

    /// Asks the node to stop; it is gone two seconds later.
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

    /// Kills the process.
    func crash() {
        guard machine != nil else { return }
        end()
        for session in trial.fabric.sessions(of: number) { trial.fabric.drop(session) }
        do { try home.kill() } catch { trial.noteStorage(error, at: self) }
    }

    /// Cuts the power.
    func cutPower(keeping share: Double) {
        let wasRunning = machine != nil
        end()
        for session in trial.fabric.sessions(of: number) { trial.fabric.abandon(session) }
        guard wasRunning else { return }
        do { try home.cutPower(keeping: share) } catch { trial.noteStorage(error, at: self) }
    }

    private func end() {
        measure()
        if let machine { spokenBefore.add(machine.spoken) }
        life += 1
        machine = nil
        run = nil
        freshSessions = [:]
        trial.trace.note(trial.now, number, "end")
    }
}
