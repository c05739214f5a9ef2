import ArgumentParser
import Simulation

// usage: simulate [--seed N] [--nodes N] [--hours N] [--faults all|none|LIST] [--store sqlite|light] [--eager-links N] [--trace]

struct Trials: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract:
            "One trial: prints the seed, the faults that happened, figures, and the verdict (exit 1 if it is bad)."
    )

    @Option(help: "What every choice follows from.")
    var seed: UInt64 = 1

    @Flag(help: "Prints every line of the trace first: for a small trial.")
    var trace = false

    @OptionGroup var common: TrialArguments

    func run() throws {
        var options = try common.options(of: TrialOptions(seed: seed))
        if trace { options.trace = .lines }
        // Before the trial: whatever ends the program would not print the seed.
        StandardError.say(options.command)
        let trial = try Trial(options)
        let verdict = try trial.run()
        for line in trial.trace.lines + verdict.lines { print(line) }
        if !verdict.isGood { throw ExitCode(1) }
    }
}
