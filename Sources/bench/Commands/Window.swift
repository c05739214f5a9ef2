import ArgumentParser
import Foundation
import Storage

// usage: bench window [--posts N] [--writers N] [--bytes N] [--runs N] [--json]

struct Window: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "An empty node that meets a long log: when its newest page can be read, and when all of it is there.",
        discussion: "Example: bench window --posts 200000 --runs 3 --json"
    )

    @Option(help: "Posts in all.", transform: WholeNumber.atLeastOne)
    var posts = 200_000

    @Option(help: "Writers of the posts, each with a log of its own.", transform: WholeNumber.atLeastOne)
    var writers = 1

    @Option(help: "Bytes of text in a post.", transform: WholeNumber.atLeastOne)
    var bytes = 200

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            var size = SizeOptions()
            (size.posts, size.writers, size.bytes) = (posts, writers, bytes)
            let pair = try Pair(size, seed: common.seed)
            let page = FeedQuery(now: UInt64(Date().timeIntervalSince1970 * 1000), reader: nil)
            let newest = try pair.sender.reader().feed(page).posts.map(\.id)
            let sender = try RunningNode(pair.sender, program: common.scurry)
            let receiver = try RunningNode(pair.receiver, program: common.scurry)
            let meter = try Meter([sender, receiver])
            try receiver.join(sender)
            let reader = try pair.receiver.reader()
            try Stopwatch.wait(for: "the newest page", seconds: 600, every: 1000) {
                try reader.feed(page).posts.map(\.id) == newest
            }
            let readable = try meter.read()
            let gaps = try reader.fingerprint().gaps
            try receiver.waitUntilEqual(to: pair.sender, seconds: 600)
            let whole = try meter.read()
            receiver.stop()
            sender.stop()

            var figures = Figures()
            figures.add("newest_page_milliseconds", readable.wall * 1000)
            figures.add("newest_page_wire_bytes", readable.wire)
            figures.add("logs_with_gaps_then", Double(gaps))
            figures.add("whole_milliseconds", whole.wall * 1000)
            figures.add("whole_wire_bytes", whole.wire)
            figures.add("cpu_microseconds_per_post", whole.cpu * 1e6 / Double(posts))
            return figures
        }
    }
}
