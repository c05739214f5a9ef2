import ArgumentParser

/// What a node is put under.
enum AttackKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Random bytes in place of a handshake, again and again.
    case noise
    /// A right handshake with a fresh key each time, and then bytes that mean nothing.
    case garbage
    /// A right handshake and Hello, and then messages of no known type without end.
    case chatter
    /// Valid entries of ever more people.
    case identities
    /// Connections that never finish the handshake.
    case handshakes
    /// One peer that asks for everything and reads nothing.
    case reader
    /// Eight of them.
    case readers

    /// Connections that it has at once: those that say who they are, and the others, `count` of which are wished for.
    func connections(of count: Int) -> (sessions: Int, strangers: Int) {
        switch self {
        case .noise: (0, Self.noisy)
        case .garbage: (Self.babblers, 0)
        case .chatter, .identities, .reader: (1, 0)
        case .handshakes: (0, count)
        case .readers: (Self.manyReaders, 0)
        }
    }

    static let noisy = 8
    static let babblers = 4
    static let manyReaders = 8

    /// Those of a name on the command line.
    static func named(_ name: String) -> [AttackKind]? {
        switch name {
        case "all": allCases
        case "garbage": [.noise, .garbage, .chatter]
        case "reader": [.reader, .readers]
        default: AttackKind(rawValue: name).map { [$0] }
        }
    }
}

/// An attack that has been prepared.
protocol Attack {
    /// Begins; returns while it goes on.
    func begin() throws
    /// Brings nothing new from now on, and says what was done.
    func end() throws -> Figures
}
