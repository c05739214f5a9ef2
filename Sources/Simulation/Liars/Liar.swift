internal import Entries
internal import Sodium
internal import Sync

/// Somebody who speaks the protocol and means no good: it calls nodes, each time as another host with another key, and says
/// what its lie wants said.
final class Liar: Resident {
    let number: Int
    unowned let trial: Trial
    private let lie: any Lie
    private var calls: [SessionID: Call] = [:]
    private var chance: WorldChance
    private var callsMade = 0

    /// One connection to one node.
    struct Call {
        let site: Site
        var channel: SecureChannel
        var isGreeted = false
    }

    init(_ number: Int, _ fault: Fault, in trial: Trial, seed: UInt64) {
        self.number = number
        self.trial = trial
        chance = WorldChance(seed: seed)
        switch fault {
        case .equivocation: lie = Equivocation(in: trial, seed: seed)
        case .withholding: lie = Withholding(seed: seed)
        case .endless: lie = Endless(in: trial, seed: seed)
        case .flood: lie = Flood(in: trial, seed: seed)
        case .forgery where seed % 2 == 0: lie = Slander(in: trial, seed: seed)
        default: lie = Forgery(fault, in: trial, seed: seed)
        }
        call()
    }

    /// Calls somebody, and again later, until it has called as many as its lie wants.
    private func call() {
        guard trial.areLiarsWelcome, callsMade < lie.calls else { return }
        callsMade += 1
        let running = trial.sites.filter(\.isRunning)
        if !running.isEmpty { open(to: running[Int(chance.next() % UInt64(running.count))]) }
        trial.plan(in: 2_000 + chance.next() % 40_000) { [weak self] in self?.call() }
    }

    private func open(to site: Site) {
        // A host of its own for each call, so that no node knows it again.
        let host = 1_000 + number * 1_000 + callsMade
        let (here, there) = trial.fabric.connect(self, host: host, to: site, host: site.number)
        var channel = SecureChannel.initiator(
            in: trial.network,
            as: .seeded(chance.next(), "liar"),
            ephemeral: .seeded(chance.next(), "ephemeral"),
            expecting: nil
        )
        let first = channel.start()
        calls[here] = Call(site: site, channel: channel)
        site.give(.opened(there, .incoming(host: "liar\(host)"), ephemeral: .seeded(chance.next(), "ephemeral")))
        trial.fabric.transmit(lie.garbled(first, &chance), from: here)
        trial.plan(in: 30_000 + chance.next() % 60_000) { [weak self] in self?.hangUp(here) }
    }

    private func hangUp(_ session: SessionID) {
        guard calls.removeValue(forKey: session) != nil else { return }
        trial.fabric.hangUp(session)
    }

    /// Goes away for good.
    func leave() {
        for session in calls.keys.sorted() { hangUp(session) }
    }

    // MARK: Resident

    func sent(_ bytes: Int, on session: SessionID) {}

    func closed(_ session: SessionID) { calls[session] = nil }

    func received(_ bytes: [UInt8], on session: SessionID) {
        guard var call = calls[session], let events = try? call.channel.receive(bytes) else { return }
        var messages: [Heard] = []
        for event in events {
            switch event {
            case .send(let bytes): trial.fabric.transmit(bytes, from: session)
            case .established: break
            case .message(let frame): messages.append(Heard(frame))
            }
        }
        var words: [Utterance] = []
        if call.channel.isOpen, !call.isGreeted {
            call.isGreeted = true
            guard let store = StoreID(Author.bytes(chance.next(), "liar").bytes.prefix(StoreID.count)) else { return }
            var hello = Utterance.OddHello(store: store, agent: "simulated \(call.site.number + 1_000)")
            hello.features = Utterance.OddHello.allFeatures
            words.append(.hello(hello))
        }
        for message in messages {
            if case .hello(let own) = message {
                if let own { words.append(.ownLog(own, size: 0, root: .zero)) }
                words += lie.greeting(call.site)
            } else {
                words += lie.answer(message, of: call.site)
            }
        }
        calls[session] = call
        say(words, on: session)
    }

    private func say(_ words: [Utterance], on session: SessionID) {
        guard !words.isEmpty, let bytes = calls[session]?.channel.seal(words.map(\.frame)) else { return }
        trial.fabric.transmit(bytes, from: session)
    }
}

/// What a liar says to whom.
protocol Lie: AnyObject {
    /// How many nodes are called in all.
    var calls: Int { get }
    /// Said once a node has said Hello.
    func greeting(_ site: Site) -> [Utterance]
    func answer(_ message: Heard, of site: Site) -> [Utterance]
    /// The first bytes, as they are sent.
    func garbled(_ bytes: [UInt8], _ chance: inout WorldChance) -> [UInt8]
}

extension Lie {
    func garbled(_ bytes: [UInt8], _ chance: inout WorldChance) -> [UInt8] { bytes }

    /// Answers from a store, as an honest node does.
    func serve(_ message: Heard, from store: LightStore) -> [Utterance] {
        switch message {
        case .want(let wants):
            var chunks: [UnverifiedChunk] = []
            var lacking: [LogID] = []
            for answer in (try? store.ranges(wants, byteLimit: 200_000)) ?? [] {
                switch answer {
                case .chunk(let chunk): chunks.append(chunk)
                case .lacking(let log): lacking.append(log)
                }
            }
            return [.chunks(chunks, lacking: lacking, number: nil)]
        case .prefixWanted(let log, let end):
            return [.prefix(log, (try? store.prefixProof(of: log, end: end)) ?? nil, end: end)]
        case .nodesWanted(let log, let place):
            return [.nodes(log, place, ((try? store.nodes(of: log, at: place)) ?? nil) ?? [])]
        case .bodiesWanted(let places):
            return [.bodies((try? store.bodies(places, byteLimit: 200_000)) ?? [])]
        case .hello, .chunks, .changes, .goodbye, .other: return []
        }
    }

    /// A post as its payload's bytes.
    func post(_ trial: Trial, _ chance: inout WorldChance) -> [UInt8] {
        let text = Ledger.text(trial.ledger.drawToken(), "hello from nobody")
        return (try? Post(salt: Salt(using: &chance), text: text)).map { Payload.post($0).encode() } ?? []
    }
}
