#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Storage

/// Shows posts as they come in, until the reader has enough of it.
struct LiveTail {
    /// How often the database is asked whether anything was written: an eye does not notice less. A guess.
    private static let pauseMicroseconds: UInt32 = 100_000

    let feed: FeedDesk
    let form: ReadingOptions.Form
    let console: Console

    func run(after arrival: UInt64) throws {
        var shown = arrival
        var version = -1
        var out = pollfd(fd: 1, events: 0, revents: 0)
        while true {
            let present = try Problems.naming { () throws(StorageError) in try feed.desk.store.dataVersion() }
            if present != version {
                version = present
                shown = try showNew(after: shown)
            }
            // Nothing may come for hours: a reader who has gone is noticed all the same.
            if poll(&out, 1, 0) > 0, out.revents & Int16(POLLERR | POLLHUP) != 0 { throw ReaderGone() }
            usleep(LiveTail.pauseMicroseconds)
        }
    }

    /// The number of the last arrival that was seen.
    private func showNew(after arrival: UInt64) throws -> UInt64 {
        let now = console.now
        var query = feed.view.query(now: now, reader: feed.desk.own)
        query.limit = StorageLimits.feedPagePosts
        let page = try Problems.naming { () throws(StorageError) in
            try feed.desk.store.arrivals(after: arrival, query)
        }
        let rows = page.posts
        guard !rows.isEmpty else { return page.mark }
        // A person may have come with their first post: the names are read anew.
        let desk = try ReadingDesk(console)
        switch form {
        case .json:
            for row in rows { try console.out.write(PostJSON.object(row, desk: desk)) }
        case .text:
            let look = console.out.look
            let views = PostViews(desk: desk, rows: rows, mark: page.mark, now: now)
            let renderer = FeedRenderer(look: look, clock: console.clock)
            try console.out.write(renderer.posts(rows.map { views.view($0, context: look) }))
        }
        try console.out.flush()
        desk.remember(rows.map(\.id), view: form == .text ? feed.view.mark : nil, upTo: page.mark)
        return page.mark
    }
}
