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
    /// Every log that was ever written here.
    var logs: [LogID]
    /// Whether the person looks now and then, since the home went back.
    var isWatched = false
    package internal(set) var machine: NodeMachine?
    /// Counts the starts of the process: what belongs to an earlier one is lost.
    private(set) var life = 0
    /// What the wall clock is wrong by, milliseconds.
    package internal(set) var clockError: Int64 = 0
    /// When the person or the program that keeps this node up wants it on.
    var isWanted = true
    /// It has left for good: nobody starts it, and nobody writes here.
    var isGone = false
    var room = DiskRoom.unlimited
    var peers: [PeerTarget]
    var alarm: UInt64?
    /// Times in a row that it wanted to be woken at once.
    var spins = 0
    /// More than any pile of work takes: a guess.
    static let spinsCount = 5_000
    /// Transactions that brought cursors forward.
    var cursorCommits = 0
    /// Of so many one is looked at, as it costs two readings of a frontier; and one of so many in a long trial. Guesses.
    static let cursorLookCommits = 8
    static let cursorOftenCommits = 512
    /// Logs that its disk could not be read of for a time.
    var unreadable: Set<LogID> = []
    /// When each thread is free.
    var desks = [UInt64](repeating: 0, count: 3)
    let performer: WorkPerformer
    /// What waits for a moment of this node's: a crash or a power cut; and its departure.
    var ambush: Ambush?
    var farewell: Ambush?
    /// What is sent now that one of them waits for: own entries that nobody had before, or an answer.
    var freshMoment: AmbushMoment?
    /// Where such are on their way.
    var freshSessions: [AmbushMoment: Set<SessionID>] = [:]
    /// What peers ask it, while that is of interest.
    var asked: AskedLogs?
    /// Addresses that it may call now.
    var knownAddresses: Set<PeerAddress> { Set(machine?.status.targets.map(\.target.address) ?? []) }
    /// What it sent in earlier lives.
    private var spokenBefore = SpokenMessages()
    package internal(set) var peakLoad = NodeLoad()
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

    /// So small that liars reach them, and nobody else does: an endless writer's posts, a flood's names.
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

    /// Starts the node on what its disk holds; false if it cannot.
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
        desks = desks.map { _ in trial.now }
        machine = NodeMachine(configuration: configuration, state: state, peers: peers, seed: trial.chance.next())
        trial.trace.note(trial.now, number, "start", state.number)
        give(.started)
        for liar in trial.liars { liar.meet(self) }
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
        measure()
        if let machine { spokenBefore.add(machine.spoken) }
        life += 1
        machine = nil
        run = nil
        freshSessions = [:]
        trial.trace.note(trial.now, number, "end")
    }
}
