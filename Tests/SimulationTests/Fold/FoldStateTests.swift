import Entries
import Simulation
import Sodium
import Testing

/// One rule of `protocol/fold.md` each.
struct FoldStateTests {
    /// Entries of two people, each with two logs: numbers stand for ids.
    private struct Scene {
        let me = IdentityID(raw: Bytes32([UInt8](repeating: 1, count: 32)) ?? .zero)
        let you = IdentityID(raw: Bytes32([UInt8](repeating: 2, count: 32)) ?? .zero)
        let lowLog = LogID(raw: Bytes32([UInt8](repeating: 3, count: 32)) ?? .zero)
        let highLog = LogID(raw: Bytes32([UInt8](repeating: 4, count: 32)) ?? .zero)
        let salt: Salt
        var state = FoldState()

        init() throws { salt = try #require(Salt([UInt8](repeating: 0, count: 16))) }

        func entry(
            _ payload: Payload,
            seq: UInt64 = 0,
            clock: UInt64 = 1,
            time: UInt64 = 1,
            log: LogID? = nil,
            flags: UInt8? = nil,
            version: UInt8 = 1
        ) -> Entry {
            Entry(
                version: version,
                flags: flags ?? (payload.kind.isErasable ? 1 : 0),
                kind: payload.kind.rawValue,
                log: log ?? lowLog,
                sequence: seq,
                time: time,
                clock: clock,
                payload: payload.encode()
            )
        }

        func post(_ text: String) throws -> Payload { .post(try Post(salt: salt, text: text)) }
        func edit(_ id: EntryID, _ text: String) throws -> Payload { .edit(try Edit(salt: salt, post: id, text: text)) }
        func delete(_ ids: EntryID...) throws -> Payload { .delete(try Delete(entries: ids)) }

        func vote(_ choices: (EntryID, Vote.Value)...) throws -> Payload {
            .vote(try Vote(choices: choices.map { Vote.Choice(post: $0.0, value: $0.1) }))
        }

        func name(_ name: String) throws -> Payload { .profile(try Profile(salt: salt, name: name)) }

        func text(_ id: EntryID) -> String? {
            guard case .shown(let text) = state.post(id)?.content else { return nil }
            return text.text
        }
    }

    @Test func `An edit beats its post whatever the clocks say, and the greatest edit is shown`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("first"), clock: 100)
        let early = scene.entry(try scene.edit(post.id, "early"), seq: 1, clock: 2)
        let late = scene.entry(try scene.edit(post.id, "late"), seq: 2, clock: 3)
        for entry in [late, post, early] { scene.state.insert(entry, by: scene.me) }
        #expect(scene.text(post.id) == "late")
        #expect(scene.state.post(post.id)?.isEdited == true)
    }

    @Test func `An edit of somebody else's post, or of an edit, does nothing`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("mine"))
        let edit = scene.entry(try scene.edit(post.id, "edited"), seq: 1)
        scene.state.insert(post, by: scene.me)
        scene.state.insert(scene.entry(try scene.edit(post.id, "yours"), log: scene.highLog), by: scene.you)
        #expect(scene.text(post.id) == "mine")
        scene.state.insert(edit, by: scene.me)
        scene.state.insert(scene.entry(try scene.edit(edit.id, "twice"), seq: 2, clock: 9), by: scene.me)
        #expect(scene.text(post.id) == "edited")
    }

    @Test func `A delete beats an edit, whichever comes first and later`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("text"))
        scene.state.insert(scene.entry(try scene.delete(post.id), seq: 1), by: scene.me)
        scene.state.insert(post, by: scene.me)
        scene.state.insert(scene.entry(try scene.edit(post.id, "again"), seq: 2, clock: 99), by: scene.me)
        #expect(scene.state.post(post.id)?.isDeleted == true)
        #expect(scene.state.feed(at: 10, for: scene.me) == [])
    }

    @Test func `A delete of the edit alone shows the earlier text`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("first"))
        let early = scene.entry(try scene.edit(post.id, "early"), seq: 1, clock: 2)
        let late = scene.entry(try scene.edit(post.id, "late"), seq: 2, clock: 3)
        for entry in [post, early, late] { scene.state.insert(entry, by: scene.me) }
        scene.state.insert(scene.entry(try scene.delete(late.id), seq: 3), by: scene.me)
        #expect(scene.text(post.id) == "early")
        scene.state.insert(scene.entry(try scene.delete(early.id), seq: 4), by: scene.me)
        #expect(scene.text(post.id) == "first")
    }

    @Test func `A stranger's delete does nothing`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("mine"))
        scene.state.insert(scene.entry(try scene.delete(post.id), log: scene.highLog), by: scene.you)
        scene.state.insert(post, by: scene.me)
        #expect(scene.text(post.id) == "mine")
    }

    @Test func `A vote cannot be deleted`() throws {
        var scene = try Scene()
        let target = EntryID(raw: .zero)
        let vote = scene.entry(try scene.vote((target, .up)))
        scene.state.insert(vote, by: scene.me)
        scene.state.insert(scene.entry(try scene.delete(vote.id), seq: 1), by: scene.me)
        #expect(scene.state.tallies(target) == Tallies(up: 1, down: 0))
    }

    @Test func `Votes count once for each person, on unknown ids and one's own too`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("mine"))
        scene.state.insert(scene.entry(try scene.vote((post.id, .up)), seq: 1, clock: 1), by: scene.me)
        scene.state.insert(scene.entry(try scene.vote((post.id, .up)), seq: 2, clock: 2), by: scene.me)
        scene.state.insert(scene.entry(try scene.vote((post.id, .down)), log: scene.highLog), by: scene.you)
        #expect(scene.state.tallies(post.id) == Tallies(up: 1, down: 1))
        scene.state.insert(scene.entry(try scene.vote((post.id, .withdrawn)), seq: 3, clock: 3), by: scene.me)
        #expect(scene.state.tallies(post.id) == Tallies(up: 0, down: 1))
    }

    @Test func `Equal clocks are broken by log, then place in the log, then place in the entry`() throws {
        let scene = try Scene()
        let target = EntryID(raw: .zero)
        let steps = [
            scene.entry(try scene.vote((target, .up), (target, .down)), seq: 4),
            scene.entry(try scene.vote((target, .withdrawn), (target, .up)), seq: 5),
            scene.entry(try scene.vote((target, .down)), seq: 0, log: scene.highLog),
            scene.entry(try scene.vote((target, .up)), seq: 0, clock: 2),
        ]
        let expected: [Vote.Value] = [.down, .up, .down, .up]
        for count in 1...4 {
            for order in [Array(steps[..<count]), steps[..<count].reversed()] {
                let state = FoldState(order.map { Counted(entry: $0, identity: scene.me) })
                #expect(state.vote(of: scene.me, on: target) == expected[count - 1])
            }
        }
    }

    @Test func `Clocks from 2^53 on are equal, so that the place decides`() throws {
        let scene = try Scene()
        let target = EntryID(raw: .zero)
        let greatest = scene.entry(try scene.vote((target, .up)), seq: 1, clock: .max)
        let limit = scene.entry(try scene.vote((target, .down)), seq: 2, clock: (1 << 53) - 1)
        let below = scene.entry(try scene.vote((target, .withdrawn)), seq: 3, clock: (1 << 53) - 2)
        let state = FoldState([below, limit, greatest].map { Counted(entry: $0, identity: scene.me) })
        #expect(state.vote(of: scene.me, on: target) == .down)
    }

    @Test func `Each profile field is a register, and a deleted profile leaves the earlier ones`() throws {
        var scene = try Scene()
        let first = scene.entry(try scene.name("hazel"), clock: 1)
        let second = scene.entry(try scene.name("rowan"), seq: 1, clock: 2)
        let bio = scene.entry(.profile(try Profile(salt: scene.salt, bio: "Squirrels.")), seq: 2, clock: 3)
        for entry in [bio, second, first] { scene.state.insert(entry, by: scene.me) }
        #expect(scene.state.profile(scene.me).name == "rowan")
        #expect(scene.state.profile(scene.me).bio == "Squirrels.")
        scene.state.insert(scene.entry(try scene.delete(second.id), seq: 3), by: scene.me)
        #expect(scene.state.profile(scene.me).name == "hazel")
    }

    @Test func `What the header says of its meaning decides before the payload`() throws {
        let scene = try Scene()
        let target = EntryID(raw: .zero)
        let vote = try scene.vote((target, .up))
        for entry in [
            scene.entry(vote, flags: 1), scene.entry(vote, flags: 2), scene.entry(vote, flags: 128),
            scene.entry(vote, version: 0), scene.entry(vote, version: 2),
            scene.entry(try scene.post("t"), flags: 0), scene.entry(try scene.post("t"), flags: 3),
        ] {
            #expect(FoldState([Counted(entry: entry, identity: scene.me)]) == FoldState())
        }
        let post = try scene.post("t").encode()
        for kind in [0, 7, 8, 9, 10, 11, 257, .max] as [UInt16] {
            for flags: UInt8 in [0, 1] {
                let entry = Entry(
                    flags: flags,
                    kind: kind,
                    log: scene.lowLog,
                    sequence: 0,
                    time: 1,
                    clock: 1,
                    payload: post
                )
                #expect(FoldState([Counted(entry: entry, identity: scene.me)]) == FoldState())
            }
        }
    }

    @Test func `A payload over the limit is no post, deleted or not`() throws {
        var scene = try Scene()
        for length: UInt32 in [65_536, 65_537] {
            let header = EntryHeader(
                version: 1,
                flags: 1,
                kind: 1,
                log: scene.lowLog,
                sequence: 0,
                time: 1,
                clock: 1,
                length: length,
                payloadHash: PayloadHash(raw: .zero)
            )
            let entry = Entry(withheld: header)
            scene.state.insert(entry, by: scene.me)
            #expect((scene.state.post(entry.id) != nil) == (length == 65_536))
            scene.state.insert(scene.entry(try scene.delete(entry.id), seq: UInt64(length)), by: scene.me)
            #expect((scene.state.post(entry.id)?.isDeleted == true) == (length == 65_536))
        }
    }

    @Test func `A payload that breaks a rule shows nothing, and once deleted is a deleted post like any other`() throws
    {
        var scene = try Scene()
        let entry = Entry(flags: 1, kind: 1, log: scene.lowLog, sequence: 0, time: 1, clock: 1, payload: [0xFF])
        scene.state.insert(entry, by: scene.me)
        scene.state.insert(scene.entry(try scene.edit(entry.id, "e"), seq: 1), by: scene.me)
        #expect(scene.state.post(entry.id) == nil)
        #expect(scene.state.feed(at: 10, for: scene.me) == [])
        scene.state.insert(scene.entry(try scene.delete(entry.id), seq: 2), by: scene.me)
        #expect(scene.state.post(entry.id)?.isDeleted == true)
    }

    @Test func `A withheld post is wanted, and a withheld edit unknown`() throws {
        var scene = try Scene()
        let post = scene.entry(try scene.post("text"))
        let edit = scene.entry(try scene.edit(post.id, "edited"), seq: 1)
        scene.state.insert(Entry(withheld: post.header), by: scene.me)
        scene.state.insert(Entry(withheld: edit.header), by: scene.me)
        #expect(scene.state.post(post.id)?.content == .wanted)
        scene.state.insert(post, by: scene.me)
        #expect(scene.text(post.id) == "text")
        scene.state.insert(Entry(withheld: post.header), by: scene.me)
        #expect(scene.text(post.id) == "text")
        scene.state.insert(edit, by: scene.me)
        #expect(scene.text(post.id) == "edited")
    }

    @Test func `The feed is newest first, then by id, and the future is its author's`() throws {
        var scene = try Scene()
        let posts = try (0..<6).map { index in
            scene.entry(try scene.post("\(index)"), seq: UInt64(index), time: [5, 5, 9, 10, 11, .max][index])
        }
        for post in posts { scene.state.insert(post, by: scene.me) }
        let tied = [posts[0].id, posts[1].id].sorted()
        #expect(scene.state.feed(at: 10, for: scene.you) == [posts[3].id, posts[2].id] + tied)
        #expect(scene.state.feed(at: 10, for: nil) == [posts[3].id, posts[2].id] + tied)
        #expect(scene.state.feed(at: 9, for: nil) == [posts[2].id] + tied)
        #expect(scene.state.feed(at: 10, for: scene.me).prefix(3) == [posts[5].id, posts[4].id, posts[3].id])
        #expect(scene.state.feed(at: (1 << 53) - 1, for: nil).first == posts[5].id)
    }

    @Test func `A follow is withdrawn by a later one`() throws {
        var scene = try Scene()
        let follow = { (value: Follow.Value) throws -> Payload in
            .follow(try Follow(choices: [Follow.Choice(identity: scene.you, value: value)]))
        }
        scene.state.insert(scene.entry(try follow(.withdrawn), seq: 1, clock: 2), by: scene.me)
        scene.state.insert(scene.entry(try follow(.following), clock: 1), by: scene.me)
        #expect(scene.state.following(scene.me) == [])
        scene.state.insert(scene.entry(try follow(.following), seq: 2, clock: 3), by: scene.me)
        #expect(scene.state.following(scene.me) == [scene.you])
        #expect(scene.state.following(scene.you) == [])
    }
}
