#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Storage
import Transport

/// Shows new posts as they arrive, and what becomes of those on the screen, until the reader ends it.
struct LiveTail {
    /// Poll interval of the database: shorter delays are not noticed. A guess.
    private static let pauseMicroseconds: UInt32 = 100_000

    /// Posts kept until they are due, at most; those due last are left to the next feed. A guess.
    private static let waitingAtMost = 10_000

    let feed: FeedDesk
    let form: ReadingOptions.Form
    let console: Console
    /// The read mark before the tail; posts are marked as read above it as they are shown. Nil: nothing is marked.
    var reach: ReaderFile.Reach?

    /// Goes on below a page that was shown.
    func run(after page: FeedPage) throws {
        guard !feed.desk.store.isFrozen else {
            throw Failure(.failure, "the disk is full, so that nothing new would be seen", hint: "df -h; quota -s")
        }
        var shown = page.arrival
        var watched = WatchedPosts(page.posts.reversed())
        var pace = ChangePace()
        var version = -1
        // What arrived since the page comes with the first look.
        var waiting = try waitingNow().filter { $0.arrival <= shown }
        var out = pollfd(fd: 1, events: 0, revents: 0)
        while true {
            let present = try Problems.naming { () throws(StorageError) in try feed.desk.store.dataVersion() }
            let hasChanged = present != version
            version = present
            if hasChanged { pace.noteChange() }
            if pace.takesLook(now: SystemClock.monotonicMilliseconds) {
                let changes = try Problems.naming { () throws(StorageError) in
                    try watched.changes(in: feed.desk.store, reader: feed.desk.own)
                }
                try show(changes)
            }
            if hasChanged {
                let page = try newPosts(after: shown)
                waiting = Array((waiting + page.waiting).sorted { $0.time < $1.time }.prefix(LiveTail.waitingAtMost))
                try show(page.posts, upTo: page.mark, waiting)
                watched.add(page.posts)
                shown = page.mark
            }
            let now = console.now
            if let first = waiting.first, first.time <= now {
                let due = waiting.prefix { $0.time <= now }
                waiting.removeFirst(due.count)
                let rows = try Problems.naming { () throws(StorageError) in
                    try feed.desk.store.due(of: Array(due), query)
                }
                try show(rows, upTo: shown, waiting)
                watched.add(rows)
            }
            // Detects that the reader has gone although nothing arrives for hours.
            if poll(&out, 1, 0) > 0, out.revents & Int16(POLLERR | POLLHUP) != 0 { throw ReaderGone() }
            usleep(LiveTail.pauseMicroseconds)
        }
    }

    private var query: FeedQuery {
        var query = feed.view.query(now: console.now, reader: feed.desk.own)
        query.limit = StorageLimits.feedPagePosts
        return query
    }

    private func waitingNow() throws(Failure) -> [WaitingPost] {
        try Problems.naming { () throws(StorageError) in try feed.desk.store.waiting(query) }
    }

    private func newPosts(after arrival: UInt64) throws(Failure) -> ArrivalPage {
        try Problems.naming { () throws(StorageError) in try feed.desk.store.arrivals(after: arrival, query) }
    }

    /// Shows the rows, after which everything up to `arrival` is shown except `waiting`.
    private func show(_ rows: [PostRow], upTo arrival: UInt64, _ waiting: [WaitingPost]) throws {
        guard !rows.isEmpty else { return }
        let now = console.now
        // Names are read anew: a person's first post may have brought the name.
        let desk = try ReadingDesk(console)
        switch form {
        case .json:
            let feed = FeedDesk(desk: desk, view: feed.view, now: now)
            for row in rows {
                var object = feed.object(row, isLaterPage: false)
                object["changed"] = false
                try console.out.write(object)
            }
        case .text:
            let look = console.out.look
            let views = PostViews(desk: desk, rows: rows, read: .all, now: now)
            let renderer = FeedRenderer(look: look, clock: console.clock)
            try console.out.write(renderer.posts(rows.map { views.view($0, context: look) }))
        }
        try console.out.flush()
        let read = FeedDesk.read(upTo: arrival, but: waiting, now: now)
        let view = reach == nil ? nil : feed.view.mark
        desk.remember(rows.map(\.id), view: view, upTo: read, reaching: reach ?? .all)
    }

    /// Shows posts once more that were edited, deleted or lost, as a page would; it marks nothing as read.
    private func show(_ changes: [WatchedPosts.Change]) throws {
        guard !changes.isEmpty else { return }
        let desk = try ReadingDesk(console)
        let now = console.now
        switch form {
        case .json:
            let feed = FeedDesk(desk: desk, view: feed.view, now: now)
            for change in changes {
                var object =
                    change.row.map { feed.object($0, isLaterPage: false) }
                    ?? JSONObject(["id": .string(change.id.description), "state": "missing"])
                // An edited post looks the same whether it is new to the reader or shown once more.
                object["changed"] = true
                try console.out.write(object)
            }
        case .text:
            let look = console.out.look
            let ids = changes.flatMap { [$0.id] + ($0.row?.reply.map { [$0.parent] } ?? []) }
            let views = PostViews(desk: desk, ids: ids, read: .all, now: now)
            let posts = changes.map { change in
                change.row.map { views.view($0, context: look) } ?? views.stub(change.id)
            }
            try console.out.write(FeedRenderer(look: look, clock: console.clock).posts(posts))
        }
        try console.out.flush()
        desk.remember(changes.map(\.id))
    }
}
