// scurry mine [-n N] [--json]

import ArgumentParser
import Storage

struct MineCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mine",
        abstract: "Read your own posts, oldest first.",
        usage: "scurry mine [-n N] [--json]",
        discussion: """
            With their scores. -n takes the latest N of them.

            Example:
              scurry mine
            """
    )

    @Option(
        name: .customShort("n", allowingJoined: true),
        help: ArgumentHelp("Only the latest N posts.", valueName: "n")
    )
    var count: Int?

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func validate() throws {
        if let count, !(1...StorageLimits.feedPagePosts).contains(count) {
            throw ValidationError("-n takes a number from 1 to \(StorageLimits.feedPagePosts)")
        }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let now = console.now
        var query = FeedQuery(now: now, reader: own)
        query.authors = .one(own)
        query.limit = count ?? StorageLimits.feedPagePosts
        // The latest posts, in the order in which they were written.
        let page = try Problems.naming { () throws(StorageError) in try desk.store.feed(query) }
        let rows = Array(page.posts.reversed())
        switch reading.form {
        case .json:
            for row in rows { try console.out.write(PostJSON.object(row, desk: desk)) }
        case .text:
            let look = console.out.look
            if rows.isEmpty {
                try console.out.write(desk.emptyFeed().lines(look))
                return
            }
            let views = PostViews(desk: desk, rows: rows, read: .all, now: now)
            let renderer = FeedRenderer(look: look, clock: console.clock)
            let drawn = FeedScreen(
                scope: "your posts",
                order: "oldest first",
                posts: rows.map { views.view($0, context: look) }
            )
            try console.out.page(renderer.heading(drawn) + renderer.posts(drawn.posts))
        }
        try console.out.flush()
        desk.remember(rows.map(\.id))
    }
}
