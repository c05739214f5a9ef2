/// A family of faults in a trial; each is drawn from the seed independently.
package enum Fault: String, Hashable, Sendable, CaseIterable {
    /// A path's latency rises by 0.5–3 s, with as much jitter, for 1–20 min.
    case latency
    /// A connection is reset, and bytes in flight are lost.
    case resets
    /// A connection falls silent: nothing is delivered any more, and neither end gets an event.
    case halfopen
    /// One direction between two nodes is blocked for 1–30 min.
    case oneway
    /// The network is partitioned in two for 5–60 min.
    case partition
    /// A node reads 500–8,000 bytes a second of each connection, for 1–20 min.
    case slowreader
    /// A process is killed, half of the time at an `AmbushMoment`: every committed transaction is kept.
    case crash
    /// The power fails, at such moments too: a random part of what was committed but not synced is lost.
    case powercut
    /// A home is restored from its last backup.
    case backup
    /// A clock is up to 3 min off from the beginning, and jumps by up to a day, for up to 3 h.
    case clock
    /// A disk is full for 1–40 min.
    case diskfull
    /// One log on a disk cannot be read until the process restarts, 1–20 min later.
    case damage
    /// A person ends one of their devices with the recovery words, or, one time in four, the account.
    case ending
    /// A node leaves for good once a peer has read the first piece of an answer: what it alone had is gone.
    case departure
    /// A writer forks its log, and shows each branch to a part of the network.
    case equivocation
    /// A peer does not serve what it announced, or serves entries without their bodies.
    case withholding
    /// Entries, settlements and evidence that their signer never signed.
    case forgery
    /// Entries that were sent before, and entries of another network.
    case replay
    /// Tree nodes and prefixes that do not verify, and garbled handshakes.
    case proof
    /// An endless writer, and heads that nobody can supply.
    case endless
    /// Hundreds of unknown identities.
    case flood

    /// Whether the fault is a lying peer.
    package var isLie: Bool {
        switch self {
        case .equivocation, .withholding, .forgery, .replay, .proof, .endless, .flood: true
        case .latency, .resets, .halfopen, .oneway, .partition, .slowreader, .crash, .powercut, .backup, .clock,
            .diskfull, .damage, .ending, .departure:
            false
        }
    }

    /// Mean interval between two faults of this kind in a network of fifty nodes, milliseconds.
    package var meanIntervalMilliseconds: UInt64 {
        switch self {
        case .latency: 600_000
        case .resets: 120_000
        case .halfopen: 300_000
        case .oneway: 600_000
        case .partition: 7_200_000
        case .slowreader: 900_000
        case .crash: 600_000
        case .powercut: 600_000
        case .backup: 14_400_000
        case .clock: 1_800_000
        case .diskfull: 1_800_000
        case .damage: 1_800_000
        case .ending: 14_400_000
        case .departure: 14_400_000
        case .equivocation, .withholding: 3_600_000
        case .forgery, .replay, .proof: 1_200_000
        case .endless, .flood: 7_200_000
        }
    }

    /// Parses `all`, `none`, or names with commas between them; nil if a name is unknown.
    package static func parse(_ list: String) -> Set<Fault>? {
        switch list {
        case "all": return Set(allCases)
        case "none": return []
        default:
            let names = list.split(separator: ",")
            let faults = names.compactMap { Fault(rawValue: String($0)) }
            return faults.count == names.count && !faults.isEmpty ? Set(faults) : nil
        }
    }
}
