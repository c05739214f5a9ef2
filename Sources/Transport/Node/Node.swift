package import Entries
package import Logging
internal import NIOCore
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync

/// A running node: the one actor that holds the machine and performs its effects.
///
/// Every event goes through `handle`, which updates the machine synchronously and then performs the effects; neither
/// step waits. The actor runs on the event loop that reads and writes its sockets, since each thread hop costs a live
/// post some 40 µs; the store and the verifier have their own threads, but a batch of a few entries is verified here
/// (`TransportLimits.checkedAtOnceEntries`).
package actor Node {
    package nonisolated let home: Home
    package nonisolated let id: NodeID
    /// The bound listening address; nil if this node accepts no connections.
    package nonisolated let listening: BoundAddress?
    /// Start by the monotonic clock, in milliseconds.
    nonisolated let begunAt = SystemClock.monotonicMilliseconds
    /// The same by the wall clock, in Unix milliseconds, as it was told last.
    var startedAt = SystemClock.wallMilliseconds
    nonisolated let purpose: Purpose
    nonisolated let log: Logger
    nonisolated let work: StoreWork
    nonisolated let thread: LoopExecutor
    nonisolated let input = NodeInputs()
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
    var readingRate = ReadingRate()
    var known: KnownNodes
    /// Addresses learned from peers and not written yet; nil if all are.
    var learned: [PeerTarget]?
    var isLearningResting = false
    /// First-contact pins (address → node id) that the home's file may not have yet.
    var unwrittenPins: [PeerAddress: NodeID] = [:]
    var isPinning = false
    private var followUp = FollowUp.anything
    var alarm = Alarm()
    var watchers: [Int: Watcher] = [:]
    var openRequests = 0
    /// Addresses that took the last call and did not answer as a node, or not at all.
    var unanswered: Set<PeerAddress> = []
    var toldFailure: StorageError?
    var strangerLines = StrangerLines()
    var hasToldReplacement = false
    var hasToldControl = false
    /// The file of the database that was removed or replaced while this node ran, which ended it; nil: none was.
    package private(set) var lostDatabase: String?
    private var phase = Phase.waiting
    private var names = 0

    private var lock: HomeLock?
    private let listener: Listener?
    var control: ControlServer?
    private let discovery: Discovery?
    private let dialling: NodeOptions.Dialling
    private let jobs: AsyncStream<Job>

    typealias Job = @Sendable () async -> Void

    /// What a node runs for.
    package enum Purpose: Sendable {
        /// Itself: until somebody ends it.
        case service
        /// One round of a command, which ends it.
        case round
    }

    /// What may still be handled in the same turn as the present event.
    private enum FollowUp {
        case anything
        case event(NodeEvent)
        case nothing
    }

    private enum Phase {
        /// Open, but not running yet.
        case waiting
        case running
        case stopping
        case stopped
    }

    /// Takes the home's lock, opens the store and binds the listener; accepts nobody before `run`.
    package static func open(
        _ home: Home,
        options: NodeOptions,
        log: Logger,
        for purpose: Purpose = .service
    ) async throws(NodeError) -> Node {
        Node(try await NodeParts(home, options: options), log: log, for: purpose)
    }

    private init(_ parts: NodeParts, log: Logger, for purpose: Purpose) {
        home = parts.home
        self.purpose = purpose
        id = NodeID(raw: parts.key.publicKey)
        listening = parts.listener?.address
        self.log = log
        thread = parts.thread
        (jobs, job) = AsyncStream.makeStream()
        ownLog = parts.keys.certificate?.log
        work = StoreWork(
            parts.store,
            network: parts.home.network,
            keys: parts.keys,
            cores: parts.cores,
            inputs: input,
            database: parts.database
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
        // Not on the node's thread: anybody on the local network may send many beacons, and nobody waits for them.
        discovery = parts.beacons.map { [listener = parts.listener] in
            Discovery($0, port: listener?.address.port, log: log, group: .singleton)
        }
        // From now on a command that finds no socket knows that there should be one.
        if control != nil, purpose == .service { parts.lock.note(.node) }
        if let stop = parts.stop {
            let isItself = parts.key.publicKey == parts.keys.node.publicKey
            // A copy that took the place of the original at its peers would keep it from them.
            let relay = isItself ? "" : "; it relays meanwhile under a node id of its own"
            log.error("\(stop.description)\(relay); scurry status says what to do")
        }
        Self.tell(parts.budgetOutcome, log)
        Self.tell(parts.openFiles.allowed, of: parts.openFiles.wanted, log)
        for line in parts.badLines { Self.tell(line, in: parts.home, log) }
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    nonisolated var loop: any EventLoop { thread.loop }

    deinit {
        // For a node that was opened and never run.
        listener?.close()
        control?.close()
    }

    /// Runs until `stop` or until the task is cancelled, which stops it the same way; returns at most
    /// `TransportLimits.stopMilliseconds` after that.
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

    /// Begins the shutdown, which sends Goodbye to every peer and lets `run` return; does not wait for it.
    package nonisolated func stop() {
        input.yield(.stop)
    }

    private func serve() async {
        work.start()
        // `scurry lock` may have run after the keys were read and before the control socket existed.
        readKeys()
        // Ends last: it resumes the callers whose request is still in the store's queue.
        let intake = Task(executorPreference: thread) { await self.takeInputs() }
        await withDiscardingTaskGroup { group in
            if let listener {
                group.addTask {
                    await listener.run { connection in
                        await self.run(connection, .incoming(host: connection.remoteHost))
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
        // A pin write that is still in flight has nobody left to report to: do not wait for it.
        isPinning = false
        writePins()
        await work.close()
        // Where the home is gone another one may lie by now, with a node of its own.
        if lostDatabase == nil { control?.remove() }
        lock = nil
        input.finish()
        await intake.value
    }

    private func takeInputs() async {
        while true {
            let next = await input.next()
            guard !next.isEmpty else { return }
            var end = NIODeadline.now() + LoopExecutor.slice
            for input in next {
                take(input)
                // The sockets wait meanwhile.
                guard NIODeadline.now() >= end else { continue }
                await Task.yield()
                end = NIODeadline.now() + LoopExecutor.slice
            }
        }
    }

    /// The only way into the machine: applies one event and performs its effects.
    func handle(_ event: NodeEvent) {
        apply(event)
        if case .event(let next) = followUp {
            followUp = .nothing
            apply(next)
        }
        followUp = .anything
        checkWatches()
        finishIfIdle()
    }

    private func apply(_ event: NodeEvent) {
        let effects = machine.received(event, at: SystemClock.now)
        for effect in effects { perform(effect) }
    }

    /// Takes the outcome of an effect that was performed at once: it follows the event's other effects, and further
    /// ones wait for a turn of their own, since the sockets wait meanwhile.
    func handleNext(_ event: NodeEvent) {
        guard case .anything = followUp else {
            input.yield(.event(event))
            return
        }
        followUp = .event(event)
    }

    /// Handles a beacon: a node of the local network announced its address.
    private func found(_ address: PeerAddress) {
        guard dialling != .none else { return }
        handle(.found(address))
    }

    /// Logs that the system closed the listening port while the node runs: nothing else would show it than the missing
    /// calls.
    private func listeningEnded(_ address: BoundAddress) {
        guard case .running = phase else { return }
        log.error("the system closed \(address.text): nobody can call this node before it is started again")
    }

    /// Begins the shutdown; further calls do nothing.
    func beginToStop() {
        guard case .running = phase else { return }
        phase = .stopping
        // A command that finds no socket any more waits for the end.
        lock?.note(.passing)
        // Before the connections close: otherwise a watcher could take their end for what it waits for.
        endWatches()
        listener?.close()
        let deadline = TimeAmount.milliseconds(Int64(TransportLimits.stopMilliseconds))
        loop.scheduleTask(in: deadline) { [job] in job.finish() }
        handle(.stop)
    }

    /// Ends this node, whose database was removed or replaced under it: nobody would see what it writes from now on.
    func databaseLost(_ path: String) {
        guard lostDatabase == nil else { return }
        lostDatabase = path
        // Nothing is put beside a database that is another one, or gone with its folder.
        learned = nil
        unwrittenPins = [:]
        beginToStop()
    }

    /// Counts a request in progress, for which a shutdown waits.
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

    /// Whether `run` was called; before that nobody was dialled, and the machine's status means nothing.
    var hasStarted: Bool {
        switch phase {
        case .waiting: false
        case .running, .stopping, .stopped: true
        }
    }

    /// Returns a number that is unique in this process: a session's id or a watcher's name.
    func nextName() -> Int {
        names += 1
        return names
    }
}
