import Entries
import Foundation
import Sodium
import Storage
import Transport

/// Posts at a rate, each written when the one before has arrived.
struct LiveSeries {
    private static let patienceSeconds: Double = 30

    private let writer: RunningNode
    private let reader: RunningNode
    private let bytes: Int
    private var generator: Generator

    init(from writer: RunningNode, to reader: RunningNode, bytes: Int, seed: UInt64) {
        self.writer = writer
        self.reader = reader
        self.bytes = bytes
        generator = Generator(seed: seed)
    }

    /// Milliseconds of each post from the command to the reader's store, and to the writer's.
    mutating func send(_ count: Int, rate: Int) throws -> (stored: [Double], saved: [Double]) {
        let store = try reader.home.reader()
        let commits = try CommitWatch(reader.home.layout.store)
        let connection = try writer.connection()
        var stored: [Double] = []
        var saved: [Double] = []
        let begun = Stopwatch.now()
        for index in 0..<count {
            while Stopwatch.now() < begun + Double(index) / Double(rate) { usleep(200) }
            let post = try Post(salt: Salt(using: &generator), text: generator.text(bytes: bytes), channels: [])
            let payload = Data(Payload.post(post).encode())
            let arrival = try store.latestArrival()
            let sent = Stopwatch.now()
            guard case .appended = try connection.send(.append(kind: EntryKind.post.rawValue, payload: payload)) else {
                throw BenchError("the post was refused")
            }
            saved.append((Stopwatch.now() - sent) * 1_000)
            // The commit time counts; whether it was the commit of this post is checked afterwards.
            var committed = sent
            repeat {
                guard commits.wait(until: sent + Self.patienceSeconds) else {
                    throw BenchError("a post did not arrive")
                }
                committed = Stopwatch.now()
            } while try store.latestArrival() <= arrival
            stored.append((committed - sent) * 1_000)
        }
        return (stored, saved)
    }
}
