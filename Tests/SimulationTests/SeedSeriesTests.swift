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

    @Test func eachVerdictIsToldBeforeTheNextTrialBegins() throws {
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
        #expect(series.lines.last == "verdict: good")
    }

    @Test func aTrialIsGivenUpWhenItsTimeIsOver() throws {
        var asked = 0
        let trial = try Trial(Self.small(1))
        trial.mayGoOn = {
            asked += 1
            return false
        }
        #expect(throws: Interrupted.self) { try trial.run() }
        #expect(asked == 1)
    }

    @Test func aSeedSaysHowLargeItsTrialIs() {
        let drawn = (0..<200).map { TrialOptions.drawn(seed: $0) }
        #expect(drawn == (0..<200).map { TrialOptions.drawn(seed: $0) })
        #expect(Set(drawn.map(\.nodes)) == Set(3...12))
        #expect(Set(drawn.map(\.hours)) == Set((1...8).map(Double.init)))
    }

    @Test func theProgramPrintsEachLineAtOnceAndEndsInTime() throws {
        let soak = try Program("soak", "--minutes", "0.1", "--nodes", "2", "--hours", "0.05", "--store", "light")
        let first = try #require(soak.line())
        #expect(first.hasPrefix("seed 1: good"))
        // It is not over yet: a pipe that is filled before it is written would have nothing so early.
        #expect(soak.process.isRunning)
        while soak.line() != nil {}
        soak.process.waitUntilExit()
        #expect(soak.process.terminationStatus == 0)
    }

    @Test func theProgramGivesUpATrialThatIsTooLarge() throws {
        let begin = ContinuousClock.now
        let soak = try Program("soak", "--minutes", "0.02", "--nodes", "200", "--hours", "1000", "--store", "light")
        var lines: [String] = []
        while let line = soak.line() { lines.append(line) }
        soak.process.waitUntilExit()
        #expect(lines.first?.hasPrefix("seed 1: not finished") == true, "\(lines)")
        #expect(ContinuousClock.now - begin < .seconds(300), "a slow machine, and no more")
    }

    /// `simulate`, as it is built beside the tests.
    private struct Program {
        let process = Process()
        private let pipe = Pipe()

        init(_ arguments: String...) throws {
            let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let places = [runner, CommandLine.arguments.first ?? ""].map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("simulate")
            }
            process.executableURL = try #require(
                places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
            )
            process.arguments = arguments
            process.standardOutput = pipe
            try process.run()
        }

        /// The next line, without its end; nil behind the last.
        func line() -> String? {
            var bytes: [UInt8] = []
            while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first {
                if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
                bytes.append(byte)
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }
}
