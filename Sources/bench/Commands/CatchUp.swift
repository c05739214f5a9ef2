import ArgumentParser
import Storage
import Transport

// usage: bench catch-up [--new N] [--posts N] [--writers N] [--bytes N] [--runs N] [--json]

struct CatchUp: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A node that holds all but the newest posts comes back; then nothing is new.",
        discussion: "Example: bench catch-up --new 100 --posts 100000 --json"
    )

    @Option(help: "Posts that are new, each by another writer in turn.")
    var new = 100

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report { try Self.measure(new: new, size, common) }
    }

    /// One run: first with so many new posts, then with none.
    static func measure(new: Int, _ size: SizeOptions, _ common: CommonOptions) throws -> Figures {
        var pair = try Pair(size, seed: common.seed)
        do {
            let expected = try pair.sender.reader().fingerprint().fingerprint
            let sender = try RunningNode(pair.sender, program: common.scurry)
            let receiver = try RunningNode(pair.receiver, program: common.scurry)
            try receiver.join(sender)
            try receiver.waitUntilEqual(to: expected, seconds: 600)
            // A node that is stopped before has no cursor yet, and would compare the whole next time.
            try receiver.waitUntilInStep()
            receiver.stop()
            sender.stop()
        }
        try pair.receiver.writePeers([])
        var figures = Figures()
        for (name, posts) in [("new", new), ("nothing_new", 0)] {
            if posts > 0 { try pair.add(posts: posts, bytes: size.bytes) }
            let spent = try reconnect(pair, common)
            figures.add("\(name)_milliseconds", spent.wall * 1000)
            figures.add("\(name)_bytes", spent.wire)
            figures.add("\(name)_cpu_milliseconds_both", spent.cpu * 1000)
        }
        return figures
    }

    /// From the moment at which the receiver is told whom to call until both are in step.
    private static func reconnect(_ pair: Pair, _ common: CommonOptions) throws -> (
        wall: Double, cpu: Double, wire: Double
    ) {
        let expected = try pair.sender.reader().fingerprint().fingerprint
        let sender = try RunningNode(pair.sender, program: common.scurry)
        let receiver = try RunningNode(pair.receiver, program: common.scurry)
        let meter = try Meter([sender, receiver])
        try receiver.join(sender)
        try receiver.waitUntilEqual(to: expected, seconds: 60)
        var spent = try meter.read()
        // The bytes count until both know that they are in step; the time, until the posts are stored.
        try receiver.waitUntilInStep()
        spent.wire = try meter.read().wire
        receiver.stop()
        sender.stop()
        return spent
    }
}
