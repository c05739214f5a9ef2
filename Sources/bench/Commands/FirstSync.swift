import ArgumentParser
import Storage
import Transport

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
        try common.report { try Self.measure(size, common) }
    }

    /// One run: what both sides spent, and its share of what the machine can do.
    static func measure(_ size: SizeOptions, _ common: CommonOptions) throws -> Figures {
        let pair = try Pair(size, seed: common.seed)
        let expected = try pair.sender.reader().fingerprint().fingerprint
        let sender = try RunningNode(pair.sender, program: common.scurry)
        let receiver = try RunningNode(pair.receiver, program: common.scurry)
        let meter = try Meter([sender, receiver])
        try receiver.join(sender)
        try receiver.waitUntilEqual(to: expected, seconds: 600)
        let spent = try meter.read()
        let peaks = try (sender.usage().peakMegabytes, receiver.usage().peakMegabytes)
        receiver.stop()
        sender.stop()

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
        let limits = try MachineLimits(posts: size.posts, writers: size.writers, bytes: size.bytes)
        let floor = limits.floorMicroseconds(
            wireBytes: spent.wire / posts,
            postsPerWriter: posts / Double(max(1, size.writers))
        )
        figures.add("share_of_sqlite_posts_per_second", posts / spent.wall / limits.inserts)
        figures.add("cpu_floor_microseconds_per_post", floor)
        figures.add("share_of_cpu_floor", floor / (spent.cpu * 1e6 / posts))
        return figures
    }
}
