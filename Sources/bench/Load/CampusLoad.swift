import Entries
import Foundation

/// The messages of the campus network as posts, replies and votes, in the order in which they were written.
///
/// A message is a reply where its receiver had written to its sender before: it answers the latest such message. The
/// texts are the campus posts in turn; the first use of each brings votes by distinct people.
struct CampusLoad {
    /// Upper bound of the votes for one text.
    static let votesPerText = 300

    private(set) var people: [Int: Writer] = [:]
    private(set) var posts = 0
    private(set) var replies = 0
    private(set) var votes = 0

    private let messages: [CampusMessage]
    private let texts: [CampusPost]
    private let everybody: [Int]
    private var generator: Generator
    private var next = 0
    /// The last post of each person to each other one, and its thread.
    private var latest: [Pairing: Written] = [:]

    private struct Pairing: Hashable {
        let sender: Int
        let receiver: Int
    }

    private struct Written {
        let post: EntryID
        let root: EntryID
    }

    init(messages: [CampusMessage], texts: [CampusPost], network: NetworkID, seed: UInt64) throws {
        self.messages = messages
        self.texts = texts
        var generator = Generator(seed: seed)
        everybody = Set(messages.flatMap { [$0.sender, $0.receiver] }).sorted()
        let first = (messages.first?.seconds ?? 0) * 1000
        for person in everybody {
            people[person] = try Writer(network: network, generator: &generator, serial: first)
        }
        self.generator = generator
    }

    var messageCount: Int { messages.count }

    /// Entries written so far.
    var entries: Int { posts + replies + votes }

    /// Writes the next messages, up to `count` in all; returns the people who have entries to sign (`sign`).
    mutating func advance(to count: Int) throws -> Set<Int> {
        var wrote: Set<Int> = []
        while next < min(count, messages.count) {
            let message = messages[next]
            let text = texts[next % texts.count]
            let time = message.seconds * 1000
            let answered = latest[Pairing(sender: message.receiver, receiver: message.sender)]
            let post = try Post(
                salt: Salt(using: &generator),
                text: Self.clipped(text.body, 60_000),
                title: Self.clipped(text.title, PayloadLimits.titleBytes),
                channels: Channel(text.channelName).map { [$0] } ?? [],
                reply: answered.map { Post.Reply(parent: $0.post, root: $0.root) }
            )
            guard let id = people[message.sender]?.write(.post(post), time: time) else { continue }
            wrote.insert(message.sender)
            latest[Pairing(sender: message.sender, receiver: message.receiver)] = Written(
                post: id,
                root: answered?.root ?? id
            )
            if answered == nil { posts += 1 } else { replies += 1 }
            if next < texts.count { try vote(on: id, as: text, time: time, wrote: &wrote) }
            next += 1
        }
        return wrote
    }

    mutating func sign(_ person: Int) -> VerifiedChunk? { people[person]?.sign() }

    private mutating func vote(on post: EntryID, as text: CampusPost, time: UInt64, wrote: inout Set<Int>) throws {
        let ups = min(text.ups / 100, Self.votesPerText)
        let downs = min(text.downs / 100, Self.votesPerText - ups)
        var voters = everybody
        for number in 0..<min(ups + downs, everybody.count) {
            voters.swapAt(number, Int.random(in: number..<voters.count, using: &generator))
            let vote = try Vote(choices: [Vote.Choice(post: post, value: number < ups ? .up : .down)])
            _ = people[voters[number]]?.write(.vote(vote), time: time)
            wrote.insert(voters[number])
            votes += 1
        }
    }

    /// The longest prefix of a text that has at most so many bytes and ends with a whole character.
    private static func clipped(_ text: String, _ bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var clipped = text.prefix(bytes)
        while clipped.utf8.count > bytes { clipped = clipped.dropLast() }
        return String(clipped)
    }
}
