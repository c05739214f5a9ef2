/// What may go wrong in a trial, by families; each is drawn by itself from the seed.
package enum Fault: String, Hashable, Sendable, CaseIterable {
    /// A path's latency rises to 0.5–3 s, with as much spread, for 1–20 min.
    case latency
    /// A connection is reset, and what was on its way is lost.
    case resets
    /// One end of a connection is gone, and the other does not hear of it.
    case halfopen
    /// Nothing passes from one node to another, for 1–30 min; the way back is open.
    case oneway
    /// The network falls apart into two, for 5–60 min.
    case partition
    /// A node reads 500–8,000 bytes a second of each connection, for 1–20 min.
    case slowreader
    /// A process is killed, half of the time in a moment of `AmbushMoment`: everything that was committed is there.
    case crash
    /// The power fails, at such moments too: of what was committed and not synced, a random part is lost.
    case powercut
    /// A home is put back to what it was up to a day ago.
    case backup
    /// A clock is up to 3 min off from the beginning, and jumps up to a day, for up to 3 h.
    case clock
    /// A disk takes no more, for 1–40 min.
    case diskfull
    /// What a disk has of one log cannot be read, until the process begins anew, 1–20 min later.
    case damage
    /// A person ends one of their devices with the recovery words, or, one time in four, the account.
    case ending
    /// A node leaves for good, as a peer has read the first piece of an answer: nobody has what it alone had.
    case departure
    /// A writer shows two histories to two halves of the network.
    case equivocation
    /// A peer offers what it does not give, or gives entries without their bodies.
    case withholding
    /// Entries that their writer never signed, and signatures of others.
    case forgery
    /// Entries that were said before, and those of another network.
    case replay
    /// Nodes of trees that do not fit.
    case proof
    /// A writer that never ends, and heads that nobody can supply.
    case endless
    /// Hundreds of identities that nobody knows.
    case flood

    /// Whether somebody lies.
    package var isLie: Bool {
        switch self {
        case .equivocation, .withholding, .forgery, .replay, .proof, .endless, .flood: true
        case .latency, .resets, .halfopen, .oneway, .partition, .slowreader, .crash, .powercut, .backup, .clock,
            .diskfull, .damage, .ending, .departure:
            false
        }
    }

    /// How long a network of fifty nodes waits for the next one, in milliseconds, on the average.
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

    /// Reads `all`, `none`, or names with commas between them; nil if one is no name.
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
