internal import Entries
internal import Simulation
internal import Sodium
@testable internal import Sync

/// A node that holds a few logs, and somebody who says anything in any order: it never traps, and says Goodbye or goes
/// on.
enum DialogueFuzz {
    /// Each kind of stranger, met and not heard yet: a node, its logs and a handshake cost more than all that follows.
    nonisolated(unsafe) private static var strangers: [UInt8: FuzzStranger] = [:]

    static func run(_ input: inout FuzzInput) {
        let flags = input.byte() & 0x1F
        guard let first = try? strangers[flags] ?? FuzzStranger(flags: flags) else { broken("a node did not start") }
        strangers[flags] = first
        let stranger = FuzzStranger(copying: first)
        while !input.isAtEnd, stranger.isOpen {
            let type = input.byte()
            stranger.say(Frame(type: type & 0x7F, body: input.take(input.short())))
            // What follows at once meets what was not done yet.
            if type & 0x80 == 0 { stranger.wait(milliseconds: 300) }
        }
        stranger.wait(milliseconds: 2_000)
    }
}

/// The other side of the connection.
private final class FuzzStranger {
    private let world: World
    private let store: LightStore
    private let session: SessionID
    private var channel: SecureChannel
    /// Ids that a fuzzer would never find, in place of 32 bytes e0, e1, … .
    private let names: [Bytes32]

    /// The same stranger before the same node, of which nothing comes back to the first.
    init(copying other: FuzzStranger) {
        store = LightStore(copying: other.store)
        world = World(copying: other.world, stores: [store])
        session = other.session
        channel = other.channel
        names = other.names
    }

    init(flags: UInt8) throws {
        let world = World(WorldOptions(seed: 1))
        self.world = world
        let store = LightStore()
        self.store = store
        var own = Author(seed: 1, network: world.network)
        var others = (2..<4).map { Author(seed: $0, network: world.network) }
        store.register(own)
        let people = [own.root.publicKey, others[0].root.publicKey]
        names = [own.log.raw, others[0].log.raw, others[1].log.raw] + people
        let node = world.add(store, identity: IdentityID(raw: own.root.publicKey))
        var batch = TakeBatch()
        for place in others.indices {
            let chunk = others[place].write((0..<9).map { Array("post \($0)".utf8) }, at: 1_600_000_000_000)
            batch.chunks.append(.init(chunk: chunk, source: NodeID(raw: Author.bytes(9, "peer"))))
        }
        _ = try store.begin(try Self.run(1))
        _ = try store.take(batch)
        if flags & 1 != 0 {
            world.carry(.identities([IdentityID(raw: names[3]), IdentityID(raw: names[4])]), on: node)
        }
        try world.start(node)
        try world.write("a first post", on: node, by: &own)
        let key = AgreementKey.seeded(2, "fuzz")
        let ephemeral = AgreementKey.seeded(3, "fuzz")
        if flags & 2 == 0 {
            channel = .initiator(in: world.network, as: key, ephemeral: ephemeral, expecting: nil)
            session = world.openRaw(to: node)
            world.sendRaw(channel.start(), from: session)
        } else {
            channel = .responder(in: world.network, as: key, ephemeral: ephemeral)
            session = world.openRaw(from: node)
        }
        wait(milliseconds: 50)
        guard flags & 4 == 0 else { return }
        say(Message.hello(try Self.hello(version: flags & 8 == 0 ? 2 : 1)).frame)
        wait(milliseconds: 50)
        guard flags & 16 == 0 else { return }
        // With that the node's own log may leave.
        say(Message.ownLog(OwnLogAnswer(log: own.log, size: 0, root: .zero)).frame)
        wait(milliseconds: 50)
    }

    var isOpen: Bool { world.isOpen(session) }

    func say(_ frame: Frame) {
        guard channel.isOpen else { return }
        world.sendRaw(channel.seal([Frame(type: frame.type, body: named(frame.body))]), from: session)
    }

    func wait(milliseconds: UInt64) {
        for _ in 0..<5 {
            world.run(milliseconds: milliseconds / 5)
            let bytes = world.takeRaw(session)
            guard !bytes.isEmpty else { continue }
            guard let events = try? channel.receive(bytes) else { broken("the node broke the channel") }
            for event in events {
                switch event {
                case .send(let bytes): world.sendRaw(bytes, from: session)
                case .established: break
                case .message(let frame): check(frame)
                }
            }
        }
    }

    /// Whatever a node says keeps the rules.
    private func check(_ frame: Frame) {
        // Nor of a type that nobody knows.
        guard (try? Message(frame)) != nil else { broken("the node said what nobody can read: \(frame.type)") }
    }

    private func named(_ body: [UInt8]) -> [UInt8] {
        var body = body
        var place = 0
        while place + 32 <= body.count {
            let name = Int(body[place]) - 0xE0
            if names.indices.contains(name), body[place..<place + 32].allSatisfy({ $0 == body[place] }) {
                body.replaceSubrange(place..<place + 32, with: names[name].bytes)
                place += 32
            } else {
                place += 1
            }
        }
        return body
    }

    private static func run(_ number: UInt64) throws -> StoreID {
        guard let run = StoreID(Author.bytes(number, "run").bytes.prefix(StoreID.count)) else { broken("16 bytes") }
        return run
    }

    private static func hello(version: UInt32) throws -> Hello {
        Hello(
            version: version,
            oldestVersion: 1,
            store: try run(2),
            number: 9,
            cursor: nil,
            ownLog: nil,
            agent: "fuzz",
            listenPort: nil,
            credit: Limits.creditWindowBytes,
            logs: 3,
            features: [Hello.windows, Hello.scopes]
        )
    }
}
