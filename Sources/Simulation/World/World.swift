package import Entries
internal import Sodium
package import Sync

/// A virtual network of nodes in virtual time: it performs the effects that a real host performs, without sockets or
/// threads.
package final class World {
    package let network: NetworkID
    package let options: WorldOptions
    package private(set) var now: UInt64 = 1
    package private(set) var nodes: [WorldNode] = []
    package private(set) var trace: [String] = []
    /// Addresses at which the caller answers.
    package var playedAddresses: Set<PeerAddress> = []
    /// The ends of the connections to them, in the order of the calls.
    package private(set) var playedSessions: [SessionID] = []
    /// Modified by this type and its extensions only.
    var wires = WorldWires()

    private var agenda = Agenda<Happening>()
    private var chance: Chance

    enum Happening {
        case event(Int, WorldNode.Life, NodeEvent)
        case arrival(SessionID, [UInt8])
        case hangUp(SessionID)
        case alarm(Int, WorldNode.Life, UInt64)
        case call(Int, WorldNode.Life, DialID, PeerTarget)
        case work(Int, WorldNode.Life, NodeEffect)
    }

    package init(network: NetworkID = NetworkID(name: "simulation"), _ options: WorldOptions) {
        self.network = network
        self.options = options
        chance = Chance(seed: options.seed)
    }

    /// A copy of the world at this moment, over copies of the nodes' stores; the two then run independently.
    package init(copying other: World, stores: [any WorldStore]) {
        precondition(stores.count == other.nodes.count, "each node has a store")
        network = other.network
        options = other.options
        now = other.now
        nodes = zip(other.nodes, stores).map { $0.over($1) }
        trace = other.trace
        agenda = other.agenda
        chance = other.chance
        wires = other.wires
    }

    // MARK: Nodes

    /// Adds a stopped node and returns its index; `address(of:)` gives its address. With `twin` it has the key of that
    /// node.
    package func add(
        _ store: any WorldStore,
        peers: [PeerTarget] = [],
        exchange: NodeConfiguration.PeerExchange = .on,
        version: UInt32? = nil,
        features: Set<UInt32>? = nil,
        identity: IdentityID? = nil,
        eagerLinks: Int = Limits.eagerLinksCount,
        twin: Int? = nil
    ) -> Int {
        let place = nodes.count
        let key = AgreementKey.seeded(options.seed, "node \(twin ?? place)")
        nodes.append(
            WorldNode(
                place: place,
                configuration: NodeConfiguration(
                    network: network,
                    key: key,
                    agent: "simulated",
                    listenPort: Self.address(of: place).port,
                    exchange: exchange,
                    version: version,
                    features: features,
                    identity: identity,
                    eagerLinks: eagerLinks
                ),
                store: store,
                peers: peers
            )
        )
        return place
    }

    package static func address(of node: Int) -> PeerAddress {
        PeerAddress(host: "node\(node)", port: 7_000)
    }

    package static func target(_ node: Int) -> PeerTarget {
        PeerTarget(address: address(of: node), node: nil, origin: .listed)
    }

    package func id(_ node: Int) -> NodeID { nodes[node].configuration.node }

    /// Starts or restarts a node's process from the state of its store.
    package func start(_ node: Int) throws {
        guard let run = StoreID(Author.bytes(draw(), "store").bytes.prefix(StoreID.count)) else { return }
        let state = try nodes[node].store.begin(run)
        nodes[node].start(state, seed: draw())
        give(node, .started)
    }

    /// Kills a node's process: its pending work and timers are dropped, and its connections close.
    package func kill(_ node: Int) {
        nodes[node].kill()
        for session in wires.sessions(of: node) { hangUp(session) }
    }

    /// Delivers an event to a node now, and performs the effects.
    package func give(_ node: Int, _ event: NodeEvent) {
        note { "\(node) < \(describe(event))" }
        for effect in nodes[node].receive(event, at: moment) { perform(effect, for: node) }
    }

    /// The author on a node writes a post.
    package func write(_ text: String, on node: Int, by author: inout Author) throws {
        let append = try nodes[node].store.append(text, by: &author, at: moment.wallMilliseconds)
        give(node, .appended(append))
    }

    /// Changes a node's scope; a running node gets an event.
    package func carry(_ scope: Scope, on node: Int) {
        nodes[node].scope = scope
        if nodes[node].isRunning { give(node, .scopeChanged(scope)) }
    }

    package var moment: Moment {
        Moment(monotonicMilliseconds: now, wallMilliseconds: options.wallMilliseconds + now)
    }

    // MARK: Time

    /// Advances virtual time by this much and processes all events that fall due.
    package func run(milliseconds: UInt64) {
        let end = now + milliseconds
        while let moment = agenda.nextMoment, moment <= end {
            guard let (moment, item) = agenda.next() else { break }
            now = max(now, moment)
            happen(item)
        }
        now = end
    }

    /// Processes events until the condition holds; false if it does not within this much virtual time.
    package func run(until isReached: () -> Bool, withinMilliseconds limit: UInt64) -> Bool {
        let end = now + limit
        while !isReached() {
            guard let moment = agenda.nextMoment, moment <= end, let (moment, item) = agenda.next() else {
                return isReached()
            }
            now = max(now, moment)
            happen(item)
        }
        return true
    }

    /// Lets something happen at a time to come.
    func plan(_ item: Happening, at moment: UInt64) {
        agenda.plan(item, at: moment)
    }

    private func happen(_ item: Happening) {
        switch item {
        case .event(let node, let life, let event):
            if nodes[node].life == life { give(node, event) }
        case .arrival(let session, let bytes):
            deliver(bytes, to: session)
        case .hangUp(let session):
            close(session)
        case .alarm(let node, let life, let moment):
            if nodes[node].life == life, nodes[node].alarm == moment { give(node, .timer) }
        case .call(let node, let life, let dial, let target):
            if nodes[node].life == life { call(node, dial, target) }
        case .work(let node, let life, let effect):
            if nodes[node].life == life, let event = nodes[node].work(effect) { give(node, event) }
        }
    }

    // MARK: Effects

    private func perform(_ effect: NodeEffect, for node: Int) {
        note { "\(node) > \(describe(effect))" }
        let life = nodes[node].life
        switch effect {
        case .send(let session, let bytes):
            transmit(bytes, from: session)
        case .close(let session):
            hangUp(session)
        case .dial(let dial, let target):
            plan(.call(node, life, dial, target), at: now + drawLatency())
        case .verify, .take, .readRanges, .readPrefix, .readPrefixProof, .readNodes, .weighPrefix, .checkWords,
            .readBodies:
            plan(.work(node, life, effect), at: now + draw(options.workMilliseconds))
        case .wake(let moment):
            nodes[node].alarm = moment
            plan(.alarm(node, life, moment), at: moment)
        case .report, .learnPeers, .pin:
            nodes[node].remember(effect)
        }
    }

    private func call(_ node: Int, _ dial: DialID, _ target: PeerTarget) {
        if playedAddresses.contains(target.address) {
            playedSessions.append(openRaw(from: node, dial))
            return
        }
        let callee = nodes.firstIndex { Self.address(of: $0.place) == target.address }
        guard let callee, nodes[callee].isRunning, !wires.isCut(node, callee) else {
            give(node, .dialFailed(dial, .refused))
            return
        }
        open(from: node, dial, to: callee)
    }

    // MARK: Chance

    private func draw() -> UInt64 { chance.next() }
    private func draw(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &chance) }
    func drawLatency() -> UInt64 { draw(options.latencyMilliseconds) }
    func drawKey() -> AgreementKey { .seeded(draw(), "ephemeral") }

    func drawPiece(_ count: Int) -> Int {
        switch options.chunking {
        case .whole: count
        case .pieces(let size): min(size, count)
        case .random(let limit): min(Int(draw(1...UInt64(limit))), count)
        }
    }

    private func note(_ line: () -> String) {
        if options.trace == .on { trace.append("\(now) \(line())") }
    }
}
