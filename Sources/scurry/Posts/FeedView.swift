import Entries
import Storage

/// A selection of posts, with its name and the command for it.
struct FeedView {
    var channels: [Channel] = []
    var authors = FeedQuery.Authors.everybody
    var since: UInt64?
    /// Posts shown at most on a page.
    var count: Int
    /// `everybody`, `#cs193`, `people you follow`.
    let scope: SafeText
    /// The command for a page like this one.
    let command: SafeText
    /// The command without `--since`; nil if `since` is not set.
    var timeless: SafeText?
    /// Name of the read mark; nil: reading this view marks nothing as read.
    let mark: String?
    /// The command for the posts that this view leaves out because of a channel in use, or of joined ones; nil: it
    /// leaves out none.
    var elsewhere: SafeText?

    /// The default view of `feed`: the channel in use, else the joined channels, else everything.
    static func usual(_ state: ReaderState, count: Int) -> FeedView {
        let command: SafeText = "scurry feed"
        if let channel = state.channelInUse {
            let name = SafeText(line: "#\(channel)")
            return FeedView(
                channels: [channel],
                count: count,
                scope: name,
                command: command,
                mark: name.string,
                elsewhere: command + " --all"
            )
        }
        guard !state.joined.isEmpty else {
            return FeedView(count: count, scope: "everybody", command: command, mark: ReaderState.everything)
        }
        return FeedView(
            channels: state.joined,
            count: count,
            scope: "channels you joined",
            command: command,
            mark: joinedMark,
            elsewhere: command + " --all"
        )
    }

    /// Name of the read mark of the joined channels together.
    static let joinedMark = "joined"

    func query(now: UInt64, reader: IdentityID?) -> FeedQuery {
        var query = FeedQuery(now: now, reader: reader)
        query.channels = channels
        query.authors = authors
        query.since = since
        query.limit = count
        return query
    }
}

/// Reads pages of a view.
struct FeedDesk {
    let desk: ReadingDesk
    let view: FeedView
    let now: UInt64

    /// What was read before, as it applies to the first page or to later ones.
    func read(isLaterPage: Bool) -> ReadSoFar {
        let marks = [ReaderState.everything, view.mark ?? ReaderState.everything].compactMap { desk.state.marks[$0] }
        return ReadSoFar(
            arrival: marks.map { isLaterPage ? $0.before : $0.arrival }.max() ?? 0,
            pages: marks.flatMap(\.pages)
        )
    }

    /// Posts that are due within this time stay unread until then: clocks differ by seconds or minutes, and posts that
    /// were read are not to count as unread for longer. A guess.
    private static let soon: UInt64 = 600_000

    /// The read mark after everything up to an arrival was shown, except posts that wait for their time.
    static func read(upTo arrival: UInt64, but waiting: [WaitingPost], now: UInt64) -> UInt64 {
        let next = waiting.filter { $0.time > now && $0.time <= now + soon && $0.arrival > 0 }
        return min(arrival, next.map { $0.arrival - 1 }.min() ?? arrival)
    }

    /// Posts of this view that are held and not due yet.
    func waiting(atMost limit: Int) throws(Failure) -> [WaitingPost] {
        var query = view.query(now: now, reader: desk.own)
        query.limit = limit
        return try Problems.naming { () throws(StorageError) in try desk.store.waiting(query) }
    }

    func page(beyond: EntryID?) throws(Failure) -> FeedPage {
        var query = view.query(now: now, reader: desk.own)
        query.beyond = beyond
        return try Problems.naming { () throws(StorageError) in try desk.store.feed(query) }
    }

    /// A post as JSON; it marks nothing as read.
    func object(_ row: PostRow, isLaterPage: Bool) -> JSONObject {
        var object = PostJSON.object(row, desk: desk)
        object["unread"] = .bool(desk.isUnread(row, after: read(isLaterPage: isLaterPage)))
        return object
    }

    /// The command for posts older than `last` that `since` leaves out; nil if there are none.
    func older(than last: EntryID, short: SafeText) throws(Failure) -> SafeText? {
        guard let command = view.timeless else { return nil }
        var query = view.query(now: now, reader: desk.own)
        query.since = nil
        query.beyond = last
        query.limit = 1
        let page = try Problems.naming { () throws(StorageError) in try desk.store.feed(query) }
        return page.posts.isEmpty ? nil : "\(command) --before \(short)"
    }

    /// Number of unread posts of others behind a page, as far back as the view goes.
    func unread(after read: ReadSoFar, behind page: FeedPage) throws(Failure) -> Int {
        guard page.next != nil, let last = page.posts.last else { return 0 }
        let behind = try unread(after: read, below: ReadPlace(last))
        guard let since = view.since, behind > 0 else { return behind }
        // The store counts back without end, up to `StorageLimits.countedUnreadPosts`: beyond that the difference is
        // too small, never too large.
        let older = try unread(after: read, below: ReadPlace(time: since, tie: .min))
        return max(0, behind - older)
    }

    /// Number of unread posts of others in the view, of which `page` is the first one.
    func unread(after read: ReadSoFar, from page: FeedPage) throws(Failure) -> Int {
        guard view.mark != nil, view.since != nil else { return try unread(after: read) }
        let behind = try unread(after: read, behind: page)
        return behind + page.posts.count { desk.isUnread($0, after: read) }
    }

    /// Number of unread posts of others that the channel in use hides; 0 if none is in use, or nobody reads here.
    static func unreadElsewhere(_ desk: ReadingDesk, now: UInt64) throws(Failure) -> Int {
        guard let used = desk.state.channelInUse, desk.own != nil else { return 0 }
        var state = desk.state
        state.channelInUse = nil
        let feed = FeedDesk(desk: desk, view: .usual(state, count: 1), now: now)
        let read = feed.read(isLaterPage: false)
        let unread = try feed.unread(after: read)
        guard feed.view.channels.isEmpty || feed.view.channels.contains(used) else { return unread }
        let inside = try Problems.naming { () throws(StorageError) in
            try desk.store.unread(after: read, channels: [used], now: now, reader: desk.own)
        }
        // Beyond `StorageLimits.countedUnreadPosts` too small, never too large.
        return max(0, unread - inside)
    }

    /// Number of unread posts of others; 0 for a view that marks nothing.
    func unread(after read: ReadSoFar, below place: ReadPlace? = nil) throws(Failure) -> Int {
        guard view.mark != nil else { return 0 }
        return try Problems.naming { () throws(StorageError) in
            try desk.store.unread(after: read, channels: view.channels, below: place, now: now, reader: desk.own)
        }
    }
}
