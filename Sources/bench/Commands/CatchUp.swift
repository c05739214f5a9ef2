import ArgumentParser

// usage: bench catch-up [--new N] [--posts N] [--writers N] [--bytes N] [--runs N] [--json]

struct CatchUp: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A node that holds all but the newest posts comes back; then nothing is new.",
        discussion: """
            Example: bench catch-up --new 100 --posts 100000 --json

            Figures named new_ are of two nodes that lost each other and know how far they had come (a cursor): both go on \
            running meanwhile. Those named new_started_ are of two that were both started anew, those named \
            new_without_cursor_ of two such that have to compare all they hold. The times begin when the node that comes back \
            is told whom to call: connecting is in them. Round trips are seen by how much longer it takes over a wire that \
            is 50 ms long; those of nothing_new_ are for connecting and greeting, and stand in all the others too. \
            open_nothing_new_ is what two nodes in step say to each other to know it, on a connection that is open.
            """
    )

    @Option(help: "Posts that are new, each by another writer in turn.", transform: WholeNumber.atLeastOne)
    var new = 100

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            var pair = try Pair(size, seed: common.seed)
            _ = try FirstSync.measure(pair, size, common)
            var figures = try Self.measure(&pair, new: new, bytes: size.bytes, common)
            figures.addShare(ofNew: new, of: try MachineLimits(size))
            return figures
        }
    }

    /// One-way delay of the link over which round trips are counted.
    private static let delayMilliseconds = 50.0

    /// Measures a pair of homes with the same contents.
    static func measure(_ pair: inout Pair, new: Int, bytes: Int, _ common: CommonOptions) throws -> Figures {
        var figures = Figures()
        try pair.forgetCursors()
        try pair.add(posts: new, bytes: bytes)
        try figures.add(exchange(pair, common), prefix: "new_without_cursor_")
        try pair.add(posts: new, bytes: bytes)
        try figures.add(exchange(pair, common), prefix: "new_started_")
        let again = try Meeting(again: &pair, posts: new, bytes: bytes, common)
        try figures.add(Self.figures(of: again, pair), prefix: "new_")
        let nothing = try exchange(pair, common, until: .inStep)
        figures.add(nothing, prefix: "nothing_new_")

        let empty = try Meeting(pair, common, over: .delayed(delayMilliseconds), until: .inStep)
        figures.add("nothing_new_round_trips", try roundTrips(empty, pair, beside: nothing))
        let far = try Meeting(again: &pair, posts: new, bytes: bytes, common, over: .delayed(delayMilliseconds))
        figures.add("new_round_trips", try roundTrips(far, pair, beside: figures.part("new_")))
        figures.add(try OpenComparison.measure(pair, common), prefix: "open_nothing_new_")
        return figures
    }

    /// Lets the nodes meet, and stops them once each has saved its cursor.
    private static func exchange(_ pair: Pair, _ common: CommonOptions, until end: Meeting.End = .stored) throws
        -> Figures
    {
        try figures(of: Meeting(pair, common, until: end), pair)
    }

    private static func figures(of meeting: Meeting, _ pair: Pair) throws -> Figures {
        var figures = Figures()
        figures.add("milliseconds", meeting.spent.wall * 1_000)
        // Bytes are counted until both are in step, time until the posts are stored.
        figures.add("bytes", try meeting.bytesUntilInStep())
        figures.add("cpu_milliseconds_both", meeting.spent.cpu * 1_000)
        try pair.waitForCursors()
        meeting.end()
        return figures
    }

    /// Round trips, from how much longer the meeting took over the delayed link.
    private static func roundTrips(_ meeting: Meeting, _ pair: Pair, beside short: Figures) throws -> Double {
        try meeting.receiver.waitUntilInStep()
        try pair.waitForCursors()
        meeting.end()
        let longer = meeting.spent.wall * 1_000 - (short["milliseconds"] ?? .nan)
        return longer / (2 * delayMilliseconds)
    }
}

extension Figures {
    /// Adds the least time for so many new posts on this machine, and its share of the time that was measured.
    mutating func addShare(ofNew new: Int, of limits: MachineLimits) {
        let least = limits.catchUpMilliseconds(new: new)
        add("new_limit_milliseconds", least)
        add("new_share_of_limit", least / (self["new_milliseconds"] ?? .nan))
    }
}
