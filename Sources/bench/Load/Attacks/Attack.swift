import ArgumentParser

/// A kind of attack on a node.
enum AttackKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Random bytes in place of a handshake, again and again.
    case noise
    /// Correct handshakes with a fresh key each time, and then invalid bytes.
    case garbage
    /// A correct handshake and Hello, and then an endless sequence of messages of an unknown type.
    case chatter
    /// Valid entries of ever more people.
    case identities
    /// Connections that never finish the handshake.
    case handshakes
    /// One peer that asks for everything and reads nothing.
    case reader
    /// Eight such readers.
    case readers

    /// Connections of the attack at once, those that authenticate and those that do not; `count` of the latter are
    /// asked for.
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

    /// The attacks that a name on the command line stands for.
    static func named(_ name: String) -> [AttackKind]? {
        switch name {
        case "all": allCases
        case "garbage": [.noise, .garbage, .chatter]
        case "reader": [.reader, .readers]
        default: AttackKind(rawValue: name).map { [$0] }
        }
    }
}

/// An attack that is prepared and can begin.
protocol Attack {
    /// Begins the attack and returns while it goes on.
    func begin() throws
    /// Ends the attack, and returns figures of it.
    func end() throws -> Figures
}
