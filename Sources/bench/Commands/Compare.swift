import ArgumentParser

// usage: bench compare [--runs N] [--json]

struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Everything in one table, beside the goals and what others need for the same.",
        discussion: """
            Example: bench compare --runs 5

            first-sync, catch-up, live, sustained and feed with their defaults, the median of the runs each; behind it \
            the goal, and for each of the others its figure as it is quoted and by how much ours is better (below 1: worse).
            """
    )

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.requireProgram()
        let size = try SizeOptions.parse([])
        var all = Figures()
        let measurements: [() async throws -> Figures] = [
            { try FirstSync.measure(size, common) },
            { try CatchUp.measure(new: 100, size, common) },
            { try Live.parse(common.arguments).measure() },
            { try await Sustained.parse(common.arguments).measure() },
            { try Feed.parse(common.arguments).measure() },
        ]
        for measure in measurements {
            var runs: [Figures] = []
            for _ in 0..<max(1, common.runs) { runs.append(try await measure()) }
            let medians = Figures.medians(of: runs)
            for name in PeerFigures.goals.values.map(\.figure) where all[name] == nil {
                if let value = medians[name] { all.add(name, value) }
            }
        }
        print(common.json ? all.text(.json) : ComparisonTable(ours: all).markdown)
    }
}
