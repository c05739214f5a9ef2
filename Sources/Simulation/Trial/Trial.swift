package import Entries
internal import Foundation
internal import Sodium
package import Storage
internal import Sync

/// One seeded run of a whole network: people write, faults happen and end, and the checkers look at the final state.
package final class Trial {
    package let options: TrialOptions
    package let network: NetworkID
    package let trace: TrialTrace
    package private(set) var now: UInt64 = 1
    package internal(set) var sites: [Site] = []
    package internal(set) var ledger = Ledger()
    /// How often each fault happened.
    package internal(set) var faults: [Fault: Int] = [:]
    /// Violations that the nodes reported.
    package internal(set) var violations: [ReportedViolation] = []
    /// Lies that were told, and those that were caught.
    package internal(set) var lies = LieTally()
    /// Findings made during the run.
    package internal(set) var findings: [Finding] = []
    /// Events that machines were given.
    package internal(set) var events: UInt64 = 0
    /// Gaps that the stores reported with a transaction, counted each time.
    var gapsMet: UInt64 = 0
    /// Errors of the stores, and how often each came.
    package internal(set) var storageWords: [String: Int] = [:]
    /// How often a node went on without a log that it could not read.
    var leftOut: UInt64 = 0
    /// Nodes whose home was restored to an older state.
    var restored: Set<Int> = []
    /// How often a node went down at a moment that was waited for.
    package internal(set) var ambushes: [AmbushMoment: UInt64] = [:]
    /// How often a home was restored and could not detect it.
    package internal(set) var restoredUnseen: UInt64 = 0
    /// How often a person came back with a new device, by the reason why signing had stopped.
    package internal(set) var returns: [SigningStop: UInt64] = [:]
    var chance: Chance
    /// The random source of faults, apart from `chance` so that people do the same with and without them.
    var trouble: Chance
    /// The random source of departures, apart from `trouble`, so that runs with and without them share all other draws.
    var leaving: Chance
    var liars: [Liar] = []
    var areLiarsWelcome = true
    /// Whether people write and faults happen; afterwards everything only heals.
    var isAlive = true
    /// The island, 0 or 1, of each node while the two have never met; empty: there is one network.
    var islands: [Int] = []
    /// Counts how often all faults were ended: the blocks and clock errors of before are void.
    var healings = 0
    private(set) var fabric: Fabric
    /// Asked every 256 steps and before each snapshot; false ends the trial without a verdict.
    package var mayGoOn: () -> Bool = { true }
    private var steps: UInt64 = 0
    private let agenda = Planned()
    private var devices: [Int: Int] = [:]
    let directory: String

    /// Start of the virtual wall clock: 16 November 2023, 08:00 UTC, Unix milliseconds.
    static let begin: UInt64 = 1_700_121_600_000
    static let hourMilliseconds: UInt64 = 3_600_000

    /// Agenda and clock, shared with the fabric.
    private final class Planned {
        var agenda = Agenda<() -> Void>()
        var now: UInt64 = 1
    }

    package init(_ options: TrialOptions) throws {
        self.options = options
        network = NetworkID(name: "trial \(options.seed)")
        trace = TrialTrace(options.trace)
        chance = Chance(seed: options.seed)
        trouble = Chance(seed: options.seed ^ 0x7472_6F75_626C_65)
        leaving = Chance(seed: options.seed ^ 0x6C65_6176_696E_67)
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

    /// Unix milliseconds of a correct clock.
    var wall: UInt64 { Self.begin + now }
    /// Hour of the day, 0 to 23, UTC.
    var hour: Int { Int(wall / Self.hourMilliseconds % 24) }

    // MARK: Time

    func plan(at moment: UInt64, _ body: @escaping () -> Void) { agenda.agenda.plan(body, at: max(moment, now)) }
    func plan(in milliseconds: UInt64, _ body: @escaping () -> Void) { plan(at: now + milliseconds, body) }

    /// Advances virtual time by this much and runs all steps that fall due.
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

    /// A new device of a person, enrolled in the ledger.
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
