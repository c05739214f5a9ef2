import ArgumentParser
import Foundation
import Sync

// usage: bench compare [--runs N] [--output DIRECTORY] [--json]

struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Everything in one table, beside the goals and what others need for the same.",
        discussion: """
            Example: bench compare --runs 5 --output benchmarks

            limits, first-sync, catch-up, feed, live, sustained and frontier with their defaults, the median of the runs \
            each; behind it the goal, and for each of the others its figure as it is quoted and by how much ours is better \
            (below 1: worse). Every figure stands beside what the machine could do in the same run. --output writes \
            compare.txt and compare.json, and short.txt for those in a hurry.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    /// Logs of the frontier, and how many of them changed.
    private static let frontier = (logs: 1_000_000, changed: 100)

    func run() async throws {
        try common.requireProgram()
        let town = FrontierTown(logs: Self.frontier.logs, seed: common.seed)
        let tree = FingerprintTree(town.items)
        var runs: [Figures] = []
        for run in 1...max(1, common.runs) {
            tell("run \(run) of \(max(1, common.runs))")
            runs.append(try await measure(town, tree))
        }
        let medians = Figures.medians(of: runs)
        let page = ComparisonPage(medians: medians, runs: runs.count)
        try output.write(page.markdown, as: "compare.txt")
        try output.write(page.short, as: "short.txt")
        try output.write(medians.text(.json), as: "compare.json")
        print(common.json ? medians.text(.json) : page.markdown)
    }

    private func measure(_ town: FrontierTown, _ tree: FingerprintTree) async throws -> Figures {
        let size = try SizeOptions.parse([])
        let (starts, new) = (11, 100)
        let limits = try MachineLimits(size)
        let start = try ProgramStart(common, nil).milliseconds(["--version"], times: starts)
        var all = Figures()

        var pair = try Pair(size, seed: common.seed)
        var first = try FirstSync.measure(pair, size, common)
        first.addShares(ofFirstSync: size, of: limits)
        all.add(first, prefix: "first_sync_")
        var later = try CatchUp.measure(&pair, new: new, bytes: size.bytes, common)
        later.addShare(ofNew: new, of: limits)
        all.add(later)
        var live = try Live.parse(common.arguments + ["--count", "500"]).measure()
        live.addShares(ofLive: limits)
        all.add(live, prefix: "live_")
        var sustained = try await Sustained.parse(common.arguments).measure()
        sustained.addShare(ofSustained: limits)
        all.add(sustained, prefix: "sustained_")
        var feed = try Feed.measure(pair.sender, size, starts: starts, common)
        feed.addShares(ofFeed: limits, start: start)
        all.add(feed)
        for pattern in FrontierBench.Pattern.allCases {
            let found = try FrontierBench.measure(town, tree, changed: Self.frontier.changed, pattern, .staged)
            let bytes = (found["reconcile_bytes"] ?? .nan) + (found["items_bytes"] ?? .nan)
            all.add("frontier_\(pattern)_bytes", found["reconcile_bytes"] ?? .nan)
            all.add("frontier_\(pattern)_bytes_with_items", bytes)
            all.add("frontier_\(pattern)_cursor_share_of_bytes", found["cursor_share_of_bytes"] ?? .nan)
            all.add("frontier_\(pattern)_rounds", found["rounds"] ?? .nan)
            all.add("frontier_\(pattern)_cpu_milliseconds_both", found["cpu_milliseconds_both"] ?? .nan)
        }
        all.add("frontier_cursor_bytes_per_difference", Double(FrontierTown.logSizeBytes))
        all.add(limits.figures, prefix: "limit_")
        return all
    }

    /// Prints progress: a comparison takes minutes.
    private func tell(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
