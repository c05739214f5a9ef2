import ArgumentParser
import Entries
import Foundation
import Storage

// usage: bench feed [--posts N] [--writers N] [--starts N] [--runs N] [--json]

struct Feed: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "The reading commands, from the start of the process to the last byte of its output; and the store alone.",
        discussion: """
            Example: bench feed --posts 100000 --starts 21 --json

            Figures named store_ are of twenty posts out of the open store, in this process: the newest page, the page \
            behind any post, one author's newest, and a thread of twenty.
            """
    )

    @Option(help: "How often each command is started; the median counts.", transform: WholeNumber.atLeastOne)
    var starts = 21

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            var figures = try Self.measure(Pair(size, seed: common.seed).sender, size, starts: starts, common)
            figures.addShares(
                ofFeed: try MachineLimits(size),
                start: try ProgramStart(common, nil).milliseconds(["--version"], times: starts)
            )
            return figures
        }
    }

    /// Measures a home whose node is not running; adds a thread to it.
    static func measure(_ home: TemporaryHome, _ size: SizeOptions, starts: Int, _ common: CommonOptions) throws
        -> Figures
    {
        var figures = try StoreReading.measure(home, bytes: size.bytes, seed: common.seed)
        let program = ProgramStart(common, home)
        let newest = try program.output(["feed", "--json", "-n", "1"])
        guard let object = try JSONSerialization.jsonObject(with: newest) as? [String: Any],
            let id = object["id"] as? String
        else { throw BenchError("the feed's JSON has no id") }
        let commands = [
            ("feed", ["feed"]), ("feed_json_100", ["feed", "--json", "-n", "100"]),
            ("feed_before", ["feed", "--before", id]), ("feed_channel", ["feed", "-c", "campus"]),
            ("show", ["show", id]), ("status", ["status"]),
        ]
        for (name, arguments) in commands {
            figures.add("\(name)_milliseconds", try program.milliseconds(arguments, times: starts))
        }
        return figures
    }
}

extension Figures {
    /// Adds, as shares of the measured times, the reading of the same twenty rows in C, and the start of the same
    /// program without reading.
    mutating func addShares(ofFeed limits: MachineLimits, start: Double) {
        add("store_page_share_of_sqlite", limits.pageMicroseconds / 1_000 / (self["store_page_milliseconds"] ?? .nan))
        add("program_start_milliseconds", start)
        add("feed_share_of_program_start", start / (self["feed_milliseconds"] ?? .nan))
    }
}
