import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A peer that the test plays itself, message by message: it can say what no node says.
final class Stranger {
    let world: World
    let session: SessionID
    let key: AgreementKey
    private var channel: SecureChannel
    private(set) var inbox: [Message] = []
    /// What it does with each message as it comes.
    var answer: (Message) -> [Message] = { _ in [] }
    private var hasFailed = false
    private var version: UInt32 = 1
    private let candour: Candour

    /// What it says of the node's own log.
    enum Candour: Hashable {
        /// That it holds nothing, with its Hello.
        case empty
        /// Nothing, unless the test does.
        case silent
    }

    init(
        _ world: World,
        to node: Int = 0,
        seed: UInt64 = 77,
        network: NetworkID? = nil,
        host: String? = "stranger",
        candour: Candour = .empty
    ) {
        self.world = world
        self.candour = candour
        key = .seeded(seed, "stranger")
        channel = .initiator(
            in: network ?? world.network,
            as: key,
            ephemeral: .seeded(seed, "ephemeral"),
            expecting: nil
        )
        session = world.openRaw(to: node, host: host)
        world.sendRaw(channel.start(), from: session)
    }

    /// A stranger that the first node has dialled; `session` is of `World.playedSessions`, nil: a dial that nobody
    /// knows of.
    init(dialledIn world: World, seed: UInt64 = 77, session: SessionID? = nil) {
        self.world = world
        candour = .empty
        key = .seeded(seed, "stranger")
        channel = .responder(in: world.network, as: key, ephemeral: .seeded(seed, "ephemeral"))
        self.session = session ?? world.openRaw(from: 0)
    }

    var id: NodeID { NodeID(raw: key.publicKey) }
    var isOpen: Bool { world.isOpen(session) }
    var isEstablished: Bool { channel.isOpen }

    /// A Hello with nothing peculiar in it.
    static func hello(
        version: UInt32 = 1,
        oldestVersion: UInt32 = 1,
        number: UInt64 = 0,
        cursor: Cursor? = nil,
        ownLog: LogID? = nil,
        scope: Scope = .everything,
        features: Set<UInt32> = [],
        listenPort: UInt16? = nil,
        credit: UInt64 = Limits.creditWindowBytes,
        logs: UInt64 = 0
    ) -> Hello {
        guard let store = StoreID([UInt8](repeating: 9, count: 16)) else { preconditionFailure("16 bytes") }
        return Hello(
            version: version,
            oldestVersion: oldestVersion,
            store: store,
            number: number,
            cursor: cursor,
            ownLog: ownLog,
            scope: scope,
            agent: "stranger",
            listenPort: listenPort,
            credit: credit,
            logs: logs,
            features: features
        )
    }

    /// Agrees on keys and says Hello.
    func greet(_ hello: Hello = Stranger.hello()) {
        run(milliseconds: 100)
        guard isEstablished else { return }
        send(.hello(hello))
        version = hello.version
        if candour == .empty { holdNothing() }
        run(milliseconds: 100)
    }

    /// Says that it holds nothing of the log that the node's Hello named.
    func holdNothing() {
        let asked = inbox.lazy.compactMap { if case .hello(let theirs) = $0 { theirs.ownLog } else { nil } }.first
        if let asked { send(.ownLog(OwnLogAnswer(log: asked, size: 0, root: .zero))) }
    }

    func send(_ messages: Message...) {
        send(frames: messages.map(\.frame))
    }

    func send(frames: [Frame]) {
        guard channel.isOpen else { return }
        world.sendRaw(channel.seal(frames), from: session)
    }

    /// A message as it goes over the line, for a test that sends it in pieces.
    func sealed(_ message: Message) -> [UInt8] { sealed(frames: [message.frame]) }

    func sealed(frames: [Frame]) -> [UInt8] { channel.seal(frames) }

    func send(raw bytes: [UInt8]) {
        world.sendRaw(bytes, from: session)
    }

    /// Lets time pass, and takes what comes; finely at first, coarsely where much time passes.
    func run(milliseconds: UInt64) {
        let end = world.now + milliseconds
        let step = max(5, milliseconds / 40)
        while world.now < end {
            world.run(milliseconds: min(step, end - world.now))
            pump()
        }
    }

    private func pump() {
        guard !hasFailed else { return }
        let bytes = world.takeRaw(session)
        guard !bytes.isEmpty else { return }
        guard let events = try? channel.receive(bytes) else {
            hasFailed = true
            return
        }
        for event in events {
            switch event {
            case .send(let bytes): world.sendRaw(bytes, from: session)
            case .established: break
            case .message(let frame):
                guard let message = try? Message(frame) else { continue }
                inbox.append(message)
                let answers = answer(message)
                if !answers.isEmpty { send(frames: answers.map(\.frame)) }
            }
        }
    }

    // MARK: What came

    var goodbye: Goodbye? {
        inbox.lazy.compactMap { if case .goodbye(let goodbye) = $0 { goodbye } else { nil } }.first
    }

    var changes: [Changes] {
        inbox.compactMap { if case .changes(let changes) = $0 { changes } else { nil } }
    }

    var chunks: [Chunks] {
        inbox.compactMap { if case .chunks(let chunks) = $0 { chunks } else { nil } }
    }

    var prefixes: [PrefixAnswer] {
        inbox.compactMap { if case .prefix(let prefix) = $0 { prefix } else { nil } }
    }

    var bodies: [BodyAnswer] {
        inbox.flatMap { message -> [BodyAnswer] in if case .bodies(let bodies) = message { bodies } else { [] } }
    }

    var wants: [RangeWant] {
        inbox.flatMap { message -> [RangeWant] in if case .want(let wants) = message { wants } else { [] } }
    }

    var keepAlives: [KeepAlive] {
        inbox.compactMap { if case .keepAlive(let word) = $0 { word } else { nil } }
    }

    var chunkBytes: UInt64 {
        inbox.reduce(0) { sum, message in
            switch message {
            case .chunks, .bodies: sum + message.frame.creditBytes
            default: sum
            }
        }
    }

    func forget() {
        inbox = []
    }

    /// Answers wants and questions about prefixes from a store, as an honest node does.
    func serve(_ store: LightStore) {
        answer = { [version] message in
            if version > 1, case .prefixWanted(let question) = message {
                let proof = (try? store.prefixProof(of: question.log, end: question.end)) ?? nil
                let none = PrefixAnswer(log: question.log, end: question.end, nodes: [])
                return [.prefix(proof.map { PrefixAnswer(log: question.log, $0) } ?? none)]
            }
            if case .nodesWanted(let question) = message {
                let hashes = (try? store.nodes(of: question.log, at: question.place)) ?? nil
                return [.nodes(NodesAnswer(log: question.log, place: question.place, hashes: hashes ?? []))]
            }
            if case .prefixWanted(let question) = message {
                let nodes = try? store.prefixNodes(of: question.log, end: question.end)
                return [.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: (nodes ?? nil) ?? []))]
            }
            guard case .want(let wants) = message,
                let answers = try? store.ranges(wants, byteLimit: 400_000)
            else { return [] }
            var chunks = Chunks()
            for (want, answer) in zip(wants, answers) {
                switch (answer, want.extent) {
                case (.chunk(let chunk), _): chunks.chunks.append(chunk)
                case (.lacking(let log), .until): chunks.lackingBefore.append(log)
                case (.lacking(let log), .all), (.lacking(let log), .newest): chunks.lacking.append(log)
                }
            }
            return [.chunks(chunks)]
        }
    }
}

/// What comes of a misdeed: the session is closed with the violation's number, and the peer is left alone.
func expectViolation(
    _ violation: SyncViolation,
    of stranger: Stranger,
    in town: Town,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    stranger.run(milliseconds: 200)
    #expect(town.violations(0) == [violation], sourceLocation: sourceLocation)
    #expect(!stranger.isOpen, sourceLocation: sourceLocation)
    #expect(stranger.goodbye == .violation(code: violation.rawValue), sourceLocation: sourceLocation)
    #expect(town.status(0)?.sessions.isEmpty == true, sourceLocation: sourceLocation)
    let again = Stranger(town.world, seed: 77)
    again.greet()
    #expect(!again.isOpen, "the peer is backed off", sourceLocation: sourceLocation)
}
