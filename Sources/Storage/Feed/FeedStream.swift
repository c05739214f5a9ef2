internal import Entries
internal import GRDB

/// A post's position in a feed, with its key.
struct FeedSpot {
    let time: Int64
    let tie: Int64
    let arrival: Int64
    let key: EntryKey
    let identity: IdentityNumber
    let root: TargetNumber?

    static let columns = "time, tie, arrival, entry, identity, root"

    init(_ columns: Columns) {
        time = columns.integer(0)
        tie = columns.integer(1)
        arrival = columns.integer(2)
        key = EntryKey(columns.integer(3))
        identity = columns.integer(4)
        root = columns.optionalInteger(5)
    }

    var rank: FeedRank { FeedRank(time: time, tie: tie, arrival: arrival) }
}

/// The sort key of a feed, ascending: time, then falling ids by four bytes; the arrival only tells rows apart.
struct FeedRank: Comparable {
    let time: Int64
    let tie: Int64
    let arrival: Int64

    static let first = FeedRank(time: .min, tie: .min, arrival: .min)
    static let last = FeedRank(time: .max, tie: .max, arrival: .max)

    static func < (left: Self, right: Self) -> Bool {
        (left.time, left.tie, left.arrival) < (right.time, right.tie, right.arrival)
    }

    /// True if the whole ids are needed to order the two.
    func isTied(with other: FeedRank) -> Bool { time == other.time && tie == other.tie }
}

/// A cursor over the posts of one index in feed order, read in batches on demand.
final class FeedStream {
    /// The index to read.
    enum Source {
        case all
        case identity(IdentityNumber)
        case channel(Int64)
        case thread(TargetNumber)
    }

    private let statement: Prepared
    private let group: Int64
    /// Time of the far end, inclusive.
    private let end: Int64
    private var position: FeedRank
    private var buffer: [FeedSpot] = []
    private var isAtEnd = false
    // The batch size begins small: most streams of a merge give few rows.
    private var portion = 8

    /// Reads from `start`, exclusive, to the time `end`, inclusive.
    init(_ db: Database, _ source: Source, from start: FeedRank, to end: Int64, order: FeedQuery.Order) throws {
        position = start
        self.end = end
        switch source {
        case .all: group = 0
        case .identity(let number), .channel(let number), .thread(let number): group = number
        }
        statement = try Prepared(db, Self.sql(source, order))
    }

    private static func sql(_ source: Source, _ order: FeedQuery.Order) -> String {
        let (beyond, until, direction) =
            switch order {
            case .newestFirst: ("<", ">=", "DESC")
            case .oldestFirst: (">", "<=", "ASC")
            }
        let (tables, condition, rank) =
            switch source {
            case .all: ("posts p", "?1 = 0", ("p.time", "p.tie", "p.arrival"))
            case .identity: ("posts p", "p.identity = ?1", ("p.time", "p.tie", "p.arrival"))
            case .thread: ("posts p", "p.root = ?1", ("p.time", "p.tie", "p.arrival"))
            case .channel:
                (
                    "post_channels c CROSS JOIN posts p ON p.arrival = c.post", "c.channel = ?1",
                    ("c.time", "c.tie", "c.post")
                )
            }
        return """
            SELECT p.time, p.tie, p.arrival, p.entry, p.identity, p.root FROM \(tables)
            WHERE \(condition) AND (\(rank.0), \(rank.1), \(rank.2)) \(beyond) (?2, ?3, ?4) AND \(rank.0) \(until) ?5
            ORDER BY \(rank.0) \(direction), \(rank.1) \(direction), \(rank.2) \(direction) LIMIT ?6
            """
    }

    /// The next spot, not consumed until `advance`.
    func next() throws -> FeedSpot? {
        if buffer.isEmpty, !isAtEnd {
            let spots = try statement.all(group, position.time, position.tie, position.arrival, end, portion) {
                FeedSpot($0)
            }
            isAtEnd = spots.count < portion
            portion = min(portion * 2, 512)
            if let last = spots.last { position = last.rank }
            buffer = spots.reversed()
        }
        return buffer.last
    }

    func advance() {
        _ = buffer.popLast()
    }
}

/// Merges several streams into one; a spot that is in more than one comes once.
struct FeedMerge {
    private let streams: [FeedStream]
    private let order: FeedQuery.Order

    init(_ streams: [FeedStream], order: FeedQuery.Order) {
        self.streams = streams
        self.order = order
    }

    /// The next spots: one, or all that are tied; empty at the end.
    func nextTied() throws -> [FeedSpot] {
        guard let first = try pop() else { return [] }
        var tied = [first]
        while let next = try peek(), next.rank.isTied(with: first.rank), let more = try pop() { tied.append(more) }
        return tied
    }

    private func peek() throws -> FeedSpot? {
        var best: FeedSpot?
        for stream in streams {
            guard let spot = try stream.next() else { continue }
            guard let leader = best else {
                best = spot
                continue
            }
            let isAhead =
                switch order {
                case .newestFirst: spot.rank > leader.rank
                case .oldestFirst: spot.rank < leader.rank
                }
            if isAhead { best = spot }
        }
        return best
    }

    private func pop() throws -> FeedSpot? {
        guard let spot = try peek() else { return nil }
        for stream in streams {
            if try stream.next()?.arrival == spot.arrival { stream.advance() }
        }
        return spot
    }
}
