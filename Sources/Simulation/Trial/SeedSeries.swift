/// Trials of consecutive seeds, until a number of trials or a time is reached: what `simulate soak` runs.
package struct SeedSeries {
    /// Trials that ended with a verdict; one that is cut short is not counted.
    package private(set) var count = 0
    package private(set) var bad: [UInt64] = []
    package private(set) var nodes = 0
    /// Virtual time in which people wrote.
    package private(set) var hours = 0.0
    package private(set) var events: UInt64 = 0
    package private(set) var faults: [Fault: Int] = [:]
    package private(set) var lies = LieTally()

    package init() {}

    /// This many errors in a row end the series: the machine is at fault, most likely with a full disk.
    private static let brokenCount = 10

    /// Runs trials from `seed` on. `announce` is called before each, `tell` with each line of its result.
    ///
    /// `clock` returns seconds; at `end` no trial begins, and the one that runs is cut short. A trial that throws is a
    /// bad one, and the next follows. `trials` is how many there are at most; nil: only the time ends them.
    package mutating func run(
        from seed: UInt64,
        trials: Int? = nil,
        until end: Double,
        clock: @escaping () -> Double,
        options: (UInt64) throws -> TrialOptions,
        announce: (TrialOptions) -> Void = { _ in },
        tell: (String) -> Void
    ) throws {
        var seed = seed
        var left = trials ?? .max
        var brokenInRow = 0
        while left > 0, clock() < end, brokenInRow < Self.brokenCount {
            let begin = clock()
            let options = try options(seed)
            announce(options)
            do {
                let trial = try Trial(options)
                trial.mayGoOn = { clock() < end }
                let verdict = try trial.run()
                count(verdict, events: trial.events)
                tell(line(of: verdict, seconds: clock() - begin))
                if !verdict.isGood { for line in verdict.lines { tell("  " + line) } }
                brokenInRow = 0
            } catch is Interrupted {
                return tell("seed \(seed): not finished, \(Self.tenths(clock() - begin)) s")
            } catch {
                bad.append(seed)
                brokenInRow += 1
                tell("seed \(seed): ended with \(error), again with: \(options.command)")
            }
            // The first seed may be the last there is.
            seed &+= 1
            left -= 1
        }
    }

    /// Nothing that ended was bad; and where nothing ended, nobody knows.
    package var isGood: Bool { bad.isEmpty && count > 0 }

    /// What is told at the end.
    package var lines: [String] {
        let injected = Fault.allCases.compactMap { fault in faults[fault].map { "\(fault.rawValue) \($0)" } }
        let told = lies.told.isEmpty ? [] : ["lies: " + lies.words.joined(separator: ", ")]
        return [
            "seeds \(count), nodes \(nodes), hours of virtual time \(Self.tenths(hours)), events \(events)",
            "faults: " + (injected.isEmpty ? "none" : injected.joined(separator: ", ")),
        ] + told + [verdict]
    }

    private var verdict: String {
        if isGood { return "verdict: good" }
        if bad.isEmpty { return "verdict: bad, no trial was finished" }
        return "verdict: bad, seeds \(bad.map(String.init).joined(separator: ", "))"
    }

    private mutating func count(_ verdict: Verdict, events: UInt64) {
        count += 1
        nodes += verdict.options.nodes
        hours += verdict.options.hours
        self.events += events
        for (fault, times) in verdict.faults { faults[fault, default: 0] += times }
        lies.add(verdict.lies)
        if !verdict.isGood { bad.append(verdict.options.seed) }
    }

    private func line(of verdict: Verdict, seconds: Double) -> String {
        let options = verdict.options
        let faults = verdict.faults.values.reduce(0, +)
        return "seed \(options.seed): \(verdict.isGood ? "good" : "bad"), \(options.nodes) nodes, "
            + "\(Self.tenths(options.hours)) h, \(faults) faults, \(Self.tenths(seconds)) s"
    }

    /// The value with one decimal.
    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
