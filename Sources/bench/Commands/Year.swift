import ArgumentParser
import Foundation

// usage: bench year [--entries N,N,…] [--people N] [--output DIRECTORY] [--json]

struct Year: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A year of a campus, from the entries of some days.",
        discussion: """
            Example: bench year --entries 1000000,10000000

            So many people write thirty posts and a hundred votes a day each. A store is filled with the entries, as they \
            come in life; at each of the numbers given its size is read, and its node is started. Then an empty node meets \
            it, later one that lacks the last hour, and a few thousand entries come live. The last lines multiply what was \
            measured by the entries of a year: nothing else is assumed, and nothing is ever dropped. Ten million entries \
            take 8 GB of disk for a while.
            """
    )

    @Option(help: "Entries in the store when it is looked at, ascending.", transform: NumberList.init)
    var entries = NumberList([1_000_000])

    @Option(help: "People on the campus.", transform: WholeNumber.atLeastOne)
    var people = 20_000

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    /// Entries in one batch.
    private static let portion = 10_000
    private static let hoursPerDay = 24
    /// Number and rate of the live entries.
    private static let live = (entries: 5_000, perSecond: 1_000)

    func run() async throws {
        try common.requireProgram()
        let last = entries.numbers.max() ?? 0
        var days = try CampusDays(
            people: people,
            seed: common.seed,
            days: last / (people * CampusDays.entriesPerDay) + 1
        )
        let pair = try Pair()
        var looks: [Figures] = []
        var held = 0
        for count in entries.numbers.sorted() {
            let filled = try fill(pair.sender, from: &days, count - held)
            held = count
            let found = try look(at: pair.sender, entries: count, filled: filled)
            // Prints progress: it takes long.
            tell(found)
            looks.append(found)
        }
        let met = try meet(pair, entries: held)
        tell(met)
        let hour = try missAnHour(pair, &days)
        let live = try await push()
        var year = Figures()
        year.add(looks.last ?? Figures())
        year.add(met)
        year.add(hour)
        year.add(live)
        let page = YearPage(people: people, looks: looks, figures: year)
        try output.write(page.markdown, as: "year.txt")
        try output.write(page.json + "\n", as: "year.json")
        print(common.json ? page.json : page.markdown)
    }

    private func tell(_ figures: Figures) {
        FileHandle.standardError.write(Data((figures.text(.pairs) + "\n").utf8))
    }

    /// Fills the home; returns the seconds that the store took, without making and signing the entries.
    private func fill(_ home: TemporaryHome, from days: inout CampusDays, _ count: Int) throws -> Double {
        var seconds = 0.0
        try home.fill { store in
            var left = count
            while left > 0 {
                let chunks = try days.write(min(left, Self.portion))
                left -= min(left, Self.portion)
                let begun = Stopwatch.now()
                try store.put(chunks, from: days.source)
                seconds += Stopwatch.now() - begun
            }
        }
        return seconds
    }

    private func look(at home: TemporaryHome, entries: Int, filled: Double) throws -> Figures {
        var figures = Figures()
        figures.add("entries", Double(entries))
        figures.add("fill_seconds", filled)
        figures.add("database_megabytes", Double(home.databaseBytes) / 1e6)
        figures.add("database_bytes_per_entry", Double(home.databaseBytes) / Double(entries))
        // The first start finds the file in or out of the page cache as the filling left it: the median of three
        // counts.
        var starts: [Double] = []
        var peak = 0.0
        for _ in 0..<3 {
            let node = try RunningNode(home, program: common.scurry)
            starts.append(node.startMilliseconds)
            peak = max(peak, try node.usage().peakMegabytes)
            node.stop()
        }
        figures.add("start_milliseconds", Quantile.of(starts, 0.5))
        figures.add("started_peak_megabytes", peak)
        figures.add("feed_milliseconds", try ProgramStart(common, home).milliseconds(["feed"], times: 11))
        return figures
    }

    private func meet(_ pair: Pair, entries: Int) throws -> Figures {
        let meeting = try Meeting(pair, common, within: 7_200)
        let peaks = try (meeting.sender.usage().peakMegabytes, meeting.receiver.usage().peakMegabytes)
        let count = Double(entries)
        var figures = Figures()
        figures.add("first_sync_seconds", meeting.spent.wall)
        figures.add("first_sync_entries_per_second", count / meeting.spent.wall)
        figures.add("first_sync_cpu_microseconds_per_entry", meeting.spent.cpu * 1e6 / count)
        figures.add("first_sync_bytes_per_entry", meeting.spent.wire / count)
        figures.add("first_sync_sender_peak_megabytes", peaks.0)
        figures.add("first_sync_receiver_peak_megabytes", peaks.1)
        try pair.waitForCursors()
        meeting.end()
        return figures
    }

    private func missAnHour(_ pair: Pair, _ days: inout CampusDays) throws -> Figures {
        let count = people * CampusDays.entriesPerDay / Self.hoursPerDay
        _ = try fill(pair.sender, from: &days, count)
        let meeting = try Meeting(pair, common, within: 600)
        let bytes = try meeting.bytesUntilInStep()
        meeting.end()
        var figures = Figures()
        figures.add("hour_entries", Double(count))
        figures.add("hour_seconds", meeting.spent.wall)
        figures.add("hour_bytes_per_entry", bytes / Double(count))
        return figures
    }

    private func push() async throws -> Figures {
        // The first sitting comes before, as the certificates of people unknown to the receiver would be counted too.
        var fresh = try CampusDays(people: 500, seed: common.seed, days: 1)
        let first = try [fresh.write(500, each: 1)]
        let portion = Self.live.perSecond / 100
        let portions = try (0..<Self.live.entries / portion).map { _ in try fresh.write(portion, each: 1) }
        let push = try await LivePush([portions], after: first, perSecond: 100, common)
        var figures = Figures()
        figures.add("live_bytes_per_entry", push.wireBytes / Double(push.entries))
        figures.add(
            "live_receiver_cpu_microseconds_per_entry",
            push.receiverCPUSeconds * 1e6 / Double(push.entries)
        )
        return figures
    }
}
