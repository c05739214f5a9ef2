import ArgumentParser
import Foundation
import Simulation

// usage: simulate soak [--minutes N] [--trials N] [--seed N] [trial options]

struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "One seed after the other, until the time is over; exit 1 if one was bad, or none was finished.",
        discussion: """
            Each seed says how many nodes and hours its trial has, 3 to 12 and 1 to 8, and whether trees grow in it \
            (--eager-links 1), unless that is given. With --trials it ends behind so many, and if the time was too short \
            for them, that is exit 1 too.
            """
    )

    @Option(help: "Minutes of this machine's time; the trial that is under way then is given up.")
    var minutes = 10.0

    @Option(help: "Trials at most; else as many as the time allows.")
    var trials: Int?

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @OptionGroup var common: TrialArguments

    func validate() throws {
        guard minutes >= 0 else { throw ValidationError("--minutes: 0 or more") }
        if let trials, trials < 1 { throw ValidationError("--trials is above 0") }
    }

    func run() throws {
        let clock = ContinuousClock()
        let begin = clock.now
        var series = SeedSeries()
        try series.run(
            from: seed,
            trials: trials,
            until: minutes * 60,
            clock: { (clock.now - begin) / .seconds(1) },
            options: { try common.options(of: .drawn(seed: $0)) },
            announce: { StandardError.say($0.command) },
            tell: Self.say
        )
        for line in series.lines { Self.say(line) }
        if let trials, series.bad.isEmpty, series.count < trials {
            StandardError.say("simulate: \(series.count) of \(trials) trials ended within \(minutes) minutes")
            throw ExitCode(1)
        }
        if !series.isGood { throw ExitCode(1) }
    }

    /// Flushes each line, so that a program that reads a night's run sees the lines as they come.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
