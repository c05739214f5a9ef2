import ArgumentParser
import Entries
import Foundation
import Logging
import Sodium
import Storage
import Transport

// usage: bench replay --posts FILE --messages FILE [--live SHARE] [--json]

struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A real campus: its people on three nodes, its messages as posts, replies and votes.",
        discussion: """
            Example: bench replay --posts campus-posts.jsonl.gz --messages CollegeMsg.txt

            Each person's log is in one of three homes, which are filled before their nodes start. The three meet over \
            TCP in a line, and hold the same; then one more peer joins, catches up, and brings the last part of the \
            messages live. It ends when the three fingerprints are equal to that peer's.
            """
    )

    @Option(help: "Campus posts, JSON lines, may be gzipped: channel, created, title, body, ups, downs.")
    var posts: String

    @Option(help: "Campus messages, a line each: from, to, Unix seconds.")
    var messages: String

    @Option(help: "Which share of the messages comes live.")
    var live = 0.2

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (0...1).contains(live) else { throw ValidationError("--live takes a share from 0 to 1") }
    }

    func run() async throws {
        let network = NetworkID(name: TemporaryHome.network)
        let begun = Stopwatch.now()
        var load = try CampusLoad(
            messages: CampusMessage.load(messages),
            texts: CampusPost.load(posts),
            network: network,
            seed: common.seed
        )
        let homes = try (0..<3).map { _ in try TemporaryHome(of: .hub) }
        let before = Int(Double(load.messageCount) * (1 - live))
        let chunks = try load.advance(to: before).sorted().compactMap { person in
            load.sign(person).map { (home: person % 3, chunk: $0) }
        }
        for (index, home) in homes.enumerated() {
            try home.fill { try $0.put(chunks.filter { $0.home == index }.map(\.chunk), from: Self.source) }
        }
        let filled = Stopwatch.now() - begun

        let nodes = try homes.map { try RunningNode($0, program: common.scurry) }
        let meter = try Meter(nodes)
        try nodes[0].join(nodes[1])
        try nodes[2].join(nodes[1])
        try Stopwatch.wait(for: "three equal fingerprints", seconds: 300) { try Self.areEqual(homes, count: nil) }
        let met = try meter.read()

        let guest = try TemporaryHome(of: .hub)
        try guest.writePeers([nodes[1].address])
        let node = try await Node.open(
            Home(opening: guest.layout),
            options: NodeOptions(listen: nil),
            log: Logger(label: "bench")
        )
        let running = Task { await node.run() }
        try Stopwatch.wait(for: "the guest to catch up", seconds: 300) {
            try Self.areEqual(homes + [guest], count: nil)
        }
        let joined = try meter.read()

        for count in before + 1...max(before + 1, load.messageCount) {
            let fresh = try load.advance(to: count).sorted().compactMap { load.sign($0) }
            try await node.bring(fresh)
        }
        let logs = load.people.count
        try Stopwatch.wait(for: "four equal fingerprints", seconds: 300) {
            try Self.areEqual(homes + [guest], count: load.entries)
        }
        let spent = try meter.read()
        let usage = try nodes.map { try $0.usage() }
        let fingerprint = try homes[0].reader().fingerprint()
        node.stop()
        await running.value
        for node in nodes { node.stop() }

        let entries = Double(load.entries)
        var figures = Figures()
        figures.add("entries", entries)
        figures.add("posts", Double(load.posts))
        figures.add("replies", Double(load.replies))
        figures.add("votes", Double(load.votes))
        figures.add("people", Double(logs))
        figures.add("fill_seconds", filled)
        figures.add("meet_wall_seconds", met.wall)
        figures.add("guest_wall_seconds", joined.wall - met.wall)
        figures.add("live_wall_seconds", spent.wall - joined.wall)
        figures.add("wall_seconds", spent.wall)
        figures.add("cpu_seconds_three_nodes", spent.cpu)
        figures.add("wire_bytes_per_entry", spent.wire / entries)
        figures.add("peak_megabytes", usage.map(\.peakMegabytes).max() ?? 0)
        figures.add("database_bytes", Double(homes[0].databaseBytes))
        figures.add("database_bytes_per_entry", Double(homes[0].databaseBytes) / entries)
        print(figures.text(common.json ? .json : .lines))
        if !common.json { print("fingerprint, three times: \(fingerprint.fingerprint)") }
    }

    /// The peer recorded as the source of the homes' first entries.
    private static let source = NodeID(raw: .zero)

    /// Whether all homes hold the same, and `count` entries if it is given.
    private static func areEqual(_ homes: [TemporaryHome], count: Int?) throws -> Bool {
        let reports = try homes.map { try $0.reader().fingerprint() }
        guard let first = reports.first else { return true }
        return reports.allSatisfy { $0.fingerprint == first.fingerprint && (count ?? $0.entries) == $0.entries }
    }
}
