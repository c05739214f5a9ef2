package import Entries
internal import Foundation
internal import Sodium
package import Storage
package import Sync

/// One seeded run of a whole network: people write, things go wrong, everything heals, and the checkers look.
package final class Trial {
    package let options: TrialOptions
    package let network: NetworkID
    package let trace: TrialTrace
    package private(set) var now: UInt64 = 1
    package internal(set) var sites: [Site] = []
    package internal(set) var ledger = Ledger()
    /// How often each fault happened.
    package internal(set) var faults: [Fault: Int] = [:]
    /// Violations, as the nodes reported them: by whom, and of whom if that is known.
    package internal(set) var violations: [ReportedViolation] = []
    /// What liars told, and what came of it.
    package internal(set) var lies = LieTally()
    /// What was found while it ran.
    package internal(set) var findings: [Finding] = []
    /// Events that machines were given.
    package internal(set) var events: UInt64 = 0
    /// Logs that were stored with a part of their history left out, each time.
    var gapsMet: UInt64 = 0
    /// Words of the store's, by how often.
    package private(set) var storageWords: [String: Int] = [:]
    /// Homes that went back to an older state.
    var restored: Set<Int> = []
    /// How often a node went down at the very moment that was waited for.
    package internal(set) var ambushes: [AmbushMoment: UInt64] = [:]
    /// How often a home went back and could not see it.
    package internal(set) var restoredUnseen: UInt64 = 0
    /// How often a person came back with a new device, by what the signing had stopped for.
    package internal(set) var returns: [SigningStop: UInt64] = [:]
    var chance: WorldChance
    /// Of the chance that faults are drawn from, so that people do the same with and without them.
    var trouble: WorldChance
    var liars: [Liar] = []
    var areLiarsWelcome = true
    /// People write and things go wrong; afterwards everything only heals.
    var isAlive = true
    /// On which of two islands each node is, while they have never met; empty: there is one network.
    var islands: [Int] = []
    /// Counts how often everything was mended: what blocked a path before then is gone.
    var healings = 0
    private(set) var fabric: Fabric
    /// Asked now and then: a trial that may not go on ends without a verdict.
    package var mayGoOn: () -> Bool = { true }
    private var steps: UInt64 = 0
    private let agenda = Planned()
    private var devices: [Int: Int] = [:]
    let directory: String

    /// A sixteenth of November, eight in the morning.
    static let begin: UInt64 = 1_700_121_600_000

    /// Agenda and clock, where the fabric reaches them too.
    private final class Planned {
        var agenda = Agenda<() -> Void>()
        var now: UInt64 = 1
    }

    package init(_ options: TrialOptions) throws {
        self.options = options
        network = NetworkID(name: "trial \(options.seed)")
        trace = TrialTrace(options.trace)
        chance = WorldChance(seed: options.seed)
        trouble = WorldChance(seed: options.seed ^ 0x7472_6F75_626C_65)
        let planned = agenda
        fabric = Fabric(seed: options.seed, latencies: options.measures[.path], clock: { planned.now }) {
            planned.agenda.plan($1, at: $0)
        }
        let root = options.directory ?? FileManager.default.temporaryDirectory.path
        directory = root + "/simulate-\(options.seed)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        for site in sites { site.home.remove() }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Unix milliseconds, as a clock says that is right.
    var wall: UInt64 { Self.begin + now }
    /// 0 to 23.
    var hour: Int { Int(wall / 3_600_000 % 24) }

    // MARK: Time

    func plan(at moment: UInt64, _ body: @escaping () -> Void) { agenda.agenda.plan(body, at: max(moment, now)) }
    func plan(in milliseconds: UInt64, _ body: @escaping () -> Void) { plan(at: now + milliseconds, body) }

    /// Lets everything happen up to this much later.
    ///
    /// - Throws: `Interrupted`.
    func run(milliseconds: UInt64) throws {
        let end = now + milliseconds
        while let moment = agenda.agenda.nextMoment, moment <= end, let (moment, body) = agenda.agenda.next() {
            now = max(now, moment)
            agenda.now = now
            body()
            steps += 1
            if steps % 256 == 0, !mayGoOn() { throw Interrupted() }
        }
        now = end
        agenda.now = now
    }

    // MARK: Chance

    func drawRun() -> StoreID {
        guard let run = StoreID(Author.bytes(chance.next(), "run").bytes.prefix(StoreID.count)) else {
            preconditionFailure("16 bytes")
        }
        return run
    }

    /// The next device of a person: never one that was there before.
    func nextDevice(of person: Int) -> Device {
        let number = devices[person, default: 0]
        devices[person] = number + 1
        let device = Device(
            seed: options.seed,
            person: person,
            number: number,
            serial: Self.begin + UInt64(number),
            network: network
        )
        ledger.enroll(device.log, of: device.identity)
        return device
    }

    // MARK: The network

    func dial(_ dial: DialID, _ address: PeerAddress, from site: Site) {
        trace.note(now, site.number, "dial", dial.raw)
        fabric.noteDial(from: site.number)
        guard let callee = sites.first(where: { Site.address($0.number) == address }) else {
            return later(site, in: 50) { site.give(.dialFailed(dial, .nameNotFound)) }
        }
        let path = Fabric.Path(from: site.number, to: callee.number)
        let back = Fabric.Path(from: callee.number, to: site.number)
        if fabric.isBlocked(path) || fabric.isBlocked(back) {
            return later(site, in: 10_000) { site.give(.dialFailed(dial, .timedOut)) }
        }
        later(site, in: 2 * fabric.latency(path)) { [unowned self] in
            guard callee.isRunning else { return site.give(.dialFailed(dial, .refused)) }
            let (here, there) = fabric.connect(site, host: site.number, to: callee, host: callee.number)
            let host = Site.address(site.number).host
            callee.give(.opened(there, .incoming(host: host), ephemeral: .seeded(chance.next(), "ephemeral")))
            site.give(.opened(here, .outgoing(dial), ephemeral: .seeded(chance.next(), "ephemeral")))
        }
    }

    private func later(_ site: Site, in milliseconds: UInt64, _ body: @escaping () -> Void) {
        let life = site.life
        plan(in: milliseconds) { if site.life == life { body() } }
    }

    // MARK: What is heard

    func heard(_ report: NodeReport, at site: Site) {
        trace.note(now, site.number, "report", 0, Array("\(report)".utf8))
        switch report {
        case .violation(let node, let address, let violation, _):
            if let host = address?.host { lies.drop(host) }
            violations.append(
                ReportedViolation(by: site.number, of: node, address: address, violation: "\(violation)")
            )
        case .ownLogIsLonger, .ownLogEnded:
            if !restored.contains(site.number) {
                findings.append(Finding("stop", "node \(site.number) stopped signing without a reason: \(report)"))
            }
        case .logLeftOut(let log):
            findings.append(Finding("store", "node \(site.number) cannot read log \(log)"))
        case .wrongNode, .connectedToSelf, .noCommonVersion:
            findings.append(Finding("peers", "node \(site.number): \(report)"))
        case .connected, .lost, .dialFailed, .unanswered, .pinned, .refused, .caughtUp, .forkSetAside, .forked: break
        }
    }

    /// What a store says that it cannot do.
    func noteStorage(_ error: any Error, at site: Site) {
        storageWords["\(error)", default: 0] += 1
        if !isForgiven(error, at: site) {
            findings.append(Finding("store", "node \(site.number) at \(now): \(error)"))
        }
    }

    /// A full disk is no wonder while it is full, nor that a home signs nothing that went back to an older state.
    private func isForgiven(_ error: any Error, at site: Site) -> Bool {
        switch error {
        case StorageError.diskFull, AppendError.storage(.diskFull), LightStoreError.full: site.room == .exhausted
        case AppendError.refused(.signingStopped), AppendError.refused(.logForked): restored.contains(site.number)
        // It was there when the person pointed at it.
        case AppendError.refused(.deletedPost): true
        default: false
        }
    }
}

/// A trial was not allowed to end: it says nothing.
package struct Interrupted: Error {}

/// What a node reported of another.
package struct ReportedViolation: Hashable, Sendable {
    package let by: Int
    /// Nil before the other had shown who it is.
    package let of: NodeID?
    package let address: PeerAddress?
    package let violation: String

    package init(by: Int, of: NodeID?, address: PeerAddress?, violation: String) {
        self.by = by
        self.of = of
        self.address = address
        self.violation = violation
    }
}

/// Something that must not be, by the name of the checker that saw it.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package let checker: String
    package let what: String

    package init(_ checker: String, _ what: String) {
        self.checker = checker
        self.what = what
    }

    package var description: String { "\(checker): \(what)" }

    /// What is to be said of a network that agreed so many milliseconds after everything was mended; nil: never.
    package static func late(_ milliseconds: UInt64?, bound: UInt64) -> [Finding] {
        guard let milliseconds else { return [Finding("healing", "the nodes never agreed")] }
        guard milliseconds > bound else { return [] }
        return [Finding("healing", "the nodes agreed after \(milliseconds / 1_000) s, at most \(bound / 1_000) s")]
    }
}
