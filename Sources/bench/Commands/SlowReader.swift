import ArgumentParser
import Transport

// usage: bench slow-reader [--peers N] [--count N] [--rate N] [--posts N] [--writers N] [--bytes N] [--json]

struct SlowReader: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A node with a reader in step, without and with peers that ask for everything and read nothing.",
        discussion: "Example: bench slow-reader --peers 32 --posts 100000 --json"
    )

    @Option(help: "Peers that read nothing, at most 46.", transform: WholeNumber.atLeastZero)
    var peers = 32

    @Option(help: "Live posts for each of the two figures.", transform: WholeNumber.atLeastOne)
    var count = 500

    @Option(help: "Live posts a second.", transform: WholeNumber.atLeastOne)
    var rate = 50

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard peers <= 46 else { throw ValidationError("--peers takes 46 at most") }
    }

    func run() throws {
        try common.report {
            let holder = try TemporaryHome(of: .person, holding: size, seed: common.seed)
            let writer = try RunningNode(holder, program: common.scurry)
            let reader = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
            try reader.join(writer)
            try reader.waitUntilInStep(seconds: 600)
            var posts = LiveSeries(from: writer, to: reader, bytes: 200, seed: common.seed)
            var figures = Figures()
            let quiet = try posts.send(count, rate: rate).stored
            let quietPeak = try writer.usage().peakMegabytes
            figures.add("quiet_live_p50_milliseconds", Quantile.of(quiet, 0.5))
            figures.add("quiet_live_p99_milliseconds", Quantile.of(quiet, 0.99))
            figures.add("quiet_peak_megabytes", quietPeak)
            // One after the other: a node accepts few connections at once that have not authenticated.
            let slow = try (0..<peers).map { try SlowPeer(asking: writer.address, number: $0) }
            try Stopwatch.wait(for: "the slow peers", seconds: 60) { try writer.status().peers.count == peers + 1 }
            let meanwhile = try posts.send(count, rate: rate).stored
            let peak = try writer.usage().peakMegabytes
            figures.add("slow_peers", Double(peers))
            figures.add("slow_peers_still_connected", Double(try writer.status().peers.count - 1))
            figures.add("slow_live_p50_milliseconds", Quantile.of(meanwhile, 0.5))
            figures.add("slow_live_p99_milliseconds", Quantile.of(meanwhile, 0.99))
            figures.add("slow_peak_megabytes", peak)
            figures.add("megabytes_per_slow_peer", (peak - quietPeak) / Double(max(peers, 1)))
            withExtendedLifetime(slow) {}
            return figures
        }
    }
}
