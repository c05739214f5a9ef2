package import Entries
package import Logging
internal import NIOCore
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync

/// A running node: the one actor around the machine.
///
/// Every event goes through `handle`, which changes the machine at once and performs the effects afterwards; nothing in
/// it waits. It lives on the thread that reads and writes its sockets, since each change of threads costs a live post some
/// 40 µs; the store and the verifier have threads of their own.
package actor Node {
    package nonisolated let home: Home
    package nonisolated let id: NodeID
    /// Where this node can be called; nil if it cannot.
    package nonisolated let listening: BoundAddress?
    nonisolated let startedAt = SystemClock.wallMilliseconds
    nonisolated let log: Logger
    nonisolated let work: StoreWork
    nonisolated let thread: LoopExecutor
    nonisolated let input: AsyncStream<NodeInput>.Continuation
    nonisolated let job: AsyncStream<Job>.Continuation
    nonisolated let ownLog: LogID?
    nonisolated let identity: IdentityID?
    nonisolated let carry: Carrying
    nonisolated let budget: DiskBudget?
    nonisolated let program = RunningProgram()

    var machine: NodeMachine
    var carried: Carrying.Meaning
    var sessions: [SessionID: OpenSession] = [:]
    var totals = Traffic()
    var pace = ReadingPace()
    var known: KnownNodes
    /// Addresses heard from peers that are not written yet; nil: all are.
    var learned: [PeerTarget]?
    var isLearningResting = false
    /// Of these the file may not know yet.
    var unwrittenPins: [PeerAddress: NodeID] = [:]
    var isPinning = false
    var alarm = Alarm()
    var watchers: [Int: Watcher] = [:]
    var openRequests = 0
    var toldFailure: StorageError?
    var hasToldReplacement = false
    private var phase = Phase.waiting
    private var names = 0

    private var lock: HomeLock?
    private let listener: Listener?
    private let control: ControlServer?
    private let discovery: Discovery?
    private let dialling: NodeOptions.Dialling
    private let inputs: AsyncStream<NodeInput>
    private let jobs: AsyncStream<Job>

    typealias Job = @Sendable () async -> Void

    private enum Phase {
        /// Open, and not yet run.
        case waiting
        case running
        case stopping
        case stopped
    }

    /// Takes the home's lock, opens the store, and listens; nobody is served before `run`.
    package static func open(_ home: Home, options: NodeOptions, log: Logger) async throws(NodeError) -> Node {
        Node(try await NodeParts(home, options: options), log: log)
    }

    private init(_ parts: NodeParts, log: Logger) {
        home = parts.home
        id = NodeID(raw: parts.keys.node.publicKey)
        listening = parts.listener?.address
        self.log = log
        thread = parts.thread
        (inputs, input) = AsyncStream.makeStream()
        (jobs, job) = AsyncStream.makeStream()
        ownLog = parts.keys.certificate?.log
        work = StoreWork(
            parts.store,
            network: parts.home.network,
            keys: parts.keys,
            cores: parts.cores,
            inputs: input
        )
        machine = parts.machine
        identity = parts.identity
        carry = parts.carry
        budget = parts.budget
        carried = parts.carried
        known = parts.known
        lock = parts.lock
        listener = parts.listener
        control = parts.control
        dialling = parts.dialling
        // Of a local network anybody may say much, and nobody waits for what it says.
        discovery = parts.beacons.map { [listener = parts.listener] in
            Discovery($0, port: listener?.address.port, log: log, group: .singleton)
        }
        if let stop = parts.stop { log.error("\(stop.description); scurry status says what to do") }
        Self.tell(parts.budgetOutcome, log)
        for line in parts.badLines { Self.tell(line, in: parts.home, log) }
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    nonisolated var loop: any EventLoop { thread.loop }

    deinit {
        // For a node that was opened and never run.
        listener?.close()
        control?.close()
    }

    /// Runs until `stop`, or until the task is cancelled, which stops it the same way; ends within
    /// `TransportLimits.stopMilliseconds`.
    package func run() async {
        guard case .waiting = phase else { return }
        phase = .running
        let body = Task(executorPreference: thread) { await self.serve() }
        await withTaskCancellationHandler {
            await body.value
        } onCancel: {
            stop()
        }
    }

    /// Says goodbye to everybody and lets `run` end; returns at once.
    package nonisolated func stop() {
        input.yield(.stop)
    }

    private func serve() async {
        work.start()
        // A `lock` between reading the keys and making the control socket found no node to tell.
        readKeys()
        // Outlives everything else: whoever waits for an own entry is answered from here.
        let intake = Task(executorPreference: thread) { await self.takeInputs() }
        await withDiscardingTaskGroup { group in
            if let listener {
                group.addTask {
                    await listener.run { connection in
                        await self.carry(connection, .incoming(host: connection.remoteHost))
                    } ended: {
                        await self.listeningEnded(listener.address)
                    }
                }
            }
            if let control {
                group.addTask { await control.run { await self.answer($0) } }
            }
            if let discovery {
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    await discovery.run { await self.found($0) }
                }
            }
            tellCarried()
            handle(.started)
            work.deleteStrayEdits(publication)
            group.addTask { await self.keepHouse() }
            for await next in jobs { group.addTask(operation: next) }
            phase = .stopped
            group.cancelAll()
        }
        alarm.cancel()
        writeLearned()
        // Whatever became of the last time: nobody may be left to be told.
        isPinning = false
        writePins()
        await work.close()
        control?.remove()
        lock = nil
        input.finish()
        await intake.value
    }

    private func takeInputs() async {
        for await next in inputs { take(next) }
    }

    /// The machine's turn: the one way in which anything happens to this node.
    func handle(_ event: NodeEvent) {
        let effects = machine.received(event, at: SystemClock.now)
        for effect in effects { perform(effect) }
        checkWatches()
        finishIfIdle()
    }

    /// A neighbour says where it can be called.
    private func found(_ address: PeerAddress) {
        guard dialling != .none else { return }
        handle(.found(address))
    }

    /// The port is closed: told where nobody here wished it, since all that would show it is that no more calls come.
    private func listeningEnded(_ address: BoundAddress) {
        guard case .running = phase else { return }
        log.error("the system closed \(address.text): nobody can call this node before it is started again")
    }

    /// Begins to stop; a second time it changes nothing.
    func beginToStop() {
        guard case .running = phase else { return }
        phase = .stopping
        // Before the connections go: their end is not what was waited for.
        endWatches()
        listener?.close()
        let deadline = TimeAmount.milliseconds(Int64(TransportLimits.stopMilliseconds))
        loop.scheduleTask(in: deadline) { [job] in job.finish() }
        handle(.stop)
    }

    /// One more request is under way: a stopping node waits for it.
    func requestBegan() {
        openRequests += 1
    }

    func requestEnded() {
        openRequests -= 1
        finishIfIdle()
    }

    /// A stopping node ends once nothing is under way.
    private func finishIfIdle() {
        if case .stopping = phase, machine.isIdle, openRequests == 0 { job.finish() }
    }

    var isEnding: Bool {
        switch phase {
        case .waiting, .running: false
        case .stopping, .stopped: true
        }
    }

    var isStopped: Bool {
        switch phase {
        case .waiting, .running, .stopping: false
        case .stopped: true
        }
    }

    /// Whether what the machine says of itself means anything: before `run` nobody was dialled.
    var hasStarted: Bool {
        switch phase {
        case .waiting: false
        case .running, .stopping, .stopped: true
        }
    }

    /// A number that was not used before in this process.
    func nextName() -> Int {
        names += 1
        return names
    }
}
