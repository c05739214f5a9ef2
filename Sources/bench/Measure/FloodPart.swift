import Foundation

/// Some seconds of live posts both ways between two nodes, and what the attacked one spent in them.
struct FloodPart {
    let figures: Figures
    let wallSeconds: Double

    init(_ attacked: RunningNode, _ other: RunningNode, rate: Int, seconds: Int, seed: UInt64) throws {
        let count = max(1, rate * seconds / 2)
        let interval = 2 / Double(rate)
        let spent = try attacked.usage()
        let held = attacked.home.databaseBytes
        let begun = Stopwatch.now()
        let out = try LivePosts(
            from: attacked,
            to: other,
            count: count,
            interval: interval,
            start: begun,
            seed: seed
        )
        let back = try LivePosts(
            from: other,
            to: attacked,
            count: count,
            interval: interval,
            start: begun + interval / 2,
            seed: seed &+ 1_000
        )
        let (sent, received) = (try out.wait(), try back.wait())
        wallSeconds = Stopwatch.now() - begun
        let now = try attacked.usage()
        let latencies = sent.latencies + received.latencies
        var figures = Figures()
        figures.add("live_p50_milliseconds", Quantile.of(latencies, 0.5))
        figures.add("live_p99_milliseconds", Quantile.of(latencies, 0.99))
        figures.add("live_most_milliseconds", latencies.max() ?? 0)
        figures.add("sent_p99_milliseconds", Quantile.of(sent.latencies, 0.99))
        figures.add("received_p99_milliseconds", Quantile.of(received.latencies, 0.99))
        figures.add("saved_p99_milliseconds", Quantile.of(sent.saved, 0.99))
        figures.add("cpu_share", (now.cpuSeconds - spent.cpuSeconds) / wallSeconds)
        figures.add("peak_megabytes", now.peakMegabytes)
        figures.add("database_grown_megabytes", Double(attacked.home.databaseBytes - held) / 1e6)
        self.figures = figures
    }
}
