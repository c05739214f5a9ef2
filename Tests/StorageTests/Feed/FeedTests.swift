import Entries
import Sodium
import Testing

@testable import Storage

@Suite struct FeedTests: CampusSuite {
    let campus: Campus

    init() throws {
        campus = try Campus()
    }

    @Test func `Pages have no gap and no repeat while new posts arrive`() throws {
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

    @Test func `Oldest first is the reverse`() throws {
        for number in 0..<40 { try hazel.post("\(number)", time: UInt64(number / 5)) }
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.order = .oldestFirst
        #expect(try store.feed(query) == store.feed().reversed())
    }

    @Test func `A post in several channels comes once`() throws {
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
        #expect(try store.reader.channels(now: 1).map(\.posts) == [1, 1])
        #expect(try store.reader.channels(now: 2).map(\.posts) == [2, 1])
        #expect(try store.reader.channels(now: 1).map(\.latest) == [1, 1])
    }

    @Test func `A channel counts the posts that its reader's feed shows`() throws {
        try rowan.post("due", time: 5, in: ["food", "cs193"])
        for time in 20...22 as ClosedRange<UInt64> { try rowan.post("ahead", time: time, in: ["food", "soon"]) }
        try hazel.post("own, ahead", time: 21, in: ["food", "mine"])
        try hazel.post("own, ahead too", time: 22, in: ["mine"])
        try hazel.post("own, in none", time: 23)
        try take()
        func counts(_ now: UInt64, _ reader: Device?) throws -> [String] {
            try store.reader.channels(now: now, reader: reader?.identity).map { "\($0.channel) \($0.posts)" }
        }
        #expect(try counts(10, nil) == ["cs193 1", "food 1"])
        #expect(try counts(10, hazel) == ["cs193 1", "food 2", "mine 2"])
        #expect(try counts(10, rowan) == ["cs193 1", "food 4", "soon 3"])
        #expect(try counts(21, hazel) == ["cs193 1", "food 4", "mine 2", "soon 2"])
        #expect(try counts(.max, nil) == ["cs193 1", "food 5", "mine 2", "soon 3"])
    }

    @Test func `People and channels and times combine`() throws {
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

    @Test func `A post from the future is its authors alone until it is due`() throws {
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

    @Test func `A deleted post is still a place to go on from`() throws {
        let ids = try (0..<5).map { try hazel.post("\($0)", time: UInt64($0)) }
        try hazel.delete(ids[2], time: 9)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.beyond = ids[2]
        #expect(try store.feed(query) == [ids[1], ids[0]])
        query.order = .oldestFirst
        #expect(try store.feed(query) == [ids[3], ids[4]])
    }

    private enum TwinPlace {
        case first
        case last
    }

    /// Two posts of which nobody has the body, made so that their ids begin with the same four bytes.
    ///
    /// In the log, and so on arrival, the one with the smaller id is first, or last.
    private func writeTwins(by device: Device, smaller place: TwinPlace) -> [EntryID] {
        var seen: [[UInt32: UInt64]] = [[:], [:]]
        // Only the last bytes of the payload's hash move: some hundred thousand headers are tried.
        var tried = [header(of: device, 0, hash: 0).bytes, header(of: device, 1, hash: 0).bytes]
        for hash in UInt64(1)... {
            for sequence in 0...1 {
                withUnsafeBytes(of: hash.bigEndian) { tried[sequence].replaceSubrange(88..<96, with: $0) }
                let id = Blake2b.hash(.entry, tried[sequence])
                let start = UInt32(truncatingIfNeeded: id.prefix64 >> 32)
                seen[sequence][start] = hash
                guard let other = seen[1 - sequence][start] else { continue }
                let hashes = sequence == 0 ? [hash, other] : [other, hash]
                let twins = [0, 1].map { header(of: device, UInt64($0), hash: hashes[$0]) }
                let smaller: TwinPlace = twins[0].id < twins[1].id ? .first : .last
                if smaller == place { return twins.map { device.write(withheld: $0) } }
            }
        }
        return []
    }

    private func header(of device: Device, _ sequence: UInt64, hash: UInt64) -> EntryHeader {
        var bytes = [UInt8](repeating: 0, count: 24)
        withUnsafeBytes(of: hash.bigEndian) { bytes += $0 }
        return EntryHeader(
            version: 1,
            flags: 1,
            kind: 1,
            log: device.log,
            sequence: sequence,
            time: 50,
            clock: 50,
            length: 1,
            payloadHash: PayloadHash(raw: Bytes32(bytes) ?? .zero)
        )
    }

    @Test func `Where four bytes of two ids are equal the rest decides`() throws {
        let other = try Device(person: 3)
        let first = try other.post("before", time: 49)
        let last = try other.post("after", time: 51)
        let twins = writeTwins(by: hazel, smaller: .first) + writeTwins(by: rowan, smaller: .last)
        #expect(twins.count == 4)
        try store.take(hazel.chunk(), rowan.chunk(), other.chunk())
        for page in [1, 2, 3, 4, 9] {
            #expect(try store.feed(page: page) == [last] + twins.sorted() + [first])
        }
        var query = FeedQuery(now: .max, reader: nil)
        query.order = .oldestFirst
        #expect(try store.feed(query, page: 1) == [first] + twins.sorted().reversed() + [last])
    }

    @Test func `Where eight bytes of two ids are equal the rest decides`() throws {
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
        #expect(try store.reader.thread(post, now: .max, reader: nil).posts.count == 1)
        try hazel.delete(twin, time: 3)
        try take()
        #expect(try store.text(of: post) == "x")
    }

    @Test func `Unread are the due posts of others that the filter lets through`() throws {
        try hazel.post("one", time: 1, in: ["food"])
        try rowan.post("two", time: 2, in: ["food"])
        try rowan.post("three", time: 3)
        try rowan.post("later", time: 90)
        try take()
        func unread(_ read: ReadSoFar, in channels: [Channel] = [], below place: ReadPlace? = nil) throws -> Int {
            try store.reader.unread(after: read, channels: channels, below: place, now: 10, reader: hazel.identity)
        }
        let nothing = ReadSoFar(arrival: 0)
        #expect(try unread(nothing) == 2)
        #expect(try unread(nothing, in: [try #require(Channel("food"))]) == 1)
        let arrived = try store.reader.latestArrival()
        #expect(try unread(ReadSoFar(arrival: arrived)) == 0)
        // The newest was on a page; what stands behind it was not, nor what came later.
        let rows = try store.reader.feed(FeedQuery(now: 10, reader: nil)).posts
        let newest = ReadSoFar(arrival: 0, pages: [ReadPages(arrival: arrived, last: ReadPlace(rows[0]))])
        #expect(try unread(newest) == 1 && unread(newest, below: ReadPlace(rows[1])) == 0)
        #expect(rows.map(newest.contains) == [true, false, false])
        let early = ReadSoFar(arrival: 0, pages: [ReadPages(arrival: rows[0].arrival - 1, last: ReadPlace(rows[0]))])
        #expect(try unread(early) == 2 && !early.contains(rows[0]))
    }

    @Test func `Replies can be left out`() throws {
        let root = try hazel.post("root", time: 1)
        try rowan.reply("reply", to: root, root: root, time: 2)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.replies = .left
        #expect(try store.feed(query) == [root])
        #expect(try store.reader.post(root, reader: nil)?.replies == 1)
    }

    @Test func `Votes are counted once for each person`() throws {
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

    @Test func `Arrivals come in their order and once`() throws {
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

    @Test func `What arrives after a page was read comes once, behind it`() throws {
        let shown = try rowan.post("on the page", time: 5)
        try store.take(rowan.chunk())
        let page = try store.reader.feed(FeedQuery(now: .max, reader: nil))
        let later = try hazel.post("behind it", time: 9)
        try take()
        let news = try store.reader.arrivals(after: page.arrival, FeedQuery(now: .max, reader: nil))
        #expect(page.posts.map(\.id) == [shown] && news.posts.map(\.id) == [later])
    }
}
