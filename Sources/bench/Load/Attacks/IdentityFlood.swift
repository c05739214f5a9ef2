import Entries
import Foundation
import Logging
import Storage
import Synchronization
import Transport

/// A node that brings entries of many unknown people, each of whom writes on and on, as fast as its peer takes them.
///
/// It follows the protocol, so that entries that a quota delays can be had of it later. All entries are signed in
/// advance.
final class IdentityFlood: Attack, Sendable {
    private let home: Home
    private let portions: [[VerifiedChunk]]
    private let prepared: Int
    private let isOver = Atomic(false)
    private let brought = Atomic(0)
    private let ended = DispatchSemaphore(value: 0)

    /// Entries of each person that are in the store from the beginning.
    private static let entriesBefore = 5
    /// Entries in one batch, each of another person.
    private static let portion = 100

    init(people: Int, rounds: Int, seed: UInt64, home layout: HomeLayout) throws {
        home = try Home(opening: layout)
        var crowd = try Crowd(count: people, seed: seed, posts: people * (Self.entriesBefore + rounds))
        prepared = people * Self.entriesBefore
        let first = try crowd.write(posts: prepared, bytes: 200)
        let store = try EntryStore(
            .file(layout.store),
            network: NetworkID(name: TemporaryHome.network),
            creation: .never
        )
        try store.put(first, from: crowd.source)
        try store.close()
        var portions: [[VerifiedChunk]] = []
        for _ in 0..<rounds {
            let chunks = try crowd.write(posts: people, bytes: 200)
            for start in stride(from: 0, to: chunks.count, by: Self.portion) {
                portions.append(Array(chunks[start..<min(start + Self.portion, chunks.count)]))
            }
        }
        self.portions = portions
    }

    /// Dials only its listed peer, although the attacked node tells it of others.
    private static var options: NodeOptions {
        var options = NodeOptions(listen: nil)
        options.dialling = .listed
        return options
    }

    /// Starts the node, which runs as long as the process.
    func begin() throws {
        Task { [self] in
            do {
                let node = try await Node.open(home, options: Self.options, log: Logger(label: "flood"))
                Task { await node.run() }
                for portion in portions where !isOver.load(ordering: .relaxed) {
                    try await node.bring(portion)
                    brought.add(portion.count, ordering: .relaxed)
                }
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
            }
            ended.signal()
        }
    }

    func end() throws -> Figures {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        let live = brought.load(ordering: .relaxed)
        var figures = Figures()
        figures.add("entries_offered", Double(prepared + live))
        figures.add("entries_offered_live", Double(live))
        figures.add("entries_left_unsaid", Double(portions.reduce(0) { $0 + $1.count } - live))
        return figures
    }
}
