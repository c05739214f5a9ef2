import Foundation
import Simulation
import Testing

/// What a trial prints at its end.
@Suite struct VerdictTests {
    private func verdict(_ findings: [Finding]) -> Verdict {
        var options = TrialOptions(seed: 77)
        options.nodes = 4
        options.hours = 0.25
        options.faults = [.crash, .clock]
        return Verdict(
            options: options,
            findings: findings,
            faults: [.clock: 2, .crash: 3],
            lies: LieTally(),
            figures: [],
            traceHash: 0xBEEF
        )
    }

    @Test func `A good one says so`() {
        #expect(verdict([]).lines == ["seed 77", "faults: crash 3, clock 2", "trace beef", "verdict: good"])
    }

    @Test func `A bad one says what was found and how to see it again`() {
        let many = (1...7).map { Finding("saved", "node \($0) lacks 1 entries") }
        let lines = verdict(many + [Finding("quiet", "node 1 sent 9 of type 4")]).lines
        let expected =
            ["seed 77", "faults: crash 3, clock 2", "trace beef"]
            + (1...5).map { "FOUND saved: node \($0) lacks 1 entries" } + [
                "FOUND saved: 2 more", "FOUND quiet: node 1 sent 9 of type 4",
                "verdict: bad, again with: swift run -c release simulate --seed 77 --nodes 4 --hours 0.25 "
                    + "--faults crash,clock",
            ]
        #expect(lines == expected)
    }

    /// In another process everything that is drawn once for each process is another: the hash seed above all.
    @Test func `The command gives the same trial in another process`() throws {
        var options = TrialOptions(seed: 5)
        options.nodes = 3
        options.hours = 0.2
        options.trace = .lines
        let trial = try Trial(options)
        let verdict = try trial.run()
        let words = options.command.split(separator: " ").map(String.init)
        let arguments = Array(words.drop { $0 != "simulate" }.dropFirst()) + ["--trace"]
        #expect(arguments.count == 9)
        let first = try Program(arguments)
        let second = try Program(arguments)
        let lines = [trial.trace.lines + verdict.lines, first.lines(), second.lines()]
        #expect(lines[0].count > 1_000)
        for others in lines.dropFirst() {
            let place = zip(lines[0], others).enumerated().first { $0.element.0 != $0.element.1 }
            #expect(place == nil, "line \(place?.offset ?? 0): \(place?.element.0 ?? "") | \(place?.element.1 ?? "")")
            #expect(others.count == lines[0].count)
        }
        #expect(first.process.terminationStatus == (verdict.isGood ? 0 : 1))
    }
}
