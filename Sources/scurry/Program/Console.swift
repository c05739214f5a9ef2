import ArgumentParser
import Transport

/// What a command talks to: both streams, the variables, and whether somebody may be asked.
struct Console: Sendable {
    let environment: Environment
    /// Data.
    let out: Output
    /// Everything else.
    let err: Output
    let asking: Asking

    enum Asking: Sendable { case allowed, never }

    init(_ options: CommonOptions, environment: Environment = .ofProcess()) {
        self.environment = environment
        let colour = options.color ?? Settings.colour(environment) ?? .auto
        out = .standardOutput(environment: environment, colour: colour)
        err = .standardError(environment: environment, colour: colour)
        let isTerminal = Descriptor.standardInput.isTerminal && Descriptor.standardError.isTerminal
        asking = options.noInput || !isTerminal ? .never : .allowed
    }

    /// Unix milliseconds.
    var now: UInt64 { SystemClock.wallMilliseconds }

    var clock: TimeText { TimeText(now: now, zone: .local) }

    /// A sentence on standard error, for a person: success and notices; broken into lines on a terminal alone.
    func tell(_ text: SafeText) {
        let lines = err.stream.isTerminal ? Wrap.lines(text, width: err.look.width) : [text]
        say(lines.map { StyledLine($0) })
    }

    /// As `tell`, never broken: a line that a script may look for.
    func note(_ text: SafeText) {
        say([StyledLine(text)])
    }

    /// Lines on standard error, out at once: whoever reads both streams sees them in their order.
    func say(_ lines: [StyledLine]) {
        // Standard error never fails: there is nobody left to tell.
        try? err.write(lines)
        try? err.flush()
    }
}

/// A command that needs no waiting: it writes, and what it wrote is out before it ends.
protocol Command: ParsableCommand {
    var common: CommonOptions { get }
    func run(on console: Console) throws
}

extension Command {
    mutating func run() throws {
        let console = Console(common)
        do {
            try run(on: console)
        } catch {
            try? console.out.flush()
            throw error
        }
        try console.out.flush()
    }
}

/// A command that waits for the network; otherwise as `Command`.
protocol WaitingCommand: AsyncParsableCommand {
    var common: CommonOptions { get }
    func run(on console: Console) async throws
}

extension WaitingCommand {
    mutating func run() async throws {
        let console = Console(common)
        do {
            try await run(on: console)
        } catch {
            try? console.out.flush()
            throw error
        }
        try console.out.flush()
    }
}
