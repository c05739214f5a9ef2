import ArgumentParser
import Entries
import Foundation
import Transport

// usage: bench attack KIND --target HOST:PORT [--home DIRECTORY] [--connections N] [--people N] [--rounds N]

/// The attacking side of `bench flood`, in a process of its own, so that its cost is not counted as the node's.
struct AttackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Attacks a node between two lines of its standard input.",
        discussion:
            "Says `ready`, waits for a line, attacks until the next, and prints what was done; ends with its input.",
        shouldDisplay: false
    )

    @Argument var kind: AttackKind
    @Option var target: String
    @Option var home: String?
    @Option(transform: WholeNumber.atLeastOne) var connections = 500
    @Option(transform: WholeNumber.atLeastOne) var people = 10_000
    @Option(transform: WholeNumber.atLeastZero) var rounds = 10
    @Option var seed: UInt64 = 1
    /// Takes only idle processor time, as if on a machine of its own.
    @Flag var yielding = false

    func run() throws {
        // Before there is any other thread, since threads inherit it.
        if yielding { try SchedulingPolicy.idle.adopt() }
        let attack = try prepare()
        say("ready")
        guard readLine() != nil else { return }
        try attack.begin()
        say("begun")
        guard readLine() != nil else { return }
        say(try attack.end().text(.pairs))
        while readLine() != nil {}
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private func prepare() throws -> any Attack {
        guard let port = target.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError("no port in \(target)")
        }
        switch kind {
        case .noise: return Swarm(of: AttackKind.noisy, calling: port, saying: .noise(bytes: 4_096))
        case .handshakes: return Swarm(of: connections, calling: port, saying: .unfinished)
        case .garbage: return Babble(of: AttackKind.babblers, calling: port, .garbage)
        case .chatter: return Babble(of: 1, calling: port, .chatter)
        case .reader: return SlowCrowd(of: 1, asking: target)
        case .readers: return SlowCrowd(of: AttackKind.manyReaders, asking: target)
        case .identities:
            guard let home else { throw BenchError("a flood of identities needs a home") }
            return try IdentityFlood(people: people, rounds: rounds, seed: seed, home: HomeLayout(directory: home))
        }
    }
}
