package import Entries
internal import Foundation
internal import Sodium
package import Storage
internal import Sync

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
    package internal(set) var storageWords: [String: Int] = [:]
    /// How often a node went on without a log that it could not read.
    var leftOut: UInt64 = 0
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
    /// Of the chance that departures are drawn from, so that with and without them all other faults are drawn alike.
    var leaving: WorldChance
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
        leaving = WorldChance(seed: options.seed ^ 0x6C65_6176_696E_67)
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
}
