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

    /// Milliseconds of each post from the moment at which the writer's node is handed it, to the commit of the reader's
    /// store and to the writer's answer.
    ///
    /// The request is encoded before, and answer and commit are looked at after: that is the measuring program's own
    /// work. A post is handed over at its time, or once the one before has arrived.
    mutating func send(_ count: Int, rate: Int) throws -> (stored: [Double], saved: [Double]) {
        let store = try reader.home.reader()
        let commits = try CommitWatch(reader.home.layout.store)
        let connection = try writer.connection()
        var stored: [Double] = []
        var saved: [Double] = []
        let begun = Stopwatch.now()
        for index in 0..<count {
            let post = try Post(salt: Salt(using: &generator), text: generator.text(bytes: bytes), channels: [])
            let payload = Data(Payload.post(post).encode())
            let request = EncodedRequest(.append(kind: EntryKind.post.rawValue, payload: payload))
            let arrival = try store.latestArrival()
            while Stopwatch.now() < begun + Double(index) / Double(rate) { usleep(200) }
            commits.forget()
            let sent = Stopwatch.now()
            try connection.begin(request)
            var answered: Double?
            // The commit's moment counts; whether it was this post's is checked afterwards.
            var committed: Double?
            while committed == nil {
                guard
                    let moment = commits.wait(
                        until: sent + Self.patienceSeconds,
                        answer: connection.descriptor,
                        &answered
                    )
                else { throw BenchError("a post did not arrive") }
                guard try store.latestArrival() > arrival else { continue }
                // Where there was another commit meanwhile, the post may be in that one.
                committed = commits.hasCommitted() ? Stopwatch.now() : moment
            }
            guard case .appended = try connection.response(to: request) else {
                throw BenchError("the post was refused")
            }
            saved.append(((answered ?? Stopwatch.now()) - sent) * 1_000)
            stored.append(((committed ?? sent) - sent) * 1_000)
        }
        return (stored, saved)
    }
}
