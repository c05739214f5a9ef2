import Entries
import Foundation
import Sodium
import Storage

/// A campus that writes all year: each person thirty posts and a hundred votes a day, a few of them at a sitting.
///
/// Everybody has one sitting in each of the day's 26 rounds, in an order that differs from round to round, so that
/// entries reach a store spread over all logs, as in life. Three of thirteen entries are posts of some 200 bytes, every
/// second of these a reply; the votes are for recent posts.
struct CampusDays {
    static let entriesPerDay = 130
    static let roundsPerDay = 26

    /// The peer recorded as the source of the entries.
    let source: NodeID
    private var writers: [Writer]
    private var generator: Generator
    private var recent: [Written] = []
    private var turn = 0
    private var entries = 0
    private let start: UInt64

    private struct Written {
        let post: EntryID
        let root: EntryID
    }

    /// Posts that replies and votes choose from.
    private static let recentPosts = 100_000
    /// A prime larger than any number of people: its multiples visit every person.
    private static let stride = 1_000_003
    private static let postBytes = 200

    init(people: Int, seed: UInt64, days: Int) throws {
        var generator = Generator(seed: seed)
        start = UInt64(Date().timeIntervalSince1970 * 1_000) - UInt64(days + 1) * 86_400_000
        let start = start
        writers = try (0..<people).map {
            try Writer(
                network: NetworkID(name: TemporaryHome.network),
                generator: &generator,
                serial: start + UInt64($0)
            )
        }
        guard let source = NodeID(generator.bytes(32)) else { throw BenchError("a node id has 32 bytes") }
        self.source = source
        self.generator = generator
    }

    /// Writes `count` entries, `each` at a sitting; each chunk is one sitting of one person.
    mutating func write(_ count: Int, each: Int = entriesPerDay / roundsPerDay) throws -> [VerifiedChunk] {
        var chunks: [VerifiedChunk] = []
        var left = count
        while left > 0 {
            let (round, place) = turn.quotientAndRemainder(dividingBy: writers.count)
            let person = (place &* Self.stride &+ round &* 7_919) % writers.count
            let time = start + UInt64(turn) * 86_400_000 * UInt64(each) / UInt64(Self.entriesPerDay * writers.count)
            for _ in 0..<min(each, left) { try write(person, at: time) }
            left -= min(each, left)
            turn += 1
            if let chunk = writers[person].sign() { chunks.append(chunk) }
        }
        return chunks
    }

    private mutating func write(_ person: Int, at time: UInt64) throws {
        entries += 1
        guard entries % 13 < 3 || recent.isEmpty else {
            let value: Vote.Value = generator.next() % 5 == 0 ? .down : .up
            let vote = try Vote(choices: [Vote.Choice(post: any().post, value: value)])
            _ = writers[person].write(.vote(vote), time: time)
            return
        }
        let answered = entries % 2 == 0 && !recent.isEmpty ? any() : nil
        let post = try Post(
            salt: Salt(using: &generator),
            text: generator.text(bytes: Self.postBytes),
            reply: answered.map { Post.Reply(parent: $0.post, root: $0.root) }
        )
        let id = writers[person].write(.post(post), time: time)
        let written = Written(post: id, root: answered?.root ?? id)
        if recent.count < Self.recentPosts {
            recent.append(written)
        } else {
            recent[Int(generator.next() % UInt64(recent.count))] = written
        }
    }

    private mutating func any() -> Written {
        recent[Int(generator.next() % UInt64(recent.count))]
    }
}
