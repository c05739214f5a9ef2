import Entries
import Sodium
import Testing

@testable import Storage

@Suite struct FeedTests {
    private let store: EntryStore
    private let hazel: Device
    private let rowan: Device

    init() throws {
        store = try EntryStore.inMemory()
        hazel = try Device(person: 1)
        rowan = try Device(person: 2)
    }

    private func take() throws {
        for device in [hazel, rowan] {
            let held = try store.prefixes(of: [device.log])[device.log]?.range.bounds.upperBound ?? 0
            if Int(held) < device.size { try store.take(device.chunk(Int(held)..<device.size)) }
        }
    }

    @Test func pagesHaveNoGapAndNoRepeatWhileNewPostsArrive() throws {
        for number in 0..<50 { try hazel.post("\(number)", time: UInt64(number / 4)) }
        try take()
        let before = try store.feed()
        #expect(before.count == 50)
        for limit in [1, 3, 49, 50, 51] {
            var query = FeedQuery(now: .max, reader: nil)
            query.limit = limit
            var ids: [EntryID] = []
            repeat {
                let page = try store.reader.feed(query)
                ids += page.posts.map(\.id)
                query.beyond = page.next
                try rowan.post("new", time: 1_000)
                try take()
            } while query.beyond != nil
            #expect(ids.filter { before.contains($0) } == before)
        }
    }

    @Test func oldestFirstIsTheReverse() throws {
        for number in 0..<40 { try hazel.post("\(number)", time: UInt64(number / 5)) }
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.order = .oldestFirst
        #expect(try store.feed(query) == store.feed().reversed())
    }

    @Test func aPostInSeveralChannelsComesOnce() throws {
        let both = try hazel.post("both", time: 1, in: ["squirrels", "food"])
        let one = try hazel.post("one", time: 2, in: ["food"])
        try hazel.post("none", time: 3)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.channels = try ["squirrels", "food", "unknown"].map { try #require(Channel($0)) }
        #expect(try store.feed(query, page: 1) == [one, both])
        query.channels = [try #require(Channel("squirrels"))]
        #expect(try store.feed(query) == [both])
        query.channels = [try #require(Channel("unknown"))]
        #expect(try store.feed(query).isEmpty)
        #expect(try store.reader.channels(now: 1).map(\.posts) == [2, 1])
        #expect(try store.reader.channels(now: 1).map(\.latest) == [1, 1])
    }

    @Test func peopleAndChannelsAndTimesCombine() throws {
        let wanted = try rowan.post("yes", time: 5, in: ["food"])
        try rowan.post("too old", time: 4, in: ["food"])
        try rowan.post("elsewhere", time: 6, in: ["cs193"])
        try hazel.post("somebody else", time: 7, in: ["food"])
        try hazel.follow(.following, rowan.identity, time: 8)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.channels = [try #require(Channel("food"))]
        query.since = 5
        query.authors = .one(rowan.identity)
        #expect(try store.feed(query) == [wanted])
        query.authors = .followed(by: hazel.identity)
        #expect(try store.feed(query) == [wanted])
        query.authors = .followed(by: rowan.identity)
        #expect(try store.feed(query).isEmpty)
    }

    @Test func followingChangesAtOnce() throws {
        let post = try rowan.post("hello", time: 1)
        try hazel.follow(.following, rowan.identity, time: 1)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.authors = .followed(by: hazel.identity)
        #expect(try store.feed(query) == [post])
        #expect(try store.reader.followCounts(rowan.identity) == FollowCounts(followers: 1, following: 0))
        #expect(try store.reader.followers(rowan.identity) == [hazel.identity])
        try hazel.follow(.withdrawn, rowan.identity, time: 2)
        try take()
        #expect(try store.feed(query).isEmpty)
        #expect(try store.reader.followCounts(hazel.identity) == FollowCounts(followers: 0, following: 0))
    }

    @Test func aPostFromTheFutureIsItsAuthorsAloneUntilItIsDue() throws {
        let now = try hazel.post("now", time: 10, in: ["food"])
        let later = try hazel.post("later", time: 20, in: ["food"])
        let never = hazel.write(.post(try Post(salt: .test, text: "broken clock")), time: .max)
        try take()
        #expect(try store.feed(FeedQuery(now: 10, reader: nil)) == [now])
        #expect(try store.feed(FeedQuery(now: 10, reader: rowan.identity)) == [now])
        #expect(try store.feed(FeedQuery(now: 10, reader: hazel.identity)) == [never, later, now])
        #expect(try store.feed(FeedQuery(now: 20, reader: nil)) == [later, now])
        var query = FeedQuery(now: 10, reader: hazel.identity)
        query.channels = [try #require(Channel("food"))]
        #expect(try store.feed(query) == [later, now])
        query.authors = .one(hazel.identity)
        query.channels = []
        #expect(try store.feed(query, page: 1) == [never, later, now])
        #expect(try store.reader.arrivals(after: 0, FeedQuery(now: 10, reader: nil)).posts.map(\.id) == [now])
    }

    @Test func aDeletedPostIsStillAPlaceToGoOnFrom() throws {
        let ids = try (0..<5).map { try hazel.post("\($0)", time: UInt64($0)) }
        try hazel.delete(ids[2], time: 9)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.beyond = ids[2]
        #expect(try store.feed(query) == [ids[1], ids[0]])
        query.order = .oldestFirst
        #expect(try store.feed(query) == [ids[3], ids[4]])
    }

    /// A post that nobody has the body of, made so that the first four bytes of its id are another's.
    private func twins() -> [EntryID] {
        var random = SeededRandom(seed: 3)
        var seen: [UInt32: EntryHeader] = [:]
        while true {
            let header = EntryHeader(
                version: 1,
                flags: 1,
                kind: 1,
                log: hazel.log,
                sequence: UInt64(hazel.size) + (random.chance(2) ? 1 : 0),
                time: 50,
                clock: 50,
                length: 1,
                payloadHash: PayloadHash(raw: random.bytes32())
            )
            let start = UInt32(truncatingIfNeeded: header.id.raw.prefix64 >> 32)
            if let twin = seen[start], twin.sequence != header.sequence {
                return [twin, header].sorted { $0.sequence < $1.sequence }.map { hazel.write(withheld: $0) }
            }
            seen[start] = header
        }
    }

    @Test func whereFourBytesOfTwoIdsAreEqualTheRestDecides() throws {
        let first = try rowan.post("before", time: 49)
        let last = try rowan.post("after", time: 51)
        let twins = twins()
        try store.take(hazel.chunk(0..<2, withheld: [0, 1]))
        try take()
        for page in [1, 2, 3, 5] {
            #expect(try store.feed(page: page) == [last] + twins.sorted() + [first])
        }
        var query = FeedQuery(now: .max, reader: nil)
        query.order = .oldestFirst
        #expect(try store.feed(query, page: 1) == [first] + twins.sorted().reversed() + [last])
    }

    @Test func whereEightBytesOfTwoIdsAreEqualTheRestDecides() throws {
        let post = try hazel.post("x", time: 1)
        var bytes = post.bytes
        bytes[31] ^= 1
        let twin = try #require(EntryID(bytes))
        try rowan.vote(.up, on: twin, time: 1)
        try rowan.reply("reply", to: twin, root: twin, time: 1)
        try rowan.vote(.down, on: post, time: 2)
        try take()
        let row = try #require(try store.reader.post(post, reader: nil))
        #expect(row.up == 0 && row.down == 1 && row.replies == 0)
        #expect(try store.reader.post(twin, reader: nil) == nil)
        #expect(try store.reader.thread(post, now: .max, reader: nil).count == 1)
        try hazel.delete(twin, time: 3)
        try take()
        #expect(try store.text(of: post) == "x")
    }

    @Test func unreadAreTheDuePostsOfOthersThatTheFilterLetsThrough() throws {
        try hazel.post("one", time: 1, in: ["food"])
        try rowan.post("two", time: 2, in: ["food"])
        try rowan.post("three", time: 3)
        try rowan.post("later", time: 90)
        try take()
        var query = FeedQuery(now: 10, reader: hazel.identity)
        #expect(try store.reader.unread(after: 0, query) == 2)
        query.channels = [try #require(Channel("food"))]
        #expect(try store.reader.unread(after: 0, query) == 1)
        #expect(try store.reader.unread(after: store.reader.latestArrival(), query) == 0)
    }

    @Test func repliesCanBeLeftOut() throws {
        let root = try hazel.post("root", time: 1)
        try rowan.reply("reply", to: root, root: root, time: 2)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.replies = .left
        #expect(try store.feed(query) == [root])
        #expect(try store.reader.post(root, reader: nil)?.replies == 1)
    }

    @Test func aThreadHasItsRepliesOldestFirstAndStubsForWhatIsMissing() throws {
        let root = try hazel.post("root", time: 1)
        let middle = try rowan.reply("middle", to: root, root: root, time: 2)
        let leaf = try hazel.reply("leaf", to: middle, root: root, time: 3)
        try store.take(hazel.chunk())
        var thread = try store.reader.thread(root, now: .max, reader: nil)
        #expect(thread.map(\.id) == [root, middle, leaf])
        #expect(thread.dropFirst().first == .missing(middle))
        try take()
        thread = try store.reader.thread(root, now: .max, reader: nil)
        #expect(thread.map(\.id) == [root, middle, leaf])
        try rowan.delete(middle, time: 9)
        try take()
        thread = try store.reader.thread(root, now: .max, reader: nil)
        #expect(thread.map(\.id) == [root, middle, leaf])
        #expect(thread.compactMap(\.post).map(\.isDeleted) == [false, true, false])
        #expect(try store.reader.thread(EntryID(raw: .zero), now: 9, reader: nil) == [.missing(EntryID(raw: .zero))])
    }

    @Test func theHistoryOfAPostHasAllItsVersions() throws {
        let id = try hazel.post("one", time: 1)
        let second = try hazel.edit(id, to: "two", time: 2)
        let third = try hazel.edit(id, to: "three", time: 3)
        try rowan.edit(id, to: "not mine", time: 9)
        try take()
        #expect(try store.reader.history(of: id).map(\.id) == [third, second, id])
        #expect(try store.reader.history(of: id).map(\.text?.text) == ["three", "two", "one"])
        let row = try #require(try store.reader.post(id, reader: nil))
        #expect(row.isEdited && row.content == .shown(.init(text: "three", title: "", source: third)))
        try hazel.delete(third, time: 4)
        try take()
        #expect(try store.text(of: id) == "two")
        try hazel.delete(id, second, time: 5)
        try take()
        #expect(try store.reader.history(of: id).isEmpty)
    }

    @Test func votesAreCountedOnceForEachPerson() throws {
        let id = try hazel.post("x", time: 1)
        for (value, time) in [(Vote.Value.up, 2), (.down, 3), (.up, 4)] as [(Vote.Value, UInt64)] {
            try rowan.vote(value, on: id, time: time)
        }
        try take()
        var row = try #require(try store.reader.post(id, reader: rowan.identity))
        #expect(row.up == 1 && row.down == 0 && row.vote == .up)
        // An older clock that comes later changes nothing; the withdrawal does.
        try rowan.vote(.down, on: id, time: 3)
        try rowan.vote(.withdrawn, on: id, time: 5)
        try take()
        row = try #require(try store.reader.post(id, reader: rowan.identity))
        #expect(row.up == 0 && row.down == 0 && row.vote == .withdrawn)
    }

    @Test func shortIdsFindPosts() throws {
        let ids = try (0..<200).map { try hazel.post("\($0)", time: 1) }
        try hazel.vote(.up, on: ids[0], time: 2)
        try take()
        for id in ids {
            for length in [3, 4, 12, 13, 14, 52] {
                let prefix = try #require(IDPrefix(id.description.prefix(length)))
                let expected = ids.filter { $0.description.hasPrefix(prefix.text) }.sorted()
                #expect(try store.reader.posts(prefix) == expected)
            }
        }
        #expect(try store.reader.posts(try #require(IDPrefix("a"))).count <= StorageLimits.candidates)
        #expect(IDPrefix("") == nil && IDPrefix("K7fa") == nil && IDPrefix("1") == nil)
        #expect(IDPrefix(String(repeating: "a", count: 53)) == nil)
    }

    @Test func peopleAreFoundByIdAndListedInPages() throws {
        try hazel.name("hazel", time: 1)
        try rowan.post("no name", time: 1)
        try take()
        let all = try store.reader.people(after: nil, limit: 10)
        #expect(all.map(\.identity) == [hazel.identity, rowan.identity].sorted())
        #expect(Set(all.map(\.name)) == ["hazel", nil])
        #expect(try store.reader.people(after: all[0].identity, limit: 10) == [all[1]])
        let prefix = try #require(IDPrefix(hazel.identity.description.prefix(6)))
        #expect(try store.reader.identities(prefix) == [hazel.identity])
        #expect(try store.feed().compactMap { try store.reader.post($0, reader: nil)?.author } == [])
    }

    @Test func arrivalsComeInTheirOrderAndOnce() throws {
        let late = try rowan.post("late", time: 5)
        let early = try hazel.post("early", time: 9)
        try store.take(rowan.chunk())
        var page = try store.reader.arrivals(after: 0, FeedQuery(now: .max, reader: nil))
        #expect(page.posts.map(\.id) == [late])
        try take()
        page = try store.reader.arrivals(after: page.mark, FeedQuery(now: .max, reader: nil))
        #expect(page.posts.map(\.id) == [early])
        #expect(try store.reader.latestArrival() == page.mark)
        #expect(try store.reader.arrivals(after: page.mark, FeedQuery(now: .max, reader: nil)).posts.isEmpty)
    }
}

extension ThreadPost {
    fileprivate var id: EntryID {
        switch self {
        case .post(let row): row.id
        case .missing(let id): id
        }
    }

    fileprivate var post: PostRow? {
        switch self {
        case .post(let row): row
        case .missing: nil
        }
    }
}
