package import Entries

/// A whole node without its surroundings: events in, effects out.
///
/// A pure value: no socket, no SQL, no clock and no chance; the same events at the same moments give the same effects.
/// One event is handled in two steps: what it says is noted, then everything that has become possible is done, for
/// every connection in the order in which they were opened (`settle`).
package struct NodeMachine: Sendable {
    let configuration: NodeConfiguration
    let store: StoreID
    /// Runs of this store, by which peers' cursors are understood.
    let ranges: [StoreIDRange]

    var now = Moment(monotonicMilliseconds: 0, wallMilliseconds: 0)
    /// Monotonic milliseconds: what deadlines are reckoned by.
    var time: UInt64 = 0
    var effects: [NodeEffect] = []

    var sessions = SessionTable<Session>()
    /// Of the sessions that have said Hello.
    var links = SessionTable<Link>()
    /// Sessions, in the order in which they were opened.
    var order: [SessionID] = []
    /// Closed by this side; their end is awaited.
    var closing: Set<SessionID> = []
    /// Which sessions need not be looked at.
    var rests = Rests()
    /// The peers that have said Hello, in that order; and of them those that know of windows.
    private(set) var ready: [NodeID] = []
    private(set) var readyForGaps: [NodeID] = []
    /// What part of the frontier is spoken of with those with which it is not all of it.
    private(set) var readyParts: [NodeID: PartID] = [:]

    var frontier: Frontier {
        didSet { rests.end() }
    }
    /// Logs that hold proven entries beyond their item, and how far they reach.
    var pendingEnds: [LogID: UInt64]
    var requests: Requests
    var bodies: BodyRequests
    /// What was left out of logs.
    var gaps: GapRequests
    /// Logs of which something was let go of since the start, and how they are asked for.
    var released: [LogID: Release] = [:]
    var substituteTries = SubstituteTries()
    /// When is looked again for what peers have owed for too long.
    var overdueLookAt: UInt64 = 0
    var quotas: Quotas
    /// What is said of logs, apart from what is in them: whoever has a device and floods its log does not delay the root
    /// key's word about it, nor does what such a device makes others prove.
    var wordQuotas: [VerdictQueue.Kind: Quotas]
    /// Logs that wait for their identity's quota, and whom they are to be asked of.
    var delayed: [DelayedWant] = []
    /// No delay ends before this.
    var delayedUntil: UInt64 = .max
    var writers = Writers()
    var pipeline = Pipeline()
    var gossip = Gossip()
    /// Logs that were named, and may come by a push.
    var awaited = AwaitedPushes()
    var own: OwnLog?
    /// Logs of which nothing is taken: what was written here and never left stands against what did.
    var setAside: Set<LogID>
    var standings: Standings
    var verdicts = VerdictQueue()
    /// Logs of which the store could not read something since the start.
    var leftOut: Set<LogID> = []
    var forgotten = Forgotten()
    /// What this node carries, and the part of the frontier that is in it; nil: all.
    var scope: Scope
    var scopePart: PartID?
    /// What it is to carry, once that may change again.
    var wantedScope: Scope?
    var scopeOpensAt: UInt64 = 0
    /// Logs of identities that are not carried, of which nothing else is known here.
    var outside = Forgotten()
    var cursors: PeerCursors
    var cursorsSavedAt: UInt64 = 0
    /// What was stored without a peer while a transaction was under way: changes are told in the order of their numbers.
    var appended: [Local] = []
    var peers: PeerBook

    /// When is looked next for a link to ask again for addresses.
    var peersRenewalAt: UInt64 = 0
    /// Whom to dial may be another question than at the last event.
    var arePeersChanged = true
    var nextDialAt: UInt64 = .max

    /// What waits for the network, or for the end of this event, of all sessions.
    var waitingBytes = 0
    /// What was told of the own log when the store last answered with more than that; nil: nothing waits for it.
    var earlySize: UInt64?
    /// The questions to the store about what peers want.
    var readTurns = ReadTurns()

    /// Messages that were sent, by type.
    package private(set) var spoken = SpokenMessages()

    /// What strangers are told, as long as it is fresh.
    var wholeList: WholeList?

    var phase = Phase.waiting
    var nextRequest: UInt64 = 1
    var wokenAt: UInt64?

    enum Phase: Hashable {
        case waiting
        case running
        case stopping
    }

    struct DelayedWant {
        let due: UInt64
        let session: SessionID
        let log: LogID
    }

    /// Takes what the store held when the process began (`state`), the peers that are listed and those learned earlier,
    /// what is carried, and a seed from the system's chance, on which jitter alone depends.
    package init(
        configuration: NodeConfiguration,
        state: StoreState,
        peers: [PeerTarget],
        scope: Scope = .everything,
        seed: UInt64
    ) {
        self.configuration = configuration
        self.scope = scope
        store = state.store
        ranges = state.ranges
        var frontier = Frontier(state.frontier, number: state.number, secret: seed)
        scopePart = frontier.open(scope)
        self.frontier = frontier
        pendingEnds = Dictionary(state.pending.map { ($0.log, $0.size) }, uniquingKeysWith: max)
        requests = Requests(durable: state.wants, now: 0, bounds: configuration.bounds)
        let quotas = Quotas(configuration.bounds)
        self.quotas = quotas
        wordQuotas = [.settlement: quotas, .evidence: quotas]
        bodies = BodyRequests(state.wantedBodies) { [frontier] in frontier.log($0.log).map(frontier.owner) }
        gaps = GapRequests(state.gaps)
        own = state.own.map(OwnLog.init)
        // What an earlier version set aside of others' logs is compared now.
        setAside = Set(state.setAside.filter { $0 == state.own?.log })
        standings = Standings(state.standings)
        cursors = PeerCursors(state.cursors)
        self.peers = PeerBook(peers, chance: Chance(seed: seed))
    }

    package mutating func received(_ event: NodeEvent, at moment: Moment) -> [NodeEffect] {
        now = moment
        time = moment.monotonicMilliseconds
        note(event)
        settle()
        let done = effects
        effects = []
        return done
    }

    /// No session, no batch and no question is open: after `stop`, the process may end.
    package var isIdle: Bool {
        sessions.isEmpty && closing.isEmpty && pipeline.isIdle && pipeline.forming.batch.isEmpty && verdicts.isIdle
    }

    /// Whom to call was looked at: before that nobody is called yet, and nothing follows from it.
    package var hasBegun: Bool { phase != .waiting }

    /// The own log may leave this home as soon as it is written.
    package var ownLogIsCleared: Bool { own?.mayLeave ?? false }

    /// The most of the own log that a peer of this start said to hold; nil: nobody answered.
    package var ownLogShown: UInt64? { own?.shown }

    private mutating func note(_ event: NodeEvent) {
        switch event {
        case .started:
            if phase == .waiting { phase = .running }
            arePeersChanged = true
        case .opened(let session, let direction, let ephemeral):
            open(session, direction, ephemeral: ephemeral)
        case .received(let session, let bytes, let reading):
            take(bytes, from: session)
            read(session, reading)
        case .readOn(let session):
            read(session, .inTurns)
        case .sent(let session, let bytes):
            guard sessions.contains(session) else { break }
            sessions[session]?.queuedBytes -= bytes
            sessions[session]?.sentAt = time
            waitingBytes -= bytes
        case .closed(let session):
            if closing.remove(session) == nil { end(session, .closedByPeer) }
        case .dialFailed(let dial, let failure):
            arePeersChanged = true
            if let (address, delay) = peers.failed(dial, failure, now: time) {
                effects.append(.report(.dialFailed(address, failure, retryInMilliseconds: delay)))
            }
        case .timer:
            wokenAt = nil
        case .verified(let batch, let outcomes):
            verified(batch, outcomes)
        case .taken(let batch, let report, let microseconds):
            taken(batch, report, microseconds: microseconds)
        case .verifyFailed(let batch, let failure):
            verifyFailed(batch, failure)
        case .takeFailed(let batch, let failure):
            takeFailed(batch, failure)
        case .ranges(let request, let answers):
            answered(request, ranges: answers)
        case .prefix(let request, let nodes):
            answered(request, prefix: nodes)
        case .bodies(let request, let answers):
            answered(request, bodies: answers)
        case .prefixProof(let request, let proof):
            answered(request, proof: proof)
        case .nodes(let request, let nodes):
            answered(request, nodes: nodes)
        case .prefixWeighed(let request, let weight):
            weighed(request, weight)
        case .judged(let request, let outcomes):
            judged(request, outcomes)
        case .readFailed(let request):
            readFailed(request)
        case .appended(let append):
            takeLocal(.own(append))
        case .published(let append):
            takeLocal(.published(append))
        case .released(let size):
            own?.released(size)
            announceOwn()
        case .brought(let appends):
            for append in appends { takeLocal(.brought(append)) }
        case .imported(let report):
            imported(report)
        case .settled(let report):
            imported(ImportReport(report: report, bodies: [], own: nil))
        case .peersChanged(let targets):
            for id in peers.list(targets) { close(id, .stopping, reason: .removed) }
            for id in order { if let node = links[id]?.node { links[id]?.isListed = peers.isListed(node) } }
            arePeersChanged = true
        case .found(let address):
            if peers.find(address, now: time) { arePeersChanged = true }
        case .scopeChanged(let scope):
            carry(scope)
        case .hurry:
            peers.hurry()
            arePeersChanged = true
        case .stop:
            stop()
        }
    }

    /// Does what has become possible, for every session that does not rest.
    private mutating func settle() {
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
        checkVerdicts()
        beginTake()
        // The transaction that has begun makes room for the next.
        if let batch = pipeline.nextVerification(now: time) { effects.append(.verify(batch)) }
        for session in order where isAwake(session) && links.contains(session) { keepPeace(session) }
        dial()
        for session in order where isAwake(session) { flush(session) }
        setAlarm()
    }

    /// A session has said Hello, or is over.
    mutating func countReady() {
        ready = order.compactMap { links[$0]?.node }
        readyParts = Dictionary(
            order.compactMap { id in links[id].flatMap { link in link.part.map { (link.node, $0) } } },
            uniquingKeysWith: { $1 }
        )
        readyForGaps = order.compactMap { links[$0]?.windows == .spoken ? links[$0]?.node : nil }
    }

    /// Seals what this event put in a session's outbox.
    mutating func flush(_ id: SessionID) {
        guard let frames = sessions[id]?.outbox, !frames.isEmpty else { return }
        waitingBytes -= sessions[id]?.outboxBytes ?? 0
        sessions[id]?.outbox = []
        sessions[id]?.outboxBytes = 0
        // One that broke off behind what is not looked at yet carries nothing more (`protocol/channel.md §3`).
        guard sessions[id]?.channel.isOpen == true, let bytes = sessions[id]?.channel.seal(frames) else { return }
        transmit(id, bytes)
    }

    mutating func transmit(_ id: SessionID, _ bytes: [UInt8]) {
        guard sessions.contains(id) else { return }
        if sessions[id]?.queuedBytes == 0 { sessions[id]?.sentAt = time }
        sessions[id]?.queuedBytes += bytes.count
        waitingBytes += bytes.count
        sessions[id]?.bytesSent += UInt64(bytes.count)
        effects.append(.send(id, bytes))
    }

    /// Puts a message into the outbox; whatever is not about peace itself ends the peace.
    mutating func send(_ message: Message, to id: SessionID) {
        send(message.frame, to: id)
        switch message {
        case .keepAlive, .credit, .goodbye, .peers, .peersWanted, .hello, .branch: break
        case .ownLog, .changes, .want, .chunks, .prefixWanted, .prefix, .bodiesWanted, .bodies, .compare, .comparison,
            .reconcile, .itemsWanted, .items, .nodesWanted, .nodes:
            links[id]?.calm.disturb(now: time)
        }
    }

    mutating func send(_ frame: Frame, to id: SessionID) {
        guard sessions.contains(id) else { return }
        spoken.count(frame)
        waitingBytes += Int(frame.creditBytes)
        sessions[id]?.outbox.append(frame)
        sessions[id]?.outboxBytes += Int(frame.creditBytes)
    }

    /// Whether anything more is made for a peer: less waits for the network than a slow reader is allowed.
    func hasRoom(_ id: SessionID) -> Bool { room(id) > 0 }

    /// Bytes that may yet be made for a peer; what is begun below that may go beyond it.
    func room(_ id: SessionID) -> Int {
        guard let waiting = sessions[id]?.waitingBytes else { return 0 }
        return (isCrowded ? Limits.queueCrowdedBytes : Limits.queueSoftBytes) - waiting
    }

    /// So much waits for all peers together that each has little room.
    var isCrowded: Bool { waitingBytes >= Limits.queueCrowdBytes }

    mutating func drawRequest() -> RequestID {
        defer { nextRequest += 1 }
        return RequestID(raw: nextRequest)
    }

    /// How much of a log is here or about to be stored: what is asked for begins there.
    func held(_ log: LogID) -> UInt64 {
        if let tip = pipeline.tip(log) { return tip }
        return standings[log]?.standing.side ?? stored(log)
    }

    /// How much of a log is stored of the one history that is.
    func stored(_ log: LogID) -> UInt64 { max(pendingEnds[log] ?? 0, frontier.size(of: log)) }

    /// How much of a log is here, or about to be stored, under heads that are complete.
    func complete(_ log: LogID) -> UInt64 {
        // Of another history than the settled one any size may be here.
        if let side = standings[log]?.standing.side { return max(pipeline.complete(log), side) }
        return max(pipeline.complete(log), frontier.size(of: log))
    }

    /// The own log's number in the frontier, while nobody may see it.
    var withheld: UInt32? {
        guard let own, own.isWithheld else { return nil }
        return frontier.log(own.log)
    }
}
