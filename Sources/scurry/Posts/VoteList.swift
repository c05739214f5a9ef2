import Entries
import Storage

/// The posts on which the person voted, the latest vote first, with posts that are not here.
struct VoteList {
    /// Votes on a page by default, as many as posts on a feed's; a guess.
    static let usualCount = 30

    private let desk: ReadingDesk
    private let votes: [(vote: CastVote, row: PostRow?)]
    private let count: Int
    private let hasMore: Bool

    init(_ desk: ReadingDesk, count: Int) throws(Failure) {
        guard let own = desk.own else { throw Scribe.hubFailure }
        let found = try Problems.naming { () throws(StorageError) in
            var found: [(vote: CastVote, row: PostRow?)] = []
            for vote in try desk.store.votes(of: own, limit: count + 1) {
                found.append((vote, try desk.store.post(vote.post, reader: own)))
            }
            return found
        }
        self.desk = desk
        self.count = count
        votes = Array(found.prefix(count))
        hasMore = found.count > count
    }

    func write(_ form: ReadingOptions.Form, on console: Console) throws {
        switch form {
        case .json: for (vote, row) in votes { try console.out.write(object(vote, row)) }
        case .text where votes.isEmpty:
            let none = EmptyState.nothingInPlace("No votes of yours.", all: "scurry vote up ID")
            try console.out.write(none.lines(console.out.look))
        case .text: try draw(on: console)
        }
        try console.out.flush()
        desk.remember(votes.map(\.vote.post))
        if form == .json, hasMore { console.note("older votes follow: \(more) --json") }
    }

    private var more: SafeText { "scurry vote -n \(min(2 * count, StorageLimits.feedPagePosts))" }

    private func object(_ vote: CastVote, _ row: PostRow?) -> JSONObject {
        var object =
            row.map { PostJSON.object($0, desk: desk) }
            ?? JSONObject(["id": .string(vote.post.description), "state": "missing"])
        object["vote"] = vote.value == .up ? "up" : "down"
        object["voted"] = .string(TimeText.rfc3339(vote.time))
        return object
    }

    private func draw(on console: Console) throws {
        let look = console.out.look
        let views = PostViews(desk: desk, ids: votes.map(\.vote.post), read: .all, now: console.now)
        let renderer = FeedRenderer(look: look, clock: console.clock)
        let page = FeedScreen(
            scope: "your votes",
            order: "latest first",
            posts: votes.map { vote, row in
                if let row { return views.view(row, context: look) }
                var stub = views.stub(vote.post)
                stub.ownVote = vote.value == .up ? .up : .down
                return stub
            }
        )
        var lines = renderer.heading(page) + renderer.posts(page.posts)
        if hasMore {
            lines.append(StyledLine(look.glyphs.rule.repeated(look.width), .dim))
            lines += CommandText.lines("older votes:", command: more, width: look.width - 1).map {
                StyledLine(" " + $0)
            }
        }
        try console.out.page(lines)
    }
}
