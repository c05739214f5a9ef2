// scurry mine [-n N] [--json]

import ArgumentParser
import Entries
import Storage

struct MineCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mine",
        abstract: "Read your own posts, oldest first.",
        usage: "scurry mine [-n N] [--json]",
        discussion: """
            With their scores. -n takes the latest N of them. Of more than 10,000 posts the newest are shown, and how to \
            read the others.

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
            throw ValidationError(UsageProblem.count())
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
        if count == nil, let last = page.next {
            let amount = Amount.of(StorageLimits.feedPagePosts, "post", "posts")
            // The whole id: of so many that are shown, more are remembered than a short one is looked for among.
            let command = desk.command(forOlderThan: SafeText(line: last.description), of: desk.book[own])
            let json: SafeText = reading.form == .json ? " --json" : ""
            console.note("older than these \(amount): \(command)\(json)")
        }
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
