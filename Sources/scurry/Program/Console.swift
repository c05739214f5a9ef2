import ArgumentParser
import Transport

/// The surroundings of a command: both output streams, the environment, and whether the person may be asked.
struct Console: Sendable {
    let environment: Environment
    /// Standard output, for data.
    let out: Output
    /// Standard error, for everything else.
    private(set) var err: Output
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

    /// The console of a node, which serves others and waits for no reader of its log.
    ///
    /// - Returns: the console, and the queue behind its standard error, which is finished before the process ends or
    ///   another console writes there.
    func queued() -> (console: Console, queue: LogQueue) {
        let (output, queue) = err.queued { NodeLogHandler.loss(of: $0, on: self) }
        var console = self
        console.err = output
        return (console, queue)
    }

    /// Unix milliseconds.
    var now: UInt64 { SystemClock.wallMilliseconds }

    var clock: TimeText { TimeText(now: now, zone: .local) }

    /// Prints a sentence on standard error, for a person: success and notices; it is wrapped on a terminal only.
    func tell(_ text: SafeText) {
        let lines = err.stream.isTerminal ? Wrap.lines(text, width: err.look.width) : [text]
        say(lines.map { StyledLine($0) })
    }

    /// Prints a line on standard error, never wrapped: a script may look for it.
    func note(_ text: SafeText) {
        say([StyledLine(text)])
    }

    /// Prints lines on standard error and flushes them, so that a reader of both streams sees them in order.
    func say(_ lines: [StyledLine]) {
        // A failure to write to standard error is ignored: there is no stream left to report it on.
        try? err.write(lines)
        try? err.flush()
    }
}

/// A synchronous command, whose output is flushed before it ends.
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
