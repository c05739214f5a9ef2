import ArgumentParser
import Entries
import Foundation
import Sodium
import Storage
import Transport

// usage: bench slow-reader [--peers N] [--count N] [--rate N] [--posts N] [--writers N] [--bytes N] [--json]

struct SlowReader: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A node with a reader in step, without and with peers that ask for everything and read nothing.",
        discussion: "Example: bench slow-reader --peers 32 --posts 100000 --json"
    )

    @Option(help: "Peers that read nothing, at most 46.")
    var peers = 32

    @Option(help: "Live posts for each of the two figures.")
    var count = 500

    @Option(help: "Live posts a second.")
    var rate = 50

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            let holder = try TemporaryHome(of: .person)
            var crowd = try Crowd(
                network: NetworkID(name: TemporaryHome.network),
                count: size.writers,
                seed: common.seed,
                endingAt: UInt64(Date().timeIntervalSince1970 * 1000) - 86_400_000,
                posts: size.posts
            )
            let chunks = try crowd.write(posts: size.posts, bytes: size.bytes)
            let filled = crowd
            try holder.fill { try filled.put(chunks, into: $0) }
            let writer = try RunningNode(holder, program: common.scurry)
            let reader = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
            try reader.join(writer)
            try Stopwatch.wait(for: "two nodes in step", seconds: 600) {
                try reader.status().peers.contains { $0.isInStep }
            }
            var generator = Generator(seed: common.seed)
            var figures = Figures()
            let quiet = try live(writer, reader, &generator)
            let quietPeak = try writer.usage().peakMegabytes
            figures.add("quiet_live_p50_milliseconds", Quantile.of(quiet, 0.5))
            figures.add("quiet_live_p99_milliseconds", Quantile.of(quiet, 0.99))
            figures.add("quiet_peak_megabytes", quietPeak)
            // One after the other: only a few who have not said who they are may wait at a node's door.
            let slow = try (0..<peers).map { try SlowPeer(asking: writer.address, number: $0) }
            try Stopwatch.wait(for: "the slow peers", seconds: 60) { try writer.status().peers.count == peers + 1 }
            let meanwhile = try live(writer, reader, &generator)
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

    /// Milliseconds from the writer's command to the reader's store, for one post after another.
    private func live(_ writer: RunningNode, _ reader: RunningNode, _ generator: inout Generator) throws -> [Double] {
        let store = try reader.home.reader()
        var stored: [Double] = []
        let begun = Stopwatch.now()
        for index in 0..<count {
            while Stopwatch.now() < begun + Double(index) / Double(rate) { usleep(200) }
            let post = try Post(salt: Salt(using: &generator), text: "squirrel \(index)", channels: [])
            let payload = Data(Payload.post(post).encode())
            let arrival = try store.latestArrival()
            let sent = Stopwatch.now()
            guard case .appended = try writer.send(.append(kind: EntryKind.post.rawValue, payload: payload)) else {
                throw BenchError("the post was refused")
            }
            try Stopwatch.wait(for: "a post to arrive", seconds: 30, every: 50) {
                try store.latestArrival() > arrival
            }
            stored.append((Stopwatch.now() - sent) * 1000)
        }
        return stored
    }
}
