// scurry feed [-c CHANNEL] [--all] [--following] [--from PERSON] [--since T] [--before ID] [-n N] [--follow] [--read] [--json]

import ArgumentParser
import Entries
import Storage
import Transport

struct FeedCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Read posts, newest first.",
        usage:
            "scurry feed [-c CHANNEL] [--all] [--following] [--from PERSON] [--since T] [--before ID] [-n N] [--follow] "
            + "[--read] [--json]",
        discussion: """
            Everybody's posts, in the channel in use, or in all that you joined, or in all there are; --all takes posts \
            of every channel and of none. No ranking: the order is that of time. What was on no page stays unread; \
            --read is for whoever does not want to see it.

            T is 2h, yesterday, a date, or a date and a time.

            With --follow, a line of JSON whose changed is true shows once more a post that was edited, deleted or lost.

            Example:
              scurry feed -c squirrels --since yesterday
              scurry feed --follow
            """
    )

    @Option(
        name: [.customShort("c", allowingJoined: true), .customLong("channel")],
        help: ArgumentHelp("Only this channel; may be given again.", valueName: "channel"),
        transform: ChannelArgument.parse
    )
    var channels: [ChannelArgument] = []

    @Flag(name: .long, help: "Every channel, and posts in none.")
    var all = false

    @Flag(name: .long, help: "Only people whom you follow.")
    var following = false

    @Option(name: .long, help: ArgumentHelp("Only this person.", valueName: "person"))
    var from: PersonArgument?

    // Whatever follows is the value: `-2h` begins with a dash.
    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Only what was posted since.", valueName: "t"))
    var since: String?

    @Option(name: .long, help: ArgumentHelp("Older than this post.", valueName: "id"))
    var before: PostArgument?

    @Option(name: .customShort("n", allowingJoined: true), help: ArgumentHelp("How many posts.", valueName: "n"))
    var count = 30

    @Flag(name: .long, help: "Stay, and show new posts, edits and deletes as they come.")
    var follow = false

    @Flag(name: .customLong("read"), help: "Count what is not shown as read, too.")
    var isAllRead = false

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func validate() throws {
        guard (1...StorageLimits.feedPagePosts).contains(count) else {
            throw ValidationError(UsageProblem.count())
        }
        if following, from != nil { throw ValidationError("--following and --from exclude each other") }
        if isAllRead, reading.form == .json {
            throw ValidationError("--json marks nothing as read: --read is not for it")
        }
        if all, !channels.isEmpty { throw ValidationError("--all and -c exclude each other") }
        if follow, before != nil { throw ValidationError("--follow and --before exclude each other") }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let now = console.now
        let feed = FeedDesk(desk: desk, view: try view(desk, now: now), now: now)
        let beyond = try before?.resolve(in: desk) { "\(feed.view.command) --before \($0)" }.id
        let page = try feed.page(beyond: beyond)
        WallCheck.tell(
            desk.home.layout,
            on: console,
            waiting: try? feed.waiting(atMost: StorageLimits.waitingPosts).count
        )
        var tail = LiveTail(feed: feed, form: reading.form, console: console)
        switch reading.form {
        case .json:
            for row in follow ? page.posts.reversed() : page.posts {
                var object = feed.object(row, isLaterPage: before != nil)
                if follow { object["changed"] = false }
                try console.out.write(object)
            }
            try console.out.flush()
            desk.remember(page.posts.map(\.id))
            if let last = page.next {
                let views = PostViews(desk: desk, rows: page.posts, read: .all, now: now)
                console.note("older posts follow: \(feed.view.command) --json --before \(views.short(last))")
            }
        case .text:
            let behind = isAllRead ? 0 : try feed.unread(after: feed.read(isLaterPage: before != nil), behind: page)
            try show(page, of: feed, leaving: behind, on: console)
            try console.out.flush()
            let waiting = try feed.waiting(atMost: StorageLimits.feedPagePosts)
            let read = FeedDesk.read(upTo: page.arrival, but: waiting, now: now)
            tail.reach = since == nil ? try reach(page, of: feed, leaving: behind, beyond: beyond) : nil
            desk.remember(
                page.posts.map(\.id),
                view: tail.reach == nil ? nil : feed.view.mark,
                upTo: read,
                reaching: tail.reach ?? .all
            )
            if tail.reach == .all || tail.reach == .skipped { tail.reach = .live }
        }
        if follow { try tail.run(after: page) }
    }

    /// The part of the view that a page showed, as read marks count it; nil: it gives no read mark.
    private func reach(
        _ page: FeedPage,
        of feed: FeedDesk,
        leaving unreadBehind: Int,
        beyond: EntryID?
    ) throws(Failure) -> ReaderFile.Reach? {
        let last = page.posts.last.map { ReadPlace($0) }
        guard let beyond else {
            if isAllRead { return .skipped }
            return unreadBehind == 0 ? .all : last.map { .newest(through: $0) }
        }
        let row = try Problems.naming { () throws(StorageError) in try feed.desk.store.post(beyond, reader: nil) }
        guard let start = row.map({ ReadPlace($0) }) else { return nil }
        return unreadBehind == 0 ? .oldest(after: start) : last.map { .older(after: start, through: $0) }
    }

    private func show(
        _ page: FeedPage,
        of feed: FeedDesk,
        leaving unreadBehind: Int,
        on console: Console
    ) throws {
        let look = console.out.look
        if page.posts.isEmpty, !follow {
            try console.out.write(emptiness(feed, look))
            return
        }
        let read = feed.read(isLaterPage: before != nil)
        let views = PostViews(desk: feed.desk, rows: page.posts, read: read, now: feed.now)
        let unread = before == nil ? try feed.unread(after: read, from: page) : 0
        let drawn = FeedScreen(
            scope: feed.view.scope,
            order: follow ? "oldest first" : "newest first",
            peers: feed.desk.glance.heading(console.clock),
            unread: unread,
            posts: page.posts.map { views.view($0, context: look) },
            command: feed.view.command,
            older: page.next.map(views.short),
            beforeThat: page.next == nil
                ? try page.posts.last.map { try feed.older(than: $0.id, short: views.short($0.id)) } ?? nil : nil,
            unreadBehind: unreadBehind,
            elsewhere: feed.view.elsewhere
        )
        let renderer = FeedRenderer(look: look, clock: console.clock)
        if follow {
            // The newest post is at the bottom, where the next one will appear.
            try console.out.write(renderer.heading(drawn) + renderer.posts(drawn.posts.reversed()))
        } else {
            try console.out.page(renderer.lines(drawn))
        }
    }

    /// The message for an empty page, with the next command.
    private func emptiness(_ feed: FeedDesk, _ look: Look) throws -> [StyledLine] {
        if before != nil {
            if let id = try before?.resolve(in: feed.desk, hinting: { "\(feed.view.command) --before \($0)" }).id {
                let short = feed.desk.shorts(for: [id])[id] ?? ""
                if let command = try feed.older(than: id, short: short) {
                    return EmptyState.nothingInPlace("Nothing older in that time.", all: command).lines(look)
                }
            }
            return EmptyState.nothingInPlace("Nothing older.", all: feed.view.command).lines(look)
        }
        let waiting = try feed.waiting(atMost: StorageLimits.waitingPosts).count
        if waiting > 0 { return EmptyState.waiting(SafeText(line: WallCheck.waitingPosts(waiting))).lines(look) }
        if since != nil, try !isEmptyAtAnyTime(feed) { return EmptyState.nothingNew.lines(look) }
        let isOfSome = following || from != nil
        // The view's channels may be the only reason for the empty page.
        if channels.isEmpty, !feed.view.channels.isEmpty, isOfSome || feed.view.channels.count > 1 {
            let what: SafeText = "\(isOfSome ? "Nothing from" : "No posts in") \(feed.view.scope) yet."
            return EmptyState.nothingInPlace(what, all: feed.view.command + " --all").lines(look)
        }
        if let person = from { return EmptyState.nothingFrom(SafeText(line: person.typed)).lines(look) }
        if following { return EmptyState.nobodyFollowed.lines(look) }
        let empty = try feed.desk.emptyFeed()
        if let channel = feed.view.channels.first, feed.view.channels.count == 1 {
            return empty.inChannel(SafeText(line: channel.description)).lines(look)
        }
        let here = feed.view.channels.isEmpty ? empty : empty.inChannels(feed.view.scope)
        return here.lines(look) + (feed.desk.glance.hasPeers ? [] : EmptyState.noPeers.lines(look))
    }

    /// Whether the view would be empty without `--since`, too.
    private func isEmptyAtAnyTime(_ feed: FeedDesk) throws(Failure) -> Bool {
        var query = feed.view.query(now: feed.now, reader: feed.desk.own)
        query.since = nil
        query.limit = 1
        return try Problems.naming { () throws(StorageError) in try feed.desk.store.feed(query) }.posts.isEmpty
    }

    private func view(_ desk: ReadingDesk, now: UInt64) throws -> FeedView {
        var scope: SafeText = "everybody"
        var command: SafeText = "scurry feed"
        var authors = FeedQuery.Authors.everybody
        var mark: String? = ReaderState.everything
        let used = all ? [] : desk.state.channelInUse.map { [$0] } ?? []
        let joined = all ? [] : desk.state.joined
        // One that is named twice is one.
        let named = channels.map(\.channel)
        let places =
            channels.isEmpty
            ? used : named.indices.filter { !named[..<$0].contains(named[$0]) }.map { named[$0] }
        var elsewhere: SafeText?
        if all { command = command + " --all" }
        if following {
            guard let own = desk.own else { throw Scribe.hubFailure }
            authors = .followed(by: own)
            scope = "people you follow"
            command = command + " --following"
            mark = nil
        }
        if let from {
            let person = try from.resolve(in: desk, for: command + " --from")
            authors = .one(person.identity)
            scope = person.shown
            command = command + " --from \(PersonArgument.spelling(of: person))"
            mark = nil
        }
        if !places.isEmpty {
            let names = SafeText(line: places.map { "#\($0)" }.joined(separator: " "))
            scope = authors == .everybody ? names : "\(scope) in \(names)"
            if !channels.isEmpty {
                for place in places { command = command + " \(ChannelArgument.option(place))" }
            } else if authors == .everybody {
                elsewhere = "scurry feed --all"
            }
            mark = mark.flatMap { _ in places.count == 1 ? names.string : nil }
        } else if authors == .everybody, !joined.isEmpty {
            scope = "channels you joined"
            mark = FeedView.joinedMark
            elsewhere = "scurry feed --all"
        }
        var start: UInt64?
        let number: SafeText = count == 30 ? "" : " -n \(count)"
        let timeless = since.map { _ in command + number }
        if let since {
            start = SinceText.milliseconds(since, now: now, zone: .local)
            if start == nil {
                throw Failure(
                    .usage,
                    "--since does not understand \(since)",
                    hint: "scurry feed --since 2h; it takes \(SinceText.forms)"
                )
            }
            command = command + " --since \(ShellWord.quoted(since))"
        }
        return FeedView(
            channels: places.isEmpty && authors == .everybody ? joined : places,
            authors: authors,
            since: start,
            count: count,
            scope: scope,
            command: command + number,
            timeless: timeless,
            mark: mark,
            elsewhere: elsewhere
        )
    }
}
