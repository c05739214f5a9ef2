package import Entries

/// State machine of a whole node: events in, effects out.
///
/// A pure value without sockets, SQL, clock or system randomness: the same events at the same moments give the same
/// effects. Each event is handled in two steps: `note` records it, then `proceed` does everything that has become
/// possible, for every connection in the order in which they were opened.
package struct NodeMachine: Sendable {
    let configuration: NodeConfiguration
    let store: StoreID
    /// Change numbers that each of this store's ids gave out: they tell whether a peer's cursor is known
    /// (`protocol/sync.md` §1).
    let ranges: [StoreIDRange]

    var now = Moment(monotonicMilliseconds: 0, wallMilliseconds: 0)
    /// Monotonic milliseconds of the current event; all deadlines are in this time. Not computed from `now`: to read
    /// that while a part of the machine is being changed would be another access to the whole of it.
    private(set) var time: UInt64 = 0
    var effects: [NodeEffect] = []

    var sessions = SessionTable<Session>()
    /// The links of sessions in which both sides have said Hello.
    var links = SessionTable<Link>()
    /// All sessions, in the order in which they were opened.
    var order: [SessionID] = []
    /// Sessions closed by this side whose `closed` event has not come.
    var closing: Set<SessionID> = []
    /// Sessions that rest: `proceed` skips them until something changes for them.
    var rests = Rests()
    private(set) var ready = ReadyPeers()

    var frontier: Frontier {
        didSet { rests.end() }
    }
    /// End of the pending entries: those proven beyond a log's frontier item (`protocol/sync.md` §1).
    var pendingEnds: [LogID: UInt64]
    var requests: Requests
    var bodies: BodyRequests
    /// The logs' gaps, and who is asked to fill them.
    var gaps: GapRequests
    var droppedLogs = DroppedLogs()
    var substituteTries = SubstituteTries()
    /// When overdue answers are looked for next.
    var overdueLookAt: UInt64 = 0
    var quotas: Quotas
    /// Quotas for words, that is, settlements and fork evidence, apart from those for entries: a device that floods its
    /// log does not delay the root key's settlement of it, nor does the evidence that such a device causes.
    var wordQuotas: [WordQueue.Kind: Quotas]
    var delayed = DelayedWants()
    var writers = Writers()
    var pipeline = Pipeline()
    var gossip = Gossip()
    /// Logs that were announced and may still come by a push.
    var awaited = AwaitedPushes()
    var own: OwnLog?
    /// Own log whose unpublished entries differ from what a peer proved: nothing more of it is taken
    /// (`protocol/own-log.md` §4).
    var setAside: Set<LogID>
    var standings: Standings
    var wordQueue = WordQueue()
    /// Logs left out until the next start, since the store failed to read or store them.
    var leftOut: Set<LogID> = []
    var forgotten = Forgotten()
    var ownScope: OwnScope
    var cursors: PeerCursors
    /// Local changes stored while a transaction was under way: they are applied with its report, in the order of change
    /// numbers.
    var appended: [LocalChange] = []
    var peers: PeerBook
    var dialSchedule = DialSchedule()
    /// When a link is next asked for addresses again.
    var peersRenewalAt: UInt64 = 0

    /// Bytes of all sessions that are queued for the network or in an outbox.
    var waitingBytes = 0
    /// Size of the own log in the frontier when the store last answered a peer's question with more; nil: no question
    /// waits for the frontier to catch up.
    var earlySize: UInt64?
    /// Open reads of the store for what peers want.
    var readTurns = ReadTurns()

    /// Messages that were sent, by type.
    package private(set) var spoken = SpokenMessages()

    /// The first list for peers without a known cursor, kept while it is fresh.
    var wholeList: WholeList?

    var phase = Phase.waiting
    var questions = StoreQuestions()
    var wokenAt: UInt64?

    enum Phase: Hashable {
        case waiting
        case running
        case stopping
    }

    /// Begins with the store's state at the start of the process, the listed peers and those learned earlier, the
    /// scope, and a seed drawn from the system's randomness.
    package init(
        configuration: NodeConfiguration,
        state: StoreState,
        peers: [PeerTarget],
        scope: Scope = .everything,
        seed: UInt64
    ) {
        self.configuration = configuration
        store = state.store
        ranges = state.ranges
        var frontier = Frontier(state.frontier, number: state.number, secret: seed)
        ownScope = OwnScope(scope, part: frontier.open(scope))
        self.frontier = frontier
        pendingEnds = Dictionary(state.pending.map { ($0.log, $0.size) }, uniquingKeysWith: max)
        requests = Requests(durable: state.wants, now: 0, bounds: configuration.bounds)
        let quotas = Quotas(configuration.bounds)
        self.quotas = quotas
        wordQuotas = [.settlement: quotas, .evidence: quotas]
        bodies = BodyRequests(state.wantedBodies) { [frontier] in frontier.log($0.log).map(frontier.owner) }
        gaps = GapRequests(state.gaps)
        own = state.own.map(OwnLog.init)
        // An earlier version set aside others' logs too; those are compared now (`protocol/sync.md` §9).
        setAside = Set(state.setAside.filter { $0 == state.own?.log })
        standings = Standings(state.standings)
        cursors = PeerCursors(state.cursors)
        self.peers = PeerBook(peers, chance: Chance(seed: seed))
    }

    /// Handles one event, and returns the effects in the order in which they are to be performed.
    package mutating func received(_ event: NodeEvent, at moment: Moment) -> [NodeEffect] {
        now = moment
        time = moment.monotonicMilliseconds
        note(event)
        proceed()
        let done = effects
        effects = []
        return done
    }

    /// Whether no session, no batch and no check is open: after `stop`, the process may end.
    package var isIdle: Bool {
        sessions.isEmpty && closing.isEmpty && pipeline.isIdle && pipeline.forming.batch.isEmpty && wordQueue.isIdle
    }

    /// Whether `started` was handled: before it nobody is dialled, so an empty list of sessions means nothing.
    package var hasBegun: Bool { phase != .waiting }

    /// Whether own entries may be sent as soon as they are written (`protocol/own-log.md` §2).
    package var ownLogIsCleared: Bool { own?.mayLeave ?? false }

    /// Largest size of the own log that a peer reported since the start; nil: none has answered.
    package var ownLogShown: UInt64? { own?.shown }

    /// Hands an event to the part of the machine that it concerns.
    private mutating func note(_ event: NodeEvent) {
        switch event {
        case .started: start()
        case .opened(let session, let direction, let ephemeral): open(session, direction, ephemeral: ephemeral)
        case .received(let session, let bytes, let extent):
            take(bytes, from: session)
            read(session, extent)
        case .readOn(let session): read(session, .inTurns)
        case .sent(let session, let bytes): sent(bytes, on: session)
        case .closed(let session): closed(session)
        case .dialFailed(let dial, let failure): dialFailed(dial, failure)
        case .timer: wokenAt = nil
        case .verified(let batch, let outcomes): verified(batch, outcomes)
        case .taken(let batch, let report, let microseconds): taken(batch, report, microseconds: microseconds)
        case .verifyFailed(let batch, let failure): verifyFailed(batch, failure)
        case .takeFailed(let batch, let failure): takeFailed(batch, failure)
        case .ranges(let request, let answers): answered(request, ranges: answers)
        case .prefix(let request, let nodes): answered(request, prefix: nodes)
        case .bodies(let request, let answers): answered(request, bodies: answers)
        case .prefixProof(let request, let proof): answered(request, proof: proof)
        case .nodes(let request, let nodes): answered(request, nodes: nodes)
        case .prefixWeighed(let request, let weight): answered(request, weight: weight)
        case .wordsChecked(let request, let outcomes): answered(request, words: outcomes)
        case .readFailed(let request): readFailed(request)
        case .appended(let append): takeLocal(.appended(append, .own))
        case .published(let append): takeLocal(.appended(append, .published))
        case .released(let size):
            own?.released(size)
            announceOwn()
        case .brought(let appends):
            for append in appends { takeLocal(.appended(append, .others)) }
        case .imported(let report): imported(report)
        case .settled(let report): imported(ImportReport(report: report, bodies: [], own: nil))
        case .peersChanged(let targets): peersChanged(targets)
        case .found(let address):
            if peers.find(address, now: time) { dialSchedule.invalidate() }
        case .scopeChanged(let scope): carry(scope)
        case .hurry:
            peers.hurry()
            dialSchedule.invalidate()
        case .stop: stop()
        }
    }

    private mutating func start() {
        if phase == .waiting { phase = .running }
        dialSchedule.invalidate()
    }

    /// Does everything that has become possible, for every session that does not rest.
    private mutating func proceed() {
        awaken()
        meetDeadlines()
        changeScope()
        retryPatientWants()
        resumeEarly()
        awaken()
        for session in order where isAwake(session) {
            guard links.contains(session) else { continue }
            announce(to: session)
            ask(session)
            askBodies(session)
            askGaps(session)
            serve(session)
            answerPage(session)
            refund(session)
        }
        readOn()
        gossip.removeAll()
        checkWords()
        beginTake()
        // Behind `beginTake`: the transaction that has begun makes room for the next.
        if let batch = pipeline.nextVerification(now: time) { effects.append(.verify(batch)) }
        for session in order where isAwake(session) && links.contains(session) { keepPeace(session) }
        dial()
        for session in order where isAwake(session) { flush(session) }
        setAlarm()
    }

    /// Counts the ready peers anew when a link begins or ends.
    mutating func updateReady() {
        ready = ReadyPeers(links, in: order)
    }

    /// Seals and sends what this event put in a session's outbox.
    mutating func flush(_ id: SessionID) {
        guard let frames = sessions[id]?.outbox, !frames.isEmpty else { return }
        waitingBytes -= sessions[id]?.outboxBytes ?? 0
        sessions[id]?.outbox = []
        sessions[id]?.outboxBytes = 0
        // A channel may have failed behind messages that are still unread: nothing more can be sent on it
        // (`protocol/channel.md` §3).
        guard sessions[id]?.channel.isOpen == true, let bytes = sessions[id]?.channel.seal(frames) else { return }
        transmit(id, bytes)
    }

    /// Sends bytes that are sealed already, or belong to the handshake.
    mutating func transmit(_ id: SessionID, _ bytes: [UInt8]) {
        guard sessions.contains(id) else { return }
        if sessions[id]?.queuedBytes == 0 { sessions[id]?.sentAt = time }
        sessions[id]?.queuedBytes += bytes.count
        waitingBytes += bytes.count
        sessions[id]?.bytesSent += UInt64(bytes.count)
        effects.append(.send(id, bytes))
    }

    /// Notes that bytes of a session have left its queue for the network.
    private mutating func sent(_ bytes: Int, on id: SessionID) {
        guard sessions.contains(id) else { return }
        sessions[id]?.queuedBytes -= bytes
        sessions[id]?.sentAt = time
        waitingBytes -= bytes
    }

    /// Puts a message into the outbox.
    mutating func send(_ message: Message, to id: SessionID) {
        send(message.frame, to: id)
        if !message.isIdle { links[id]?.calm.disturb(now: time) }
    }

    mutating func send(_ frame: Frame, to id: SessionID) {
        guard sessions.contains(id) else { return }
        spoken.count(frame)
        waitingBytes += Int(frame.creditBytes)
        sessions[id]?.outbox.append(frame)
        sessions[id]?.outboxBytes += Int(frame.creditBytes)
    }

    /// Whether another page or chunk may be made for a peer: its queue is below the limit.
    func hasRoom(_ id: SessionID) -> Bool { room(id) > 0 }

    /// Bytes left in a peer's queue; a message begun while any are left may exceed them.
    func room(_ id: SessionID) -> Int {
        guard let waiting = sessions[id]?.waitingBytes else { return 0 }
        return (isCrowded ? Limits.queueCrowdedBytes : Limits.queueSoftBytes) - waiting
    }

    /// Whether so many bytes are queued for all peers together that each gets the smaller queue limit.
    var isCrowded: Bool { waitingBytes >= Limits.queueCrowdBytes }

    /// End of a log, stored or about to be: requests begin there (of the settled history where that is fetched beside
    /// another).
    func held(_ log: LogID) -> UInt64 {
        if let tip = pipeline.tip(log) { return tip }
        return standings[log]?.standing.side ?? stored(log)
    }

    /// End of what is stored of a log, pending entries included; of the history that is held, not of one fetched beside
    /// it.
    func stored(_ log: LogID) -> UInt64 { max(pendingEnds[log] ?? 0, frontier.size(of: log)) }

    /// Size of a log under complete heads, stored or about to be.
    func complete(_ log: LogID) -> UInt64 {
        // Beside the settled history another one may be held, of any size.
        if let side = standings[log]?.standing.side { return max(pipeline.complete(log), side) }
        return max(pipeline.complete(log), frontier.size(of: log))
    }

    /// The own log's index in the frontier while it is withheld (`protocol/own-log.md` §1); nil: it is not.
    var withheld: UInt32? {
        guard let own, own.isWithheld else { return nil }
        return frontier.log(own.log)
    }
}
