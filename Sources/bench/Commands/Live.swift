import ArgumentParser
import Storage
import Transport
import Entries
import Foundation
import Sodium

// usage: bench live [--count N] [--rate N] [--runs N] [--json]

struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "One post after another, from the writer's command to the reader's store.",
        discussion: "Example: bench live --count 1000 --rate 100 --json"
    )

    @Option(help: "Posts to send.")
    var count = 1_000

    @Option(help: "Posts a second.")
    var rate = 100

    @Option(help: "Bytes of text in a post.")
    var bytes = 200

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report(measure)
    }

    func measure() throws -> Figures {
        let writer = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
        let reader = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
        try reader.join(writer)
        try Stopwatch.wait(for: "two nodes in step", seconds: 30) {
            try reader.status().peers.contains { $0.isInStep }
        }
        var generator = Generator(seed: common.seed)
        let store = try reader.home.reader()
        var stored: [Double] = []
        var saved: [Double] = []
        let meter = try Meter([writer, reader])
        let begun = Stopwatch.now()
        for index in 0..<count {
            while Stopwatch.now() < begun + Double(index) / Double(rate) { usleep(200) }
            let text = String(repeating: "squirrel ", count: bytes / 9 + 1).prefix(bytes)
            let post = try Post(salt: Salt(using: &generator), text: String(text), channels: [])
            let arrival = try store.latestArrival()
            let sent = Stopwatch.now()
            let request = ControlRequest.append(
                kind: EntryKind.post.rawValue,
                payload: Data(Payload.post(post).encode())
            )
            guard case .appended = try writer.send(request) else { throw BenchError("the post was refused") }
            saved.append((Stopwatch.now() - sent) * 1000)
            try Stopwatch.wait(for: "a post to arrive", seconds: 10, every: 50) {
                try store.latestArrival() > arrival
            }
            stored.append((Stopwatch.now() - sent) * 1000)
        }
        let spent = try meter.read()
        var figures = Figures()
        figures.add("p50_milliseconds", Quantile.of(stored, 0.5))
        figures.add("p99_milliseconds", Quantile.of(stored, 0.99))
        figures.add("saved_p50_milliseconds", Quantile.of(saved, 0.5))
        figures.add("saved_p99_milliseconds", Quantile.of(saved, 0.99))
        figures.add("cpu_microseconds_per_post", spent.cpu * 1e6 / Double(count))
        figures.add("bytes_per_post", spent.wire / Double(count))
        return figures
    }
}
