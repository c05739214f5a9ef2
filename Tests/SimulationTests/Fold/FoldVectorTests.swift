import Entries
import Simulation
import Sodium
import TestSupport
import Testing

/// Runs `protocol/vectors/fold.json`, which shares nothing with the sources, by the fold in memory.
///
/// What is wanted, and the clock that a writer sets, only the store knows: its tests run them.
struct FoldVectorTests {
    private let file: FoldFile
    private let everybody: [IdentityID]

    init() throws {
        let file = try FoldFile.read()
        self.file = file
        everybody = try Set(file.logs.map(\.identity)).sorted().map { IdentityID(raw: try hex32($0)) }
    }

    @Test func `Headers and ids are those of the fields`() throws {
        #expect(file.cases.count == 83)
        for vector in file.cases {
            for said in vector.entries {
                let entry = try Entry(header: said.hex, payload: said.payload)
                let header = entry.header
                #expect(header.bytes == (try hex(said.hex)), "\(vector.name)")
                #expect(entry.id.raw.description == said.id, "\(vector.name)")
                #expect(header.log.raw.description == said.log, "\(vector.name)")
                #expect(header.version == said.version && header.flags == said.flags, "\(vector.name)")
                #expect(header.kind == said.kind && header.sequence == said.sequence.value, "\(vector.name)")
                #expect(header.time == said.time.value && header.clock == said.clock.value, "\(vector.name)")
            }
        }
    }

    @Test func `In whatever order entries come, the same is seen`() throws {
        #expect(file.cases.count == 83)
        for vector in file.cases {
            #expect(!vector.orders.isEmpty, "\(vector.name)")
            for order in vector.orders {
                var state = FoldState()
                for place in order {
                    let said = vector.entries[place]
                    let identity = IdentityID(raw: try hex32(said.identity))
                    state.insert(try Entry(header: said.hex, payload: said.payload), by: identity)
                }
                try expect(state, vector, "\(vector.name), in the order \(order)")
            }
        }
    }

    private func expect(_ state: FoldState, _ vector: FoldFile.Case, _ place: Comment) throws {
        var posts: [FoldFile.Post] = []
        var covered: [String] = []
        for said in vector.entries {
            let entry = try Entry(header: said.hex, payload: said.payload)
            if let post = state.post(entry.id) { posts.append(FoldFile.Post(post)) }
            let identity = IdentityID(raw: try hex32(said.identity))
            if state.isCovered(entry.id, by: identity), entry.header.isErasable { covered.append(said.id) }
        }
        #expect(posts.map(\.id).sorted() == vector.posts.map(\.id), place)
        for expected in vector.posts {
            let post = posts.first { $0.id == expected.id }
            #expect(post == expected, place)
        }
        #expect(covered.sorted() == vector.covered, place)
        for feed in vector.feeds {
            let reader = try feed.reader.map { IdentityID(raw: try hex32($0)) }
            let ids = state.feed(at: vector.now.value, for: reader).map(\.raw.description)
            #expect(ids == feed.posts, place)
        }
        try expectVotes(state, vector, place)
        for said in vector.people {
            let identity = IdentityID(raw: try hex32(said.identity))
            let profile = state.profile(identity)
            let texts = [profile.name, profile.fullName, profile.bio].map { text in text.map { ExactText($0) } }
            #expect(texts == [said.name, said.fullName, said.bio], place)
            #expect(profile.avatar?.description == said.avatar, place)
            #expect(state.following(identity).sorted().map(\.raw.description) == said.follows, place)
        }
    }

    private func expectVotes(_ state: FoldState, _ vector: FoldFile.Case, _ place: Comment) throws {
        for tally in vector.tallies {
            let id = EntryID(raw: try hex32(tally.id))
            let up = everybody.filter { state.vote(of: $0, on: id) == .up }.map(\.raw.description)
            let down = everybody.filter { state.vote(of: $0, on: id) == .down }.map(\.raw.description)
            #expect(up == tally.up, place)
            #expect(down == tally.down, place)
            #expect(state.tallies(id) == Tallies(up: up.count, down: down.count), place)
        }
        // Of what is not listed nobody holds a vote.
        let listed = Set(vector.tallies.map(\.id))
        for said in vector.entries where !listed.contains(said.id) {
            let id = EntryID(raw: try hex32(said.id))
            #expect(state.tallies(id) == Tallies(up: 0, down: 0), place)
        }
    }
}

extension FoldFile.Post {
    fileprivate init(_ post: VisiblePost) {
        var words: (text: String, title: String)?
        if case .shown(let text) = post.content { words = (text: text.text, title: text.title) }
        self.init(
            id: post.id.raw.description,
            identity: post.identity.raw.description,
            time: post.time,
            deleted: post.isDeleted,
            edited: post.isEdited,
            words: words,
            channels: post.channels.map(\.description),
            reply: post.reply.map { (parent: $0.parent.raw.description, root: $0.root.raw.description) }
        )
    }
}
