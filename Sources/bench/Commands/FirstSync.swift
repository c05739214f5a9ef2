import ArgumentParser

// usage: bench first-sync [--posts N] [--writers N] [--bytes N] [--runs N] [--json]

struct FirstSync: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "An empty node catches up with one that holds everything.",
        discussion: """
            Example: bench first-sync --posts 100000 --writers 1000 --runs 5 --json

            Each run also measures what the machine can do at best (bench limits), and gives its share of that: of the \
            posts that SQLite takes a second, and of the processor time that a post costs at the very least.
            """
    )

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            var figures = try Self.measure(Pair(size, seed: common.seed), size, common)
            figures.addShares(ofFirstSync: size, of: try MachineLimits(size))
            return figures
        }
    }

    /// Measures what both sides spend; afterwards both homes of the pair hold the same.
    static func measure(_ pair: Pair, _ size: SizeOptions, _ common: CommonOptions) throws -> Figures {
        let meeting = try Meeting(pair, common, within: 1_800)
        let peaks = try (meeting.sender.usage().peakMegabytes, meeting.receiver.usage().peakMegabytes)
        let spent = meeting.spent
        meeting.end()
        let posts = Double(size.posts)
        var figures = Figures()
        figures.add("posts_per_second", posts / spent.wall)
        figures.add("wall_seconds", spent.wall)
        figures.add("cpu_seconds_both", spent.cpu)
        figures.add("cpu_microseconds_per_post", spent.cpu * 1e6 / posts)
        figures.add("bytes_per_post", spent.wire / posts)
        figures.add("sender_peak_megabytes", peaks.0)
        figures.add("receiver_peak_megabytes", peaks.1)
        figures.add("database_bytes_per_post", Double(pair.receiver.databaseBytes) / posts)
        return figures
    }
}

extension Figures {
    /// Adds what share of this machine's best the figures are; 1: the machine could do no better.
    mutating func addShares(ofFirstSync size: SizeOptions, of limits: MachineLimits) {
        let floor = limits.floorMicroseconds(
            wireBytes: self["bytes_per_post"] ?? .nan,
            postsPerWriter: Double(size.posts) / Double(max(1, size.writers))
        )
        add("share_of_sqlite_posts_per_second", (self["posts_per_second"] ?? .nan) / limits.inserts)
        add("cpu_floor_microseconds_per_post", floor)
        add("share_of_cpu_floor", floor / (self["cpu_microseconds_per_post"] ?? .nan))
    }
}
