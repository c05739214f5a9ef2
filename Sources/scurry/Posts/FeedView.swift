import Entries
import Storage

/// Which posts somebody asked to see, and what that is called.
struct FeedView {
    var channels: [Channel] = []
    var authors = FeedQuery.Authors.everybody
    var since: UInt64?
    /// Shown at most on a page.
    var count: Int
    /// `everybody`, `#cs193`, `people you follow`.
    let scope: SafeText
    /// What to type for a page like this one.
    let command: SafeText
    /// The same whenever it was posted, where `since` leaves some out; nil where it does not.
    var timeless: SafeText?
    /// The name under which it is remembered how far this was read; nil: looking at it marks nothing as read.
    let mark: String?
    /// What to type for the posts that this view leaves out because of what was joined; nil: none are.
    var elsewhere: SafeText?

    /// What `feed` shows without a word: the channel in use, else those that were joined, else everything.
    static func usual(_ state: ReaderState, count: Int) -> FeedView {
        let command: SafeText = "scurry feed"
        if let channel = state.channelInUse {
            let name = SafeText(line: "#\(channel)")
            return FeedView(channels: [channel], count: count, scope: name, command: command, mark: name.string)
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

    /// Under which it is remembered how far the joined channels were read together.
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

    /// What was read, on the first page and on later ones.
    func read(isLaterPage: Bool) -> ReadSoFar {
        let marks = [ReaderState.everything, view.mark ?? ReaderState.everything].compactMap { desk.state.marks[$0] }
        return ReadSoFar(
            arrival: marks.map { isLaterPage ? $0.before : $0.arrival }.max() ?? 0,
            pages: marks.flatMap(\.pages)
        )
    }

    /// Posts that come due within so many milliseconds stay unread until then: clocks are seconds or minutes apart, and
    /// longer than that nobody's read posts are to count as unread again. A guess.
    private static let soon: UInt64 = 600_000

    /// How far was read by somebody who saw everything up to an arrival, but for what waits for its time.
    static func read(upTo arrival: UInt64, but waiting: [WaitingPost], now: UInt64) -> UInt64 {
        let next = waiting.filter { $0.time > now && $0.time <= now + soon && $0.arrival > 0 }
        return min(arrival, next.map { $0.arrival - 1 }.min() ?? arrival)
    }

    /// What is here and not due yet, in this view.
    func waiting(atMost limit: Int) throws(Failure) -> [WaitingPost] {
        var query = view.query(now: now, reader: desk.own)
        query.limit = limit
        return try Problems.naming { () throws(StorageError) in try desk.store.waiting(query) }
    }

    func page(beyond: EntryID?) throws(Failure) -> Storage.FeedPage {
        var query = view.query(now: now, reader: desk.own)
        query.beyond = beyond
        return try Problems.naming { () throws(StorageError) in try desk.store.feed(query) }
    }

    /// A row for a script, which marks nothing as read.
    func object(_ row: PostRow, isLaterPage: Bool) -> JSONObject {
        var object = PostJSON.object(row, desk: desk)
        object["unread"] = .bool(desk.isUnread(row, after: read(isLaterPage: isLaterPage)))
        return object
    }

    /// What to type for posts behind one that `since` leaves out; nil where there are none.
    func older(than last: EntryID, short: SafeText) throws(Failure) -> SafeText? {
        guard let command = view.timeless else { return nil }
        var query = view.query(now: now, reader: desk.own)
        query.since = nil
        query.beyond = last
        query.limit = 1
        let page = try Problems.naming { () throws(StorageError) in try desk.store.feed(query) }
        return page.posts.isEmpty ? nil : "\(command) --before \(short)"
    }

    /// How many posts of others that are not read stand behind a page.
    func unread(after read: ReadSoFar, behind page: Storage.FeedPage) throws(Failure) -> Int {
        guard page.next != nil, let last = page.posts.last else { return 0 }
        return try unread(after: read, below: ReadPlace(last))
    }

    /// How many posts of others are not read; 0 for a view that marks nothing.
    func unread(after read: ReadSoFar, below place: ReadPlace? = nil) throws(Failure) -> Int {
        guard view.mark != nil else { return 0 }
        return try Problems.naming { () throws(StorageError) in
            try desk.store.unread(after: read, channels: view.channels, below: place, now: now, reader: desk.own)
        }
    }
}
