import ArgumentParser
import Simulation

// usage: simulate soak [--minutes N] [--seed N] [trial options]

struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "One seed after the other, until the time is over; exit 1 if one was bad."
    )

    @Option(help: "Minutes of this machine's time.")
    var minutes = 10.0

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @OptionGroup var common: TrialArguments

    func run() throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(minutes * 60)
        var next = seed
        var bad: [UInt64] = []
        var faults: [Fault: Int] = [:]
        while next == seed || clock.now < end {
            let options = try common.options(seed: next)
            let begin = clock.now
            let verdict = try Trial(options).run()
            for (fault, count) in verdict.faults { faults[fault, default: 0] += count }
            let seconds = (clock.now - begin).components.seconds
            print("seed \(next): \(verdict.isGood ? "good" : "bad"), \(seconds) s")
            if !verdict.isGood {
                bad.append(next)
                for line in verdict.lines { print("  " + line) }
            }
            next += 1
        }
        let count = next - seed
        let injected = Fault.allCases.compactMap { fault in faults[fault].map { "\(fault.rawValue) \($0)" } }
        print("seeds \(count), hours of virtual time \(Double(count) * common.hours), nodes \(common.nodes)")
        print("faults: " + (injected.isEmpty ? "none" : injected.joined(separator: ", ")))
        print(bad.isEmpty ? "verdict: good" : "verdict: bad, seeds \(bad.map(String.init).joined(separator: ", "))")
        if !bad.isEmpty { throw ExitCode(1) }
    }
}
