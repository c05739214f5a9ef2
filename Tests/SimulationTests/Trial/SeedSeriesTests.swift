import Foundation
import Simulation
import Testing

/// What `simulate soak` tells, and when.
@Suite struct SeedSeriesTests {
    private static func small(_ seed: UInt64) -> TrialOptions {
        var options = TrialOptions(seed: seed)
        options.nodes = 2
        options.hours = 0.05
        options.faults = [.resets]
        options.store = .light
        return options
    }

    @Test func `Each verdict is told before the next trial begins`() throws {
        var series = SeedSeries()
        var told: [String] = []
        var toldAtBegin: [Int] = []
        try series.run(
            from: 7,
            until: 1,
            clock: { toldAtBegin.count < 4 ? 0.25 : 2 },
            options: { seed in
                toldAtBegin.append(told.count)
                return Self.small(seed)
            },
            tell: { told.append($0) }
        )
        #expect(toldAtBegin == [0, 1, 2, 3])
        #expect(told.count == 4)
        #expect(told.first?.hasPrefix("seed 7: good, 2 nodes, 0.1 h, ") == true)
        #expect(told.last?.hasPrefix("seed 10: not finished") == true)
        #expect(series.count == 3, "one that was given up is no verdict")
        #expect(series.nodes == 6)
        #expect(series.isGood)
        #expect(series.lines.last == "verdict: good")
    }

    @Test func `Behind the last seed comes the first one`() throws {
        var series = SeedSeries()
        var told: [String] = []
        try series.run(
            from: .max,
            trials: 2,
            until: 1,
            clock: { 0 },
            options: { Self.small($0) },
            tell: { told.append($0) }
        )
        #expect(told.map { String($0.prefix { $0 != ":" }) } == ["seed \(UInt64.max)", "seed 0"])
    }

    @Test func `A series in which no trial was finished is not good`() throws {
        var series = SeedSeries()
        #expect(!series.isGood, "nothing has run")
        var begun = 0
        var told: [String] = []
        try series.run(
            from: 7,
            until: 1,
            clock: { begun == 0 ? 0 : 2 },
            options: { seed in
                begun += 1
                return Self.small(seed)
            },
            tell: { told.append($0) }
        )
        #expect(begun == 1)
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("seed 7: not finished") == true)
        #expect(series.count == 0)
        #expect(series.bad == [])
        #expect(!series.isGood)
        #expect(series.lines.last == "verdict: bad, no trial was finished")
    }

    @Test func `A series ends behind its last trial too`() throws {
        var series = SeedSeries()
        var begun: [UInt64] = []
        try series.run(
            from: 7,
            trials: 2,
            until: 1,
            clock: { begun.count < 5 ? 0 : 2 },
            options: { seed in
                begun.append(seed)
                return Self.small(seed)
            },
            tell: { _ in }
        )
        #expect(begun == [7, 8])
        #expect(series.count == 2)
    }

    @Test(arguments: [(minutes: "5", status: 0), (minutes: "0", status: 1)])
    func `The program fails with fewer trials than it was told`(minutes: String, status: Int32) throws {
        let small = ["--nodes", "2", "--hours", "0.05", "--store", "light"]
        let soak = try Program(["soak", "--trials", "2", "--minutes", minutes] + small)
        var lines: [String] = []
        while let line = soak.line() { lines.append(line) }
        soak.process.waitUntilExit()
        #expect(soak.process.terminationStatus == status, "\(lines)")
    }

    @Test func `A trial is given up when its time is over`() throws {
        var asked = 0
        let trial = try Trial(Self.small(1))
        trial.mayGoOn = {
            asked += 1
            return false
        }
        #expect(throws: Interrupted.self) { try trial.run() }
        #expect(asked == 1)
    }

    @Test func `A trial that ends with an error is bad and the next follows`() throws {
        var series = SeedSeries()
        var announced: [String] = []
        var told: [String] = []
        try series.run(
            from: 4,
            until: 1,
            clock: { announced.count < 3 ? 0 : 2 },
            options: { seed in
                var options = Self.small(seed)
                if seed == 4 { options.directory = "/dev/null" }
                return options
            },
            announce: {
                #expect(told.count == announced.count, "ahead of it")
                announced.append($0.command)
            },
            tell: { told.append($0) }
        )
        #expect(announced == (4...6).map { Self.small($0).command })
        #expect(told.first?.hasPrefix("seed 4: ended with ") == true)
        #expect(told.first?.hasSuffix(Self.small(4).command) == true)
        #expect(told.dropFirst().first?.hasPrefix("seed 5: good") == true)
        #expect(series.bad == [4])
        #expect(series.count == 1)
    }

    @Test func `A series ends where nothing runs`() throws {
        var series = SeedSeries()
        var options = Self.small(0)
        options.directory = "/dev/null"
        try series.run(from: 1, until: 1, clock: { 0 }, options: { _ in options }, tell: { _ in })
        #expect(series.bad == Array(1...10))
    }

    @Test func `The program names a trial before it runs`() throws {
        let run = try Program("--seed", "3", "--nodes", "2", "--hours", "0.05", "--directory", "/dev/null")
        while run.line() != nil {}
        run.process.waitUntilExit()
        #expect(run.process.terminationStatus != 0)
        #expect(run.errorLines().first?.hasSuffix("simulate --seed 3 --nodes 2 --hours 0.05 --faults all") == true)
    }

    @Test(
        arguments: [
            "--seed 7 --nodes 4 --hours 2 --faults all --store light",
            "--seed 8 --nodes 50 --hours 24 --faults none",
            "--seed 9 --nodes 5 --hours 0.4 --faults path=5ms,latency=1..4s,partition=5..90min,crash,slowreader=9B/s",
            "--seed 10 --nodes 6 --hours 1 --faults all --eager-links 1",
        ]
    )
    func `The command read again is the same`(words: String) throws {
        let commands = try [words.split(separator: " ").map(String.init)].map { try command(of: $0) }
        let again = try #require(commands.first).split(separator: " ").map(String.init)
        #expect(again.prefix(5) == ["swift", "run", "-c", "release", "simulate"])
        #expect(try command(of: Array(again.dropFirst(5))) == commands.first)
        for number in words.split(separator: " ").flatMap({ $0.split(separator: ",") }) {
            #expect(commands.first?.contains(number) == true, "\(number) is lost")
        }
    }

    /// What the program says it runs.
    private func command(of arguments: [String]) throws -> String {
        let run = try Program(arguments + ["--directory", "/dev/null"])
        while run.line() != nil {}
        run.process.waitUntilExit()
        return try #require(run.errorLines().first)
    }

    @Test func `A seed says how large its trial is`() {
        let drawn = (0..<200).map { TrialOptions.drawn(seed: $0) }
        #expect(drawn == (0..<200).map { TrialOptions.drawn(seed: $0) })
        #expect(Set(drawn.map(\.nodes)) == Set(3...12))
        #expect(Set(drawn.map(\.hours)) == Set((1...8).map(Double.init)))
    }

    @Test func `Some of the first seeds let trees grow and others do not`() {
        let drawn = UInt64(1)...8
        let links = Set(drawn.map { TrialOptions.drawn(seed: $0).eagerLinks })
        #expect(links == [1, TrialOptions(seed: 1).eagerLinks])
        for options in drawn.map({ TrialOptions.drawn(seed: $0) }) {
            #expect(options.command.hasSuffix(" --eager-links 1") == (options.eagerLinks == 1), "\(options.command)")
        }
    }

    @Test func `The program prints each line at once and ends in time`() throws {
        let small = ["--nodes", "2", "--hours", "0.05", "--store", "light"]
        let soak = try Program(["soak", "--minutes", "0.1"] + small)
        let first = try #require(soak.line())
        #expect(first.hasPrefix("seed 1: good"))
        // It is not over yet: a pipe that is filled before it is written would have nothing so early.
        #expect(soak.process.isRunning)
        while soak.line() != nil {}
        soak.process.waitUntilExit()
        #expect(soak.process.terminationStatus == 0)
    }

    @Test func `The program gives up a trial that is too large`() throws {
        let begin = ContinuousClock.now
        let soak = try Program("soak", "--minutes", "0.02", "--nodes", "200", "--hours", "1000", "--store", "light")
        var lines: [String] = []
        while let line = soak.line() { lines.append(line) }
        soak.process.waitUntilExit()
        #expect(lines.first?.hasPrefix("seed 1: not finished") == true, "\(lines)")
        #expect(lines.last == "verdict: bad, no trial was finished")
        #expect(soak.process.terminationStatus == 1)
        #expect(ContinuousClock.now - begin < .seconds(300), "a slow machine, and no more")
    }
}
