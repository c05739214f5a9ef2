import ArgumentParser
import Storage
import Transport

/// One run of the program: it parses, runs the command, and prints every failure in the same form.
struct Program: Sendable {
    let environment: Environment

    init(environment: Environment) {
        self.environment = environment
    }

    func run(_ arguments: [String]) async -> ExitCode {
        let errors = Output.standardError(environment: environment, colour: colour(in: arguments))
        do {
            if let mistake = CommandPath(arguments).mistake { throw mistake }
            return try await perform(arguments)
        } catch is ReaderGone {
            return .ok
        } catch let declined as Declined {
            try? errors.write(StyledLine(declined.outcome))
            try? errors.flush()
            return .refused
        } catch let failure as Failure {
            return say(failure, on: errors)
        } catch {
            return say(Failure(.failure, SafeText(line: "\(error)")), on: errors)
        }
    }

    /// Reports an argument that is not UTF-8.
    func refuseArguments() -> ExitCode {
        say(
            Failure(
                .usage,
                "an argument is not UTF-8",
                hint: "locale charmap tells what this terminal writes; mv gives a file another name"
            ),
            on: Output.standardError(environment: environment, colour: colour(in: []))
        )
    }

    private func say(_ failure: Failure, on errors: Output) -> ExitCode {
        try? errors.write(failure.lines())
        try? errors.flush()
        return failure.code
    }

    private func perform(_ arguments: [String]) async throws -> ExitCode {
        var command: any ParsableCommand
        do {
            command = try Scurry.parseAsRoot(arguments)
        } catch {
            return try answer(error, to: arguments)
        }
        if let swallowed = Program.swallowed(by: command, among: arguments) { throw swallowed }
        if let nameless = CommandPath(arguments).namelessFile(in: arguments) { throw nameless }
        do {
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch let error where !Program.isOurs(error) {
            return try answer(error, to: arguments)
        }
        return .ok
    }

    /// Whether the parser has no part in an error.
    private static func isOurs(_ error: any Error) -> Bool {
        error is Failure || error is Declined || error is ReaderGone || error is CancellationError
    }

    /// Prints requested help on standard output; only what the parser refuses is a usage error.
    private func answer(_ error: any Error, to arguments: [String]) throws -> ExitCode {
        if let error = error as? StorageError { throw Problems.failure(error) }
        if let error = error as? HomeError { throw Problems.failure(error) }
        // The parser reports any error that it does not know as a plain failure.
        if Scurry.exitCode(for: error) == .failure { throw error }
        guard Scurry.exitCode(for: error).isSuccess else { throw UsageProblem.failure(of: error, arguments: arguments) }
        if let mistaken = UsageProblem.notHelp(arguments) { throw mistaken }
        let output = Output.standardOutput(environment: environment, colour: colour(in: arguments))
        if Scurry.fullMessage(for: error).hasPrefix("OVERVIEW: ") {
            let path = CommandPath(arguments)
            try output.write(HelpScreen(of: path.command, path: path.text, look: output.look).lines)
        } else {
            // Output for tools: completions, and the description from which manual pages are made.
            try output.write(Array((Scurry.fullMessage(for: error) + "\n").utf8))
        }
        try output.flush()
        return .ok
    }

    /// The failure for an option of `scurry` alone that the parser accepted for a command, where it would have no
    /// effect.
    private static func swallowed(by command: any ParsableCommand, among arguments: [String]) -> Failure? {
        let typed = arguments.prefix { $0 != "--" }
        let isRoot = command is Scurry
        let takesJSON = Mirror(reflecting: command).children.contains { $0.value is OptionGroup<ReadingOptions> }
        let strange = (takesJSON ? [] : ["--json"]) + (isRoot ? [] : ["--version"])
        guard let option = typed.first(where: strange.contains) else { return nil }
        let path = CommandPath(arguments.filter { $0 != option })
        return Failure(.usage, "unknown option '\(option)'", hint: "\(path.text) -h")
    }

    /// The value of `--color` before parsing, so that it applies to errors in other arguments too.
    private func colour(in arguments: [String]) -> Look.ColourChoice {
        Program.typedColour(in: arguments) ?? Settings.colour(environment) ?? .auto
    }

    private static func typedColour(in arguments: [String]) -> Look.ColourChoice? {
        for (index, argument) in arguments.enumerated() {
            if argument == "--color", index + 1 < arguments.count {
                return Look.ColourChoice(rawValue: arguments[index + 1])
            }
            if argument.hasPrefix("--color=") {
                return Look.ColourChoice(rawValue: String(argument.dropFirst("--color=".count)))
            }
        }
        return nil
    }
}
