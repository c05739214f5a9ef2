import Entries
import Foundation
import Sodium
import Storage
import Transport

/// The messages by which two connected nodes know that they hold the same.
///
/// They are sent a moment after the last other message, and every half minute: one post is written, and the node itself
/// counts what crosses the connection between its arrival and the moment at which both know.
enum OpenComparison {
    /// Pause after the arrival of the post: its answer has passed by then, and the comparison has not begun.
    private static let pauseMicroseconds: UInt32 = 60_000

    static func measure(_ pair: Pair, _ common: CommonOptions) throws -> Figures {
        let meeting = try Meeting(pair, common, until: .inStep)
        defer { meeting.end() }
        let (writer, reader) = (meeting.sender, meeting.receiver)
        let store = try reader.home.reader()
        let arrival = try store.latestArrival()
        var generator = Generator(seed: common.seed)
        let post = try Post(salt: Salt(using: &generator), text: generator.text(bytes: 200), channels: [])
        let payload = Data(Payload.post(post).encode())
        guard case .appended = try writer.send(.append(kind: EntryKind.post.rawValue, payload: payload)) else {
            throw BenchError("the post was refused")
        }
        try Stopwatch.wait(for: "a post to arrive", seconds: 30, every: 500) { try store.latestArrival() > arrival }
        usleep(pauseMicroseconds)

        let device = try Loopback.bytes()
        let first = try Count(reader)
        guard !first.isInStep else { throw BenchError("the nodes compared before the post was read") }
        var last = first
        var words = (received: 0, sent: 0)
        try Stopwatch.wait(for: "two nodes in step", seconds: 30, every: 1_000) {
            let now = try Count(reader)
            words.received += now.received > last.received ? 1 : 0
            words.sent += now.sent > last.sent ? 1 : 0
            last = now
            return now.isInStep
        }
        var figures = Figures()
        figures.add("bytes", Double(last.received + last.sent - first.received - first.sent))
        figures.add("device_bytes", Double(try Loopback.bytes() - device))
        // A node that has sent its own KeepAlive and got the other's knows; neither waits for an answer.
        figures.add("round_trips", Double(max(words.received, words.sent)))
        return figures
    }

    private struct Count {
        let received: UInt64
        let sent: UInt64
        let isInStep: Bool

        init(_ node: RunningNode) throws {
            guard let peer = try node.status().peers.first else { throw BenchError("the nodes lost each other") }
            (received, sent, isInStep) = (UInt64(peer.bytesReceived), UInt64(peer.bytesSent), peer.isInStep)
        }
    }
}
