import ArgumentParser

// usage: bench sustained [--rate N] [--seconds N] [--writers N] [--lanes N] [--bytes N] [--runs N] [--json]

struct Sustained: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Live posts by many writers, as fast as is asked for, from one node's store into another's.",
        discussion: """
            Example: bench sustained --rate 12500 --seconds 5 --json

            A node in this process is brought a hundredth of a second's posts at a time, each signed by its writer, and \
            pushes them to a scurry process that verifies and stores them. The writers are parted in lanes, which do not \
            wait for each other. The lag is how long after the last post was brought the other one held everything.
            """
    )

    // Above the goal: at the goal itself no stall could be made up for.
    @Option(help: "Posts a second.", transform: WholeNumber.atLeastOne)
    var rate = 12_500

    @Option(help: "Seconds for which they come.", transform: WholeNumber.atLeastOne)
    var seconds = 5

    @Option(help: "Writers of the posts, each with a log of its own.", transform: WholeNumber.atLeastOne)
    var writers = 1_000

    @Option(help: "Bytes of text in a post.", transform: WholeNumber.atLeastOne)
    var bytes = 200

    @Option(
        help: "Lanes of writers: each brings its next posts once the last are stored at the source.",
        transform: WholeNumber.atLeastOne
    )
    var lanes = 4

    @OptionGroup var common: CommonOptions

    private static let portionsPerSecond = 100

    func validate() throws {
        guard lanes > 0, lanes <= writers else { throw ValidationError("a lane has a writer at least") }
    }

    func run() async throws {
        try common.requireProgram()
        var runs: [Figures] = []
        for _ in 0..<max(1, common.runs) {
            var figures = try await measure()
            figures.addShare(ofSustained: try MachineLimits(posts: 10_000, writers: writers, bytes: bytes))
            runs.append(figures)
        }
        print(Figures.medians(of: runs).text(common.json ? .json : .lines))
    }

    func measure() async throws -> Figures {
        let portion = max(1, rate / Self.portionsPerSecond)
        let count = rate * seconds / portion / lanes
        let lanes = try (0..<lanes).map { lane in
            var crowd = try Crowd(
                count: writers / self.lanes,
                seed: common.seed &+ UInt64(lane),
                posts: rate * seconds / self.lanes
            )
            return try (0..<count).map { _ in try crowd.write(posts: portion, bytes: bytes) }
        }
        let push = try await LivePush(lanes, perSecond: Self.portionsPerSecond, common)
        let posts = Double(push.entries)
        var figures = Figures()
        figures.add("posts", posts)
        figures.add("brought_posts_per_second", posts / push.broughtSeconds)
        figures.add("stored_posts_per_second", posts / push.storedSeconds)
        figures.add("lag_milliseconds", (push.storedSeconds - push.broughtSeconds) * 1000)
        figures.add("receiver_cpu_microseconds_per_post", push.receiverCPUSeconds * 1e6 / posts)
        figures.add("receiver_peak_megabytes", push.receiverPeakMegabytes)
        figures.add("bytes_per_post", push.wireBytes / posts)
        return figures
    }
}

extension Figures {
    /// Adds the posts a second that one thread can verify and store on this machine, and the processor time that this
    /// needs as a share of the receiver's.
    mutating func addShare(ofSustained limits: MachineLimits) {
        add("limit_posts_per_second", limits.verifiedPosts)
        let least = 1e6 / limits.verifiedPosts
        add("share_of_cpu_limit", least / (self["receiver_cpu_microseconds_per_post"] ?? .nan))
    }
}
