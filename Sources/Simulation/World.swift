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
    /// Total bytes that were sent on connections.
    package private(set) var wireBytes: UInt64 = 0

    private var agenda = Agenda<Happening>()
    private var chance: WorldChance
    private var wires: [SessionID: Wire] = [:]
    private var nextSession: UInt64 = 1
    private var cuts: Set<[Int]> = []

    /// One end of a connection.
    private struct Wire {
        /// Nil: the caller plays this end (`openRaw`).
        let node: Int?
        let other: SessionID
        var isOpen = true
        /// Arrival time of the last bytes sent from this end; later bytes do not overtake them.
        var busyUntil: UInt64 = 0
        var isReading = true
        /// Bytes that arrived and that this end has not read.
        var unread: [[UInt8]] = []
    }

    private enum Happening {
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
        chance = WorldChance(seed: options.seed)
    }

    /// A copy of the world at this moment, over copies of the nodes' stores; the two then run independently.
    package init(copying other: World, stores: [any WorldStore]) {
        precondition(stores.count == other.nodes.count, "each node has a store")
        network = other.network
        options = other.options
        now = other.now
        nodes = zip(other.nodes, stores).map { $0.over($1) }
        trace = other.trace
        wireBytes = other.wireBytes
        agenda = other.agenda
        chance = other.chance
        wires = other.wires
        nextSession = other.nextSession
        cuts = other.cuts
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
        for session in wires.keys.sorted() where wires[session]?.node == node && wires[session]?.isOpen == true {
            hangUp(session)
        }
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

    // MARK: The network

    /// Refuses dials between two nodes until `heal`, and breaks their open connections.
    package func cut(_ first: Int, _ second: Int) {
        cuts.insert([min(first, second), max(first, second)])
        for session in wires.keys.sorted() {
            guard let wire = wires[session], wire.isOpen, let other = wires[wire.other]?.node,
                Set([wire.node, other]) == [first, second]
            else { continue }
            hangUp(session)
        }
    }

    package func heal(_ first: Int, _ second: Int) {
        cuts.remove([min(first, second), max(first, second)])
    }

    /// Stops delivery on all present connections of a node, both ways, without closing them, as a dead machine does.
    ///
    /// Neither side gets an event. Bytes that are sent stay in the unread queues.
    package func silence(_ node: Int) {
        for session in wires.keys.sorted() where wires[session]?.node == node {
            wires[session]?.isReading = false
            if let other = wires[session]?.other { wires[other]?.isReading = false }
        }
    }

    /// Pauses or resumes reading on all present connections of a node.
    package func setReading(_ reading: Reading, _ node: Int) {
        for session in wires.keys.sorted() where wires[session]?.node == node { setReading(reading, session) }
    }

    package enum Reading: Hashable, Sendable {
        case reading
        case paused
    }

    /// Opens one connection, dialled by `first`, at this moment; it is none of the nodes' own dials, and ignores `cut`.
    package func connect(_ first: Int, _ second: Int) {
        open(from: first, DialID(raw: .max), to: second)
    }

    /// Opens an incoming connection to a node, whose other end the caller plays: bytes for it are kept until `takeRaw`.
    package func openRaw(to node: Int, host: String? = "stranger") -> SessionID {
        let (here, there) = drawWires(from: nil, to: node)
        give(node, .opened(there, .incoming(host: host), ephemeral: drawKey()))
        return here
    }

    /// Opens a connection that the node dialled, whose other end the caller plays.
    package func openRaw(from node: Int) -> SessionID {
        let (here, there) = drawWires(from: nil, to: node)
        give(node, .opened(there, .outgoing(DialID(raw: .max)), ephemeral: drawKey()))
        return here
    }

    /// Pauses or resumes reading at an end that the caller plays.
    package func setReading(_ reading: Reading, _ session: SessionID) {
        wires[session]?.isReading = reading == .reading
        guard reading == .reading else { return }
        let unread = wires[session]?.unread ?? []
        wires[session]?.unread = []
        for bytes in unread { deliver(bytes, to: session) }
    }

    package func sendRaw(_ bytes: [UInt8], from session: SessionID) {
        transmit(bytes, from: session)
    }

    /// Removes and returns the bytes that arrived at an end that the caller plays; empty while reading is paused.
    package func takeRaw(_ session: SessionID) -> [UInt8] {
        guard wires[session]?.isReading == true else { return [] }
        let bytes = wires[session]?.unread.flatMap { $0 } ?? []
        wires[session]?.unread = []
        return bytes
    }

    package func isOpen(_ session: SessionID) -> Bool { wires[session]?.isOpen ?? false }

    package func hangUp(_ session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        wires[session]?.isOpen = false
        tellClosed(session)
        // Bytes in flight arrive before the close.
        agenda.plan(.hangUp(wire.other), at: max(now + drawLatency(), wire.busyUntil))
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

    private func happen(_ item: Happening) {
        switch item {
        case .event(let node, let life, let event):
            if nodes[node].life == life { give(node, event) }
        case .arrival(let session, let bytes):
            deliver(bytes, to: session)
        case .hangUp(let session):
            guard wires[session]?.isOpen == true else { return }
            wires[session]?.isOpen = false
            tellClosed(session)
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
            agenda.plan(.call(node, life, dial, target), at: now + drawLatency())
        case .verify, .take, .readRanges, .readPrefix, .readPrefixProof, .readNodes, .weighPrefix, .judge, .readBodies:
            agenda.plan(.work(node, life, effect), at: now + draw(options.workMilliseconds))
        case .wake(let moment):
            nodes[node].alarm = moment
            agenda.plan(.alarm(node, life, moment), at: moment)
        case .report, .learnPeers, .pin:
            nodes[node].remember(effect)
        }
    }

    private func call(_ node: Int, _ dial: DialID, _ target: PeerTarget) {
        let callee = nodes.firstIndex { Self.address(of: $0.place) == target.address }
        guard let callee, nodes[callee].isRunning, !cuts.contains([min(node, callee), max(node, callee)]) else {
            give(node, .dialFailed(dial, .refused))
            return
        }
        open(from: node, dial, to: callee)
    }

    private func open(from caller: Int, _ dial: DialID, to callee: Int) {
        let (here, there) = drawWires(from: caller, to: callee)
        give(callee, .opened(there, .incoming(host: Self.address(of: caller).host), ephemeral: drawKey()))
        give(caller, .opened(here, .outgoing(dial), ephemeral: drawKey()))
    }

    private func drawWires(from caller: Int?, to callee: Int) -> (here: SessionID, there: SessionID) {
        let here = SessionID(raw: nextSession)
        let there = SessionID(raw: nextSession + 1)
        nextSession += 2
        wires[here] = Wire(node: caller, other: there)
        wires[there] = Wire(node: callee, other: here)
        return (here, there)
    }

    private func transmit(_ bytes: [UInt8], from session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        wireBytes += UInt64(bytes.count)
        let arrival = max(now + drawLatency(), wire.busyUntil)
        wires[session]?.busyUntil = arrival
        agenda.plan(.arrival(wire.other, bytes), at: arrival)
    }

    private func deliver(_ bytes: [UInt8], to session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        guard wire.isReading else {
            wires[session]?.unread.append(bytes)
            return
        }
        tellSent(bytes.count, on: wire.other)
        guard let node = wire.node else {
            wires[session]?.unread.append(bytes)
            return
        }
        var rest = bytes[...]
        while !rest.isEmpty, wires[session]?.isOpen == true {
            let piece = rest.prefix(drawPiece(rest.count))
            rest = rest.dropFirst(piece.count)
            give(node, .received(session, Array(piece), .inTurns))
            while nodes[node].machine?.hasUnread(session) == true { give(node, .readOn(session)) }
        }
    }

    private func tellSent(_ bytes: Int, on session: SessionID) {
        guard let wire = wires[session], wire.isOpen, let node = wire.node else { return }
        give(node, .sent(session, bytes: bytes))
    }

    private func tellClosed(_ session: SessionID) {
        guard let node = wires[session]?.node else { return }
        agenda.plan(.event(node, nodes[node].life, .closed(session)), at: now)
    }

    // MARK: Chance

    private func draw() -> UInt64 { chance.next() }
    private func draw(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &chance) }
    private func drawLatency() -> UInt64 { draw(options.latencyMilliseconds) }
    private func drawKey() -> AgreementKey { .seeded(draw(), "ephemeral") }

    private func drawPiece(_ count: Int) -> Int {
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
