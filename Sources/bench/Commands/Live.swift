import ArgumentParser

// usage: bench live [--count N] [--rate N] [--runs N] [--json]

struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "One post after another, from the writer's command to the reader's store.",
        discussion: "Example: bench live --count 1000 --rate 100 --json"
    )

    @Option(help: "Posts to send.", transform: WholeNumber.atLeastOne)
    var count = 1_000

    @Option(help: "Posts a second.", transform: WholeNumber.atLeastOne)
    var rate = 100

    @Option(help: "Bytes of text in a post.", transform: WholeNumber.atLeastOne)
    var bytes = 200

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            var figures = try measure()
            figures.addShares(ofLive: try MachineLimits(posts: 10_000, writers: 100, bytes: bytes, liveRate: rate))
            return figures
        }
    }

    func measure() throws -> Figures {
        let writer = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
        let reader = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
        try reader.join(writer)
        try reader.waitUntilInStep()
        var posts = LiveSeries(from: writer, to: reader, bytes: bytes, seed: common.seed)
        let meter = try Meter([writer, reader])
        let (stored, saved) = try posts.send(count, rate: rate)
        let spent = try meter.read()
        var figures = Figures()
        figures.add("p50_milliseconds", Quantile.of(stored, 0.5))
        figures.add("p99_milliseconds", Quantile.of(stored, 0.99))
        figures.add("saved_p50_milliseconds", Quantile.of(saved, 0.5))
        figures.add("saved_p99_milliseconds", Quantile.of(saved, 0.99))
        figures.add("cpu_microseconds_per_post", spent.cpu * 1e6 / Double(count))
        figures.add("bytes_per_post", spent.wire / Double(count))
        return figures
    }
}

extension Figures {
    /// Adds the least time of a live post on this machine, at the measured rate and back to back, and the share of the
    /// first in the measured median.
    mutating func addShares(ofLive limits: MachineLimits) {
        add("limit_milliseconds", limits.paced.storedMilliseconds)
        add("saved_limit_milliseconds", limits.paced.savedMilliseconds)
        add("busy_limit_milliseconds", limits.busy.storedMilliseconds)
        add("share_of_limit", limits.paced.storedMilliseconds / (self["p50_milliseconds"] ?? .nan))
    }
}
