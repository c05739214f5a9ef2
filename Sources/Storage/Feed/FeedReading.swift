internal import Entries
internal import GRDB

/// Answers a `FeedQuery` within one snapshot, in time that grows with the page and not with the store.
struct FeedReading {
    private let db: Database
    private let query: FeedQuery
    private let posts: PostReading
    private let authors: AuthorFilter
    /// Numbers of the channels that are known here; nil: any.
    private let channels: [Int64]?
    private let inChannel: Prepared

    private enum AuthorFilter {
        case everybody
        case these(Set<IdentityNumber>)

        func allows(_ identity: IdentityNumber) -> Bool {
            switch self {
            case .everybody: true
            case .these(let identities): identities.contains(identity)
            }
        }
    }

    init(_ db: Database, _ query: FeedQuery) throws {
        self.db = db
        self.query = query
        posts = try PostReading(db, reader: query.reader)
        let logs = LogTable(db)
        switch query.authors {
        case .everybody: authors = .everybody
        case .one(let identity): authors = .these(Set(try [logs.number(ofKnown: identity)].compactMap(\.self)))
        case .followed(let identity):
            let number = try logs.number(ofKnown: identity)
            let sql = "SELECT followed FROM follows WHERE identity = ? AND value = 1"
            authors = .these(Set(try number.map { try Prepared(db, sql).all($0) { $0.integer(0) } } ?? []))
        }
        if query.channels.isEmpty {
            channels = nil
        } else {
            let find = try Prepared(db, "SELECT number FROM channels WHERE name = ?")
            channels = try Set(query.channels).compactMap { try find.first($0.description) { $0.integer(0) } }
        }
        inChannel = try Prepared(
            db,
            "SELECT 1 FROM post_channels WHERE channel = ? AND time = ? AND tie = ? AND post = ?"
        )
    }

    func page() throws -> FeedPage {
        let limit = max(0, min(query.limit, StorageLimits.feedPagePosts))
        let cursor = try query.beyond.flatMap { try spot(of: $0) }
        let merge = FeedMerge(try streams(from: cursor), order: query.order)
        var rows: [PostRow] = []
        while rows.count <= limit {
            let tied = try merge.nextTied()
            if tied.isEmpty { break }
            var group = try tied.compactMap { try passes($0) ? posts.post(at: $0.key, arrival: $0.arrival) : nil }
            if let cursor, let first = tied.first, first.rank.isTied(with: cursor.rank) {
                group = group.filter { comes($0.id, after: cursor.id) }
            }
            rows += group.sorted { comes($1.id, after: $0.id) }
        }
        let page = Array(rows.prefix(limit))
        return FeedPage(
            posts: page,
            next: rows.count > limit ? page.last?.id : nil,
            arrival: UInt64(clamping: try HomeRow.read(db).arrival)
        )
    }

    /// Posts that arrived after a number, in the order of their arrival.
    func arrivals(after arrival: UInt64) throws -> ArrivalPage {
        let limit = max(0, min(query.limit, StorageLimits.feedPagePosts))
        let next = try Prepared(
            db,
            "SELECT \(FeedSpot.columns) FROM posts WHERE arrival > ? ORDER BY arrival LIMIT 256"
        )
        var mark = Int64(clamping: arrival)
        var rows: [PostRow] = []
        var waiting: [WaitingPost] = []
        while rows.count < limit {
            let spots = try next.all(mark) { FeedSpot($0) }
            if spots.isEmpty { break }
            for spot in spots where rows.count < limit {
                mark = spot.arrival
                guard spot.time >= Int64(clamping: query.since ?? 0), try passes(spot) else { continue }
                guard isDue(spot) else {
                    waiting.append(WaitingPost(spot))
                    continue
                }
                if let row = try posts.post(at: spot.key, arrival: spot.arrival) { rows.append(row) }
            }
        }
        return ArrivalPage(posts: rows, mark: UInt64(clamping: mark), waiting: waiting)
    }

    /// Posts by others that are not due yet, the next one first, up to the query's limit.
    func waiting() throws -> [WaitingPost] {
        let limit = max(0, min(query.limit, StorageLimits.feedPagePosts))
        var found: [WaitingPost] = []
        guard query.now < .max, limit > 0 else { return found }
        let sql = "SELECT \(FeedSpot.columns) FROM posts WHERE time > ? ORDER BY time"
        try Prepared(db, sql).rows(Int64(clamping: query.now)) {
            let spot = FeedSpot($0)
            if spot.identity != posts.reader, try passes(spot) { found.append(WaitingPost(spot)) }
            return found.count < limit ? .more : .enough
        }
        return found
    }

    /// The posts among `waiting` that are due now and still here, in the order of their time.
    func due(of waiting: [WaitingPost]) throws -> [PostRow] {
        let find = try Prepared(db, "SELECT \(FeedSpot.columns) FROM posts WHERE arrival = ?")
        return try waiting.sorted { $0.time < $1.time }.compactMap { post in
            guard let spot = try find.first(Int64(clamping: post.arrival), read: { FeedSpot($0) }), isDue(spot),
                try passes(spot)
            else { return nil }
            return try posts.post(at: spot.key, arrival: spot.arrival)
        }
    }

    private struct Cursor {
        let rank: FeedRank
        let id: EntryID
    }

    /// The position of a post in the feed; a deleted one has the position that it had.
    private func spot(of id: EntryID) throws -> Cursor? {
        guard let found = try posts.entries.entry(with: id) else { return nil }
        let start: Int64 =
            switch query.order {
            case .newestFirst: .max
            case .oldestFirst: .min
            }
        return Cursor(rank: FeedRank(time: Int64(found.header.foldedTime), tie: id.tie, arrival: start), id: id)
    }

    private func streams(from cursor: Cursor?) throws -> [FeedStream] {
        let now = Int64(clamping: query.now)
        let since = Int64(clamping: query.since ?? 0)
        var streams = try sources().map { try stream($0, between: since, and: now, cursor) }
        // A post that is not due yet is shown to its author.
        if let reader = posts.reader, authors.allows(reader), now < .max {
            streams.append(try stream(.identity(reader), between: max(since, now + 1), and: .max, cursor))
        }
        return streams
    }

    /// The indices with the fewest rows that hold every post that may pass.
    private func sources() -> [FeedStream.Source] {
        switch (authors, channels) {
        case (.everybody, nil): [.all]
        case (.everybody, let channels?): channels.map { .channel($0) }
        case (.these(let authors), let channels?) where authors.count > 1: channels.map { .channel($0) }
        case (.these(let authors), _): authors.map { .identity($0) }
        }
    }

    private func stream(
        _ source: FeedStream.Source,
        between first: Int64,
        and last: Int64,
        _ cursor: Cursor?
    ) throws -> FeedStream {
        switch query.order {
        case .newestFirst:
            let top = FeedRank(time: last, tie: .max, arrival: .max)
            let start = cursor.map { min($0.rank, top) } ?? top
            return try FeedStream(db, source, from: start, to: first, order: .newestFirst)
        case .oldestFirst:
            let bottom = FeedRank(time: first, tie: .min, arrival: .min)
            let start = cursor.map { max($0.rank, bottom) } ?? bottom
            return try FeedStream(db, source, from: start, to: last, order: .oldestFirst)
        }
    }

    private func isDue(_ spot: FeedSpot) -> Bool {
        spot.time <= Int64(clamping: query.now) || spot.identity == posts.reader
    }

    private func passes(_ spot: FeedSpot) throws -> Bool {
        if case .left = query.replies, spot.root != nil { return false }
        guard authors.allows(spot.identity) else { return false }
        guard let channels else { return true }
        return try channels.contains { channel in
            try inChannel.first(channel, spot.time, spot.tie, spot.arrival) { _ in true } ?? false
        }
    }

    private func comes(_ id: EntryID, after other: EntryID) -> Bool {
        switch query.order {
        case .newestFirst: id > other
        case .oldestFirst: id < other
        }
    }
}
