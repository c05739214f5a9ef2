import ArgumentParser

// usage: bench growth [--sizes N,N,…] [--crowds N,N,…] [--plot DIR] [--runs N] [--json]

struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What grows with the posts, what with the writers, and what must not grow at all.",
        discussion: """
            Example: bench growth --sizes 10000,100000,1000000 --crowds 10,1000,100000 --plot .

            A first sync for each size, with as many writers as --writers says, and for each crowd, with as many posts as \
            --posts says; then a hundred new posts for the node that holds all of it. Both sides keep what they need on \
            this machine's disk: a million posts take about a gigabyte. --plot writes growth.tsv and growth.gp into a \
            directory; gnuplot makes growth.png of them.
            """
    )

    @Option(help: "Posts in all, one measurement each.", transform: Self.numbers)
    var sizes = [10_000, 100_000, 1_000_000]

    @Option(help: "Writers, one measurement each.", transform: Self.numbers)
    var crowds = [10, 1_000, 100_000]

    @Option(help: "A directory for the points and the plot's program.")
    var plot: String?

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    /// Posts that are new in the second measurement of each point.
    private static let newPosts = 100

    func run() throws {
        try common.requireProgram()
        var points: [Figures] = []
        for (posts, writers) in sizes.map({ ($0, size.writers) }) + crowds.map({ (size.posts, $0) }) {
            var point = size
            point.posts = posts
            point.writers = min(writers, posts)
            points.append(try Figures.medians(of: (0..<max(1, common.runs)).map { _ in try measure(point) }))
        }
        let table = FigureTable(points)
        if let plot { try GrowthPlot(points).write(to: plot) }
        print(common.json ? table.json : table.markdown)
    }

    private func measure(_ size: SizeOptions) throws -> Figures {
        let first = try FirstSync.measure(size, common)
        let later = try CatchUp.measure(new: Self.newPosts, size, common)
        var figures = Figures()
        figures.add("posts", Double(size.posts))
        figures.add("writers", Double(size.writers))
        for name in [
            "wall_seconds", "cpu_microseconds_per_post", "bytes_per_post", "database_bytes_per_post",
            "sender_peak_megabytes", "receiver_peak_megabytes",
        ] {
            figures.add(name, first[name] ?? .nan)
        }
        for name in ["new_milliseconds", "new_bytes", "nothing_new_bytes"] { figures.add(name, later[name] ?? .nan) }
        return figures
    }

    private static func numbers(_ text: String) throws -> [Int] {
        let numbers = text.split(separator: ",").map { Int($0) ?? 0 }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("'\(text)' is no list of numbers such as 10,1000")
        }
        return numbers
    }
}
