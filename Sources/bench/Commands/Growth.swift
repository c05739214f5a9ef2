import ArgumentParser

// usage: bench growth [--sizes N,N,…] [--crowds N,N,…] [--output DIRECTORY] [--runs N] [--json]

struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What grows with the posts, what with the writers, and what must not grow at all.",
        discussion: """
            Example: bench growth --sizes 10000,100000,1000000 --crowds 10,1000,100000 --output benchmarks

            A first sync for each size, with as many writers as --writers says, and for each crowd, with as many posts as \
            --posts says; then a hundred new posts for the node that holds all of it. Both sides keep what they need on \
            this machine's disk: a million posts take about a gigabyte. --output also writes growth.tsv, of which gnuplot \
            and benchmarks/growth.gp make growth.png.
            """
    )

    @Option(help: "Posts in all, one measurement each.", transform: NumberList.init)
    var sizes = NumberList([10_000, 100_000, 1_000_000])

    @Option(help: "Writers, one measurement each.", transform: NumberList.init)
    var crowds = NumberList([10, 1_000, 100_000])

    @OptionGroup var output: OutputOptions
    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    /// New posts in the second measurement of each point.
    private static let newPosts = 100

    /// The figures of the table, in its order; others are printed where they are measured.
    private static let figures = [
        "wall_seconds", "cpu_microseconds_per_post", "bytes_per_post", "database_bytes_per_post",
        "sender_peak_megabytes", "receiver_peak_megabytes", "new_milliseconds", "new_cpu_milliseconds_both",
        "new_bytes",
        "new_without_cursor_milliseconds", "new_without_cursor_cpu_milliseconds_both", "new_without_cursor_bytes",
        "nothing_new_bytes", "start_milliseconds",
    ]

    func run() throws {
        try common.requireProgram()
        var points: [Figures] = []
        for (posts, writers) in sizes.numbers.map({ ($0, size.writers) }) + crowds.numbers.map({ (size.posts, $0) }) {
            var point = size
            point.posts = posts
            point.writers = min(writers, posts)
            points.append(try Figures.medians(of: (0..<max(1, common.runs)).map { _ in try measure(point) }))
        }
        let table = FigureTable(points)
        let page = "\(Machine.heading)\n\n\(table.markdown)"
        try output.write(table.tabs, as: "growth.tsv")
        try output.write(page, as: "growth.txt")
        try output.write(table.json, as: "growth.json")
        print(common.json ? table.json : page)
    }

    private func measure(_ size: SizeOptions) throws -> Figures {
        var pair = try Pair(size, seed: common.seed)
        var all = try FirstSync.measure(pair, size, common)
        let node = try RunningNode(pair.receiver, program: common.scurry)
        all.add("start_milliseconds", node.startMilliseconds)
        node.stop()
        all.add(try CatchUp.measure(&pair, new: Self.newPosts, bytes: size.bytes, common))
        var figures = Figures()
        figures.add("posts", Double(size.posts))
        figures.add("writers", Double(size.writers))
        for name in Self.figures { figures.add(name, all[name] ?? .nan) }
        return figures
    }
}
