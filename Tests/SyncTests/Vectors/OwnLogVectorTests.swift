import Entries
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Sync

/// Runs `protocol/vectors/own-log.json`: what peers say and prove of the log that a node writes, and what comes of it.
struct OwnLogVectorTests {
    @Test func `What peers say and prove of the own log has the consequences that the page names`() throws {
        let file = try OwnLogFile.read()
        for (place, vector) in file.cases.enumerated() {
            let home = try OwnLogHome(vector, of: file, seed: 7_000 + UInt64(place))
            try home.play(vector.steps, name: vector.name)
            try home.check(vector)
        }
        #expect(file.cases.count == 102)
        #expect(
            Set(file.cases.map(\.verdict)) == [
                "released", "heldBack", "longer", "otherBranch", "stopped", "unaskedAnswer", "badProof",
                "malformedEntries", "falseFork",
            ]
        )
    }
}

/// `protocol/vectors/own-log.json`.
private struct OwnLogFile: Decodable {
    struct Home: Decodable {
        /// Packed, from the first on.
        let entries: String
        /// Of the head that covers them.
        let signature: String
    }

    struct Step: Decodable {
        let peer: Int?
        let type: UInt8?
        let body: String?
        /// `true`: it comes in one go with the step before.
        let together: Bool?
        /// It is said when the node has said a message of this type to the peer, since the peer's step before.
        let awaits: UInt8?
        /// `true`: the peer goes.
        let gone: Bool?
        /// So much time passes.
        let seconds: UInt64?

        var frame: Frame? {
            guard let type, let body else { return nil }
            return Frame(type: type, body: [UInt8](hex: body))
        }
    }

    struct Claim: Decodable, Equatable {
        let peer: Int
        let from: UInt64
    }

    struct Next: Decodable {
        let sequence: UInt64
        let root: String
    }

    struct Case: Decodable {
        let name: String
        /// Entries of the own log that are here, and how many of them ever left.
        let own: UInt64
        let published: UInt64
        /// `true`: the node has stopped before.
        let stopped: Bool?
        let steps: [Step]
        let verdict: String
        /// nil: the page does not say.
        let publishedAfter: UInt64?
        /// Each Want for the proof of a claim.
        let claims: [Claim]
        /// Entries of the log that are here afterwards; nil: the page does not say.
        let held: UInt64?
        /// Where the next entry goes, and the root before it; nil: nothing more is signed.
        let next: Next?
        let setAside: Bool?
        let answers: DialogueAnswers?

        /// What `OwnLogHome.outcome` is.
        var outcome: String { proof == nil ? verdict : "stopped" }

        var proof: OwnLogStop.Proof? {
            switch verdict {
            case "longer": .longer
            case "otherBranch": .otherBranch
            default: nil
            }
        }
    }

    let network: String
    let log: String
    let certificate: String
    /// By how many entries they have.
    let homes: [String: Home]
    let cases: [Case]

    static func read() throws -> OwnLogFile { try Vectors.own("own-log.json", keys: .inCamelCase) }

    /// The first entries of the log, under their head; nil if there are none.
    func written(_ size: UInt64, network: NetworkID) throws -> VerifiedChunk? {
        guard size > 0 else { return nil }
        let home = try #require(homes["\(size)"])
        let chunk = UnverifiedChunk(
            log: LogID(raw: try hex32(log)),
            certificate: try hex(certificate),
            start: 0,
            count: size,
            size: size,
            signature: try #require(Signature(try hex(home.signature))),
            entries: try hex(home.entries),
            right: []
        )
        guard case .verified(let verified) = ChunkVerifier(network: network).verify(chunk, over: LogPrefix.none)
        else { throw Malformed(text: home.entries) }
        return verified
    }
}

/// A store that notes what signing was stopped for.
private final class StopNotingStore: StoreAround {
    let store: LightStore
    private(set) var proof: OwnLogStop.Proof?

    init(_ store: LightStore) {
        self.store = store
    }

    func take(_ batch: TakeBatch) throws -> TakeReport {
        let report = try store.take(batch)
        proof = batch.stop?.proof ?? proof
        return report
    }
}

/// The node of a case, and its peers.
private final class OwnLogHome {
    private let world: World
    private let store: LightStore
    private let noting: StopNotingStore
    private let log: LogID
    /// Those that are connected.
    private var peers: [Int: Stranger] = [:]
    /// All connections, in the order in which they were made.
    private var met: [(peer: Int, stranger: Stranger)] = []
    /// Messages that each peer had heard before its last step.
    private var heard: [Int: Int] = [:]
    private var last: Int?

    init(_ vector: OwnLogFile.Case, of file: OwnLogFile, seed: UInt64) throws {
        let (world, store) = (World(WorldOptions(seed: seed)), LightStore())
        let noting = StopNotingStore(store)
        #expect(NetworkID(name: file.network) == world.network)
        let certificate = try SignedCertificate(verifying: try hex(file.certificate), network: world.network)
        self.world = world
        self.store = store
        self.noting = noting
        log = certificate.log
        store.register(certificate)
        if let written = try file.written(vector.own, network: world.network) { _ = try store.append(written) }
        store.note(published: vector.published)
        if vector.stopped == true {
            var batch = TakeBatch()
            batch.stop = OwnLogStop(proof: .longer, published: vector.published)
            _ = try store.take(batch)
        }
        _ = world.add(noting, exchange: .off, identity: certificate.certificate.identity)
        try world.start(0)
    }

    func play(_ steps: [OwnLogFile.Step], name: String) throws {
        var next = 0
        while next < steps.count {
            let step = steps[next]
            next += 1
            if let seconds = step.seconds {
                wait(milliseconds: seconds * 1_000)
                continue
            }
            let peer = try #require(step.peer)
            if step.gone == true {
                let left = peers.removeValue(forKey: peer)
                let stranger = try #require(left)
                stranger.run(milliseconds: 5)
                world.hangUp(stranger.session)
                wait(milliseconds: 200)
                continue
            }
            let stranger = connected(peer)
            if let type = step.awaits {
                let before = heard[peer] ?? 0
                let isSaid = { stranger.inbox.dropFirst(before).contains { $0.frame.type == type } }
                for _ in 0..<20 where !isSaid() { stranger.run(milliseconds: 100) }
                #expect(isSaid(), "\(name)")
            }
            var frames = [try #require(step.frame)]
            while next < steps.count, steps[next].together == true {
                frames.append(try #require(steps[next].frame))
                next += 1
            }
            stranger.run(milliseconds: 5)
            heard[peer] = stranger.inbox.count
            last = peer
            stranger.send(frames: frames)
            stranger.run(milliseconds: 300)
        }
        wait(milliseconds: 1_000)
    }

    private func connected(_ peer: Int) -> Stranger {
        if let stranger = peers[peer] { return stranger }
        let stranger = Stranger(world, seed: 100 + UInt64(peer), host: "host\(peer)", candour: .silent)
        stranger.run(milliseconds: 100)
        peers[peer] = stranger
        met.append((peer, stranger))
        heard[peer] = 0
        return stranger
    }

    /// Lets time pass, and every peer read what came.
    private func wait(milliseconds: UInt64) {
        world.run(milliseconds: milliseconds)
        for (_, stranger) in met { stranger.run(milliseconds: 5) }
    }

    func check(_ vector: OwnLogFile.Case) throws {
        let name = vector.name
        #expect(outcome == vector.outcome, "\(name)")
        if let expected = vector.proof, let proof = noting.proof { #expect(proof == expected, "\(name)") }
        #expect(claims == vector.claims, "\(name)")
        if let published = vector.publishedAfter { #expect(store.published == published, "\(name)") }
        if let held = vector.held { #expect(store.stored(log) == held, "\(name)") }
        if let next = vector.next {
            #expect(store.stored(log) == next.sequence, "\(name)")
            #expect(try root(next.sequence)?.description == next.root, "\(name)")
        }
        if let isSetAside = vector.setAside { #expect(store.isSetAside(log) == isSetAside, "\(name)") }
        if let answers = vector.answers, let last, let stranger = peers[last] {
            let said = DialogueAnswers(stranger.inbox.dropFirst(heard[last] ?? 0))
            #expect(said.told(as: answers) == answers, "\(name)")
        }
    }

    /// A violation, or what the node does with its log.
    private var outcome: String {
        let violations = world.nodes[0].reports.compactMap { report -> SyncViolation? in
            if case .violation(_, _, let violation, _) = report { violation } else { nil }
        }
        if let violation = violations.first { return "\(violation)" }
        guard let machine = world.nodes[0].machine else { return "ended" }
        if machine.isSigningStopped { return "stopped" }
        return machine.ownLogIsCleared ? "released" : "heldBack"
    }

    private var claims: [OwnLogFile.Claim] {
        met.flatMap { peer, stranger in
            stranger.wants.filter { $0.log == log && $0.certificate == .send }
                .map { OwnLogFile.Claim(peer: peer, from: $0.from) }
        }
    }

    private func root(_ size: UInt64) throws -> Bytes32? {
        guard size > 0 else { return .zero }
        let nodes = try store.prefixNodes(of: log, end: size)
        return nodes.flatMap { LogRange(bounds: 0..<size, nodes: $0)?.root }
    }
}
