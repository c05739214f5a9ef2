import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Runs `protocol/vectors/fold.json`, which shares nothing with the sources, by the store.
struct FoldVectorTests {
    /// In which batches the entries come.
    private enum Manner: CaseIterable {
        case oneByOne
        case inOneBatch
        /// At first without the payloads that may be erased.
        case payloadsLater
    }

    private let file: FoldFile
    private let network: NetworkID
    /// Without entries.
    private let writers: [VectorLog]

    init() throws {
        let file = try FoldFile.read()
        let network = NetworkID(raw: try hex32(file.network))
        self.file = file
        self.network = network
        writers = try file.logs.map { said in
            try VectorLog(certificate: said.certificate, seed: try hex(said.deviceSeed), network: network)
        }
    }

    @Test func `The logs are those of the certificates`() {
        #expect(writers.map(\.log.raw.description) == file.logs.map(\.log))
        #expect(writers.map(\.identity.raw.description) == file.logs.map(\.identity))
        #expect(!writers.isEmpty)
    }

    @Test func `In whatever order and batches entries come, the same is seen`() throws {
        #expect(file.cases.count == 83)
        for vector in file.cases {
            #expect(!vector.orders.isEmpty, "\(vector.name)")
            // Each store writes for one person in the end.
            #expect(vector.people.count <= Manner.allCases.count, "\(vector.name)")
            let entries = try vector.entries.map { try Entry(header: $0.hex, payload: $0.payload) }
            #expect(entries.map(\.id.raw.description) == vector.entries.map(\.id), "\(vector.name)")
            let logs = self.logs(of: entries)
            for order in vector.orders {
                for (number, manner) in Manner.allCases.enumerated() {
                    let place: Comment = "\(vector.name), in the order \(order), \(manner)"
                    let store = try EntryStore(.memory, network: network, creation: .ifAbsent)
                    try give(order.map { entries[$0] }, of: logs, manner, to: store)
                    try expectPosts(in: store, entries, vector, place)
                    try expectVotes(in: store, vector, place)
                    try expectPeople(in: store, vector, place)
                    try expectBodies(in: store, logs, vector, place)
                    guard number < vector.people.count else { continue }
                    try expectClock(of: vector.people[number], in: store, logs, now: vector.now.value, place)
                }
            }
        }
    }

    private func logs(of entries: [Entry]) -> [LogID: VectorLog] {
        var logs = Dictionary(uniqueKeysWithValues: writers.map { ($0.log, $0) })
        let inOrder = entries.sorted { $0.header.sequence < $1.header.sequence }
        for entry in inOrder { logs[entry.header.log]?.entries.append(entry) }
        return logs
    }

    // MARK: What comes

    private func give(
        _ entries: [Entry],
        of logs: [LogID: VectorLog],
        _ manner: Manner,
        to store: EntryStore
    ) throws {
        switch manner {
        case .oneByOne:
            for chunk in try chunks(entries, of: logs) { try store.take(chunk) }
        case .inOneBatch:
            var batch = TakeBatch()
            batch.chunks = try chunks(entries, of: logs).map { .init(chunk: $0, source: .peer) }
            _ = try store.take(batch)
            store.expectRowsAsInTheFile()
        case .payloadsLater:
            var begun: Set<LogID> = []
            for entry in entries where begun.insert(entry.header.log).inserted {
                let log = try #require(logs[entry.header.log])
                let late = log.entries.filter(isLate).map { Int($0.header.sequence) }
                try store.take(log.chunk(0..<log.entries.count, withheld: Set(late)))
            }
            for entry in entries where isLate(entry) {
                let place = BodyPlace(log: entry.header.log, sequence: entry.header.sequence)
                let report = try store.take(body: entry.payload ?? [], of: place)
                #expect(report.refusedBodies.isEmpty)
            }
        }
    }

    /// The entries one by one; one that comes before those that it follows in its log waits for them.
    private func chunks(_ entries: [Entry], of logs: [LogID: VectorLog]) throws -> [VerifiedChunk] {
        var here: Set<EntryID> = []
        var held: [LogID: Int] = [:]
        var chunks: [VerifiedChunk] = []
        for entry in entries {
            here.insert(entry.id)
            let log = try #require(logs[entry.header.log])
            let start = held[log.log, default: 0]
            let next = log.entries[start...].prefix { here.contains($0.id) }
            guard !next.isEmpty else { continue }
            chunks.append(try log.chunk(start..<next.endIndex))
            held[log.log] = next.endIndex
        }
        return chunks
    }

    /// Whether the payload is here, and would be asked for if it were not.
    private func isLate(_ entry: Entry) -> Bool {
        let isOfErasableKind = EntryKind(rawValue: entry.header.kind)?.isErasable ?? true
        return entry.payload != nil && entry.header.isErasable && isOfErasableKind
    }

    // MARK: What is seen

    private func expectPosts(
        in store: EntryStore,
        _ entries: [Entry],
        _ vector: FoldFile.Case,
        _ place: Comment
    ) throws {
        let rows = try entries.compactMap { try store.reader.post($0.id, reader: nil) }
        let posts = rows.map { FoldFile.Post($0) }
        #expect(posts.map(\.id).sorted() == vector.posts.map(\.id), place)
        for expected in vector.posts {
            let post = posts.first { $0.id == expected.id }
            #expect(post == expected, place)
        }
        for row in rows {
            let tally = vector.tallies.first { $0.id == row.id.raw.description }
            #expect(row.up == tally?.up.count && row.down == tally?.down.count, place)
        }
        for feed in vector.feeds {
            let reader = try feed.reader.map { IdentityID(raw: try hex32($0)) }
            let query = FeedQuery(now: vector.now.value, reader: reader)
            let ids = try store.feed(query).map(\.raw.description)
            #expect(ids == feed.posts, place)
        }
    }

    private func expectVotes(in store: EntryStore, _ vector: FoldFile.Case, _ place: Comment) throws {
        var votes: [String] = []
        for identity in Set(writers.map(\.identity)) {
            for vote in try store.reader.votes(of: identity, limit: 1_000) {
                votes.append("\(vote.post.raw) \(vote.value) \(identity.raw)")
            }
        }
        let expected = vector.tallies.flatMap { tally in
            tally.up.map { "\(tally.id) up \($0)" } + tally.down.map { "\(tally.id) down \($0)" }
        }
        #expect(votes.sorted() == expected.sorted(), place)
    }

    private func expectPeople(in store: EntryStore, _ vector: FoldFile.Case, _ place: Comment) throws {
        for said in vector.people {
            let identity = IdentityID(raw: try hex32(said.identity))
            let person = try #require(try store.reader.person(identity), place)
            let texts = [person.name, person.fullName, person.bio].map { text in text.map { ExactText($0) } }
            #expect(texts == [said.name, said.fullName, said.bio], place)
            #expect(person.avatar?.description == said.avatar, place)
            let follows = try store.reader.following(identity).map(\.raw.description)
            #expect(follows == said.follows, place)
        }
    }

    /// What is covered is passed on without its payload, as is what never was here.
    private func expectBodies(
        in store: EntryStore,
        _ logs: [LogID: VectorLog],
        _ vector: FoldFile.Case,
        _ place: Comment
    ) throws {
        let wanted = try store.state().wantedBodies.compactMap { body in
            logs[body.log]?.entries[Int(body.sequence)].id.raw.description
        }
        #expect(wanted.sorted() == vector.wanted, place)
        var withheld: Set<String> = []
        for log in logs.values where !log.entries.isEmpty {
            let want = RangeWant(log: log.log, from: 0, certificate: .send)
            guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: 1 << 20).first,
                let sent = ChunkVerifier(network: network).verify(chunk, over: .none).verified
            else {
                Issue.record("a log is not served: \(place)")
                continue
            }
            #expect(sent.entries.map(\.id) == log.entries.map(\.id), place)
            withheld.formUnion(sent.entries.filter { $0.body == .withheld }.map(\.id.raw.description))
        }
        let absent = vector.entries.filter { $0.payload == nil }.map(\.id)
        #expect(withheld == Set(vector.covered + absent), place)
    }

    private func expectClock(
        of person: FoldFile.Person,
        in store: EntryStore,
        _ logs: [LogID: VectorLog],
        now: UInt64,
        _ place: Comment
    ) throws {
        let log = try #require(logs.values.first { $0.identity.raw.description == person.identity }, place)
        let payload = Payload.post(try Post(salt: .test, text: "next"))
        let entry = try log.write(payload, at: now, in: store)
        #expect(entry.header.clock == person.nextClock.value, place)
    }
}

extension FoldFile.Post {
    fileprivate init(_ row: PostRow) {
        var words: (text: String, title: String)?
        if case .shown(let text) = row.content { words = (text: text.text, title: text.title) }
        self.init(
            id: row.id.raw.description,
            identity: row.identity.raw.description,
            time: row.time,
            deleted: row.isDeleted,
            edited: row.isEdited,
            words: words,
            channels: row.channels.map(\.description),
            reply: row.reply.map { (parent: $0.parent.raw.description, root: $0.root.raw.description) }
        )
    }
}
