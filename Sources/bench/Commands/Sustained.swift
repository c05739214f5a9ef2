import ArgumentParser
import Entries
import Foundation
import Logging
import Storage
import Transport

// usage: bench sustained [--rate N] [--seconds N] [--writers N] [--bytes N] [--runs N] [--json]

struct Sustained: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Live posts by many writers, as fast as is asked for, from one node's store into another's.",
        discussion: """
            Example: bench sustained --rate 10000 --seconds 5 --json

            A node in this process is brought a hundredth of a second's posts at a time, each signed by its writer, and \
            pushes them to a scurry process that verifies and stores them. The lag is how long after the last post was \
            brought the other one held everything.
            """
    )

    @Option(help: "Posts a second.")
    var rate = 10_000

    @Option(help: "Seconds for which they come.")
    var seconds = 5

    @Option(help: "Writers of the posts, each with a log of its own.")
    var writers = 1_000

    @Option(help: "Bytes of text in a post.")
    var bytes = 200

    @OptionGroup var common: CommonOptions

    private static let portionsPerSecond = 100

    func run() async throws {
        var runs: [Figures] = []
        for _ in 0..<max(1, common.runs) { runs.append(try await measure()) }
        print(Figures.medians(of: runs).text(common.json ? .json : .lines))
    }

    func measure() async throws -> Figures {
        let posts = rate * seconds
        let portion = max(1, rate / Self.portionsPerSecond)
        var crowd = try Crowd(
            network: NetworkID(name: TemporaryHome.network),
            count: writers,
            seed: common.seed,
            endingAt: UInt64(Date().timeIntervalSince1970 * 1000) - 86_400_000,
            posts: posts
        )
        let portions = try (0..<posts / portion).map { _ in try crowd.write(posts: portion, bytes: bytes) }

        let receiver = try RunningNode(TemporaryHome(of: .hub), program: common.scurry)
        let source = try TemporaryHome(of: .hub)
        try source.writePeers([receiver.address])
        let node = try await Node.open(
            Home(opening: source.layout),
            options: NodeOptions(listen: nil),
            log: Logger(label: "bench")
        )
        let running = Task { await node.run() }
        try Stopwatch.wait(for: "two nodes in step", seconds: 30) {
            try receiver.status().peers.contains { $0.isInStep }
        }
        let usage = try receiver.usage()
        let begun = Stopwatch.now()
        for (index, chunks) in portions.enumerated() {
            while Stopwatch.now() < begun + Double(index) / Double(Self.portionsPerSecond) { usleep(200) }
            try await node.bring(chunks)
        }
        let brought = Stopwatch.now()
        let expected = try source.reader().fingerprint().fingerprint
        try receiver.waitUntilEqual(to: expected, seconds: 120)
        let done = Stopwatch.now()
        let spent = try receiver.usage()
        node.stop()
        await running.value
        receiver.stop()

        var figures = Figures()
        figures.add("posts", Double(portions.count * portion))
        figures.add("brought_posts_per_second", Double(portions.count * portion) / (brought - begun))
        figures.add("stored_posts_per_second", Double(portions.count * portion) / (done - begun))
        figures.add("lag_milliseconds", (done - brought) * 1000)
        figures.add(
            "receiver_cpu_microseconds_per_post",
            (spent.cpuSeconds - usage.cpuSeconds) * 1e6 / Double(portions.count * portion)
        )
        figures.add("receiver_peak_megabytes", spent.peakMegabytes)
        return figures
    }
}
