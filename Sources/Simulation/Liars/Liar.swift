internal import Entries
internal import Sodium
internal import Sync

/// A malicious peer that speaks the protocol: it calls nodes, each time as another host with another key but every
/// fourth time, and sends what its `Lie` returns.
final class Liar: Resident {
    let number: Int
    unowned let trial: Trial
    private let lie: any Lie
    private var calls: [SessionID: Call] = [:]
    private var chance: Chance
    private var callsMade = 0
    private var startsMet = 0
    private var lastSite: Site?

    /// One connection to one node.
    struct Call {
        let site: Site
        let host: String
        var channel: SecureChannel
        var isGreeted = false
        /// Whether the same key called this node before.
        let isKnown: Bool
        var wasHeard = false
    }

    init(_ number: Int, _ fault: Fault, in trial: Trial, seed: UInt64) {
        self.number = number
        self.trial = trial
        chance = Chance(seed: seed)
        // Rotates the variants of a fault's lies, from liar to liar and from seed to seed, so that short trials have
        // all of them.
        let turn = Int(trial.options.seed % 4) + trial.faults[fault, default: 0]
        switch fault {
        case .equivocation: lie = Equivocation(in: trial, seed: seed, turn: turn)
        case .withholding: lie = Withholding(turn: turn)
        case .endless: lie = Endless(in: trial, seed: seed)
        case .flood: lie = Flood(in: trial, seed: seed)
        case .replay: lie = Replay(in: trial, seed: seed)
        case .forgery where turn % 2 == 0: lie = Slander(in: trial, seed: seed)
        case .forgery, .proof: lie = Forgery(fault, in: trial, seed: seed)
        case .latency, .resets, .halfopen, .oneway, .partition, .slowreader, .crash, .powercut, .backup, .clock,
            .diskfull, .damage, .ending, .departure:
            preconditionFailure("\(fault) is no lie")
        }
        for _ in 0..<lie.callsAtOnce { reach() }
        callLater()
    }

    /// Calls a node again and again, until the lie's number of calls is reached.
    private func callLater() {
        trial.plan(in: 2_000 + chance.next() % 40_000) { [weak self] in
            guard let self, callsMade < lie.calls else { return }
            reach()
            callLater()
        }
    }

    private func reach() {
        guard trial.areLiarsWelcome else { return }
        callsMade += 1
        let running = trial.sites.filter(\.isRunning)
        if !running.isEmpty {
            let drawn = running[Int(chance.next() % UInt64(running.count))]
            // Every fourth call goes back to the last node, with the same key, to be recognised.
            let isAgain = callsMade % 4 == 0 && lastSite?.isRunning == true
            let site = isAgain ? lastSite ?? drawn : lie.prefers(running) ?? drawn
            lastSite = site
            open(to: site, as: isAgain ? callsMade - 1 : callsMade, isKnown: isAgain)
        }
    }

    /// Calls a node that has just started, before it knows whom else it may ask.
    func meet(_ site: Site) {
        guard trial.areLiarsWelcome, startsMet < lie.callsOnStart else { return }
        startsMet += 1
        open(to: site, as: lie.calls + startsMet, isKnown: false)
    }

    private func open(to site: Site, as caller: Int, isKnown: Bool) {
        let host = 1_000 + number * 1_000 + caller
        let name = "liar\(host)"
        let (here, there) = trial.fabric.connect(self, host: host, to: site, host: site.number)
        var channel = SecureChannel.initiator(
            in: trial.network,
            as: .seeded(trial.options.seed, name),
            ephemeral: .seeded(chance.next(), "ephemeral"),
            expecting: nil
        )
        let first = channel.start()
        calls[here] = Call(site: site, host: name, channel: channel, isKnown: isKnown)
        site.give(.opened(there, .incoming(host: name), ephemeral: .seeded(chance.next(), "ephemeral")))
        let garbled = lie.garbled(first, &chance)
        if garbled != first { trial.lies.tell(.garbledHandshake, from: name) }
        trial.fabric.transmit(garbled, from: here)
        trial.plan(in: 30_000 + chance.next() % 60_000) { [weak self] in self?.hangUp(here) }
    }

    private func hangUp(_ session: SessionID) {
        guard calls.removeValue(forKey: session) != nil else { return }
        trial.fabric.hangUp(session)
    }

    /// Closes all connections.
    func leave() {
        for session in calls.keys.sorted() { hangUp(session) }
    }

    // MARK: Resident

    func sent(_ bytes: Int, on session: SessionID) {}

    func closed(_ session: SessionID) {
        guard let call = calls.removeValue(forKey: session) else { return }
        if call.isKnown, !call.wasHeard { trial.lies.turnedAway += 1 }
    }

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
            // Anybody may say that a link is no branch: what others are pushed it is named then.
            if callsMade % 2 == 0 { words.append(.branch(.named)) }
        }
        for message in messages {
            if case .hello(let own) = message {
                call.wasHeard = true
                if let own { words.append(speak(in: call) { $0.claim(own, of: call.site) }) }
                words += speak(in: call) { $0.greeting(call.site) }
            } else {
                words += speak(in: call) { $0.answer(message, of: call.site) }
            }
        }
        calls[session] = call
        say(words, on: session)
    }

    /// Runs one step of the lie, and counts the falsehood that it tells.
    private func speak<Words>(in call: Call, _ words: (any Lie) -> Words) -> Words {
        lie.falsehood = nil
        defer { if let told = lie.falsehood { trial.lies.tell(told, from: call.host) } }
        return words(lie)
    }

    private func say(_ words: [Utterance], on session: SessionID) {
        guard !words.isEmpty, let bytes = calls[session]?.channel.seal(words.map(\.frame)) else { return }
        trial.trace.note(trial.now, -1 - number, "lie", session.raw, bytes)
        trial.fabric.transmit(bytes, from: session)
    }
}
