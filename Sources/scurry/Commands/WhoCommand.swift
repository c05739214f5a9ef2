// scurry who [PERSON] [--followers | --following] [-n N] [--after PERSON] [--json]

import ArgumentParser
import Entries
import Storage

struct WhoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "who",
        abstract: "Read about a person and their posts, or list people.",
        usage: "scurry who [PERSON] [--followers | --following] [-n N] [--after PERSON] [--json]",
        discussion: """
            PERSON is a name, a name with its tag, or the beginning of an id. Without PERSON everybody of whom \
            something is here is listed, the latest post first; with --followers or --following, your own followers or \
            whom you follow. Counts and lists are those seen by this node. With --json the latest N posts of PERSON \
            are in the object.

            Example:
              scurry who
              scurry who rowan~xe8b
              scurry who rowan~xe8b --followers
            """
    )

    @Argument(help: ArgumentHelp("Whom: rowan, rowan~xe8b, or an id.", valueName: "person"))
    var person: PersonArgument?

    @Flag(name: .long, help: "List the followers of PERSON, or yours.")
    var followers = false

    @Flag(name: .long, help: "List whom PERSON follows, or you.")
    var following = false

    @Option(
        name: .customShort("n", allowingJoined: true),
        help: ArgumentHelp(
            "How many posts, or people. (default: \(WhoCommand.usualCount), or \(PeopleList.usualCount) people)",
            valueName: "n"
        )
    )
    var count: Int?

    @Option(name: .long, help: ArgumentHelp("Of a list, who comes after this one.", valueName: "person"))
    var after: PersonArgument?

    private static let usualCount = 10

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    /// Whether people are listed; a page without posts says something, one without people does not.
    private var isList: Bool { person == nil || followers || following }

    func validate() throws {
        if followers, following { throw ValidationError("--followers and --following exclude each other") }
        if after != nil, !isList {
            throw ValidationError("--after is for a list of people: it takes --followers or --following")
        }
        let least = isList ? 1 : 0
        if let count, !(least...StorageLimits.feedPagePosts).contains(count) {
            throw ValidationError(UsageProblem.count(from: least))
        }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let person, !isList else {
            let list = try PeopleList(choice(desk), in: desk, now: console.now)
            return try list.write(reading.form, count: count ?? PeopleList.usualCount, after: after, on: console)
        }
        try show(person.resolve(in: desk, for: "scurry who"), count: count ?? Self.usualCount, desk, console)
    }

    private func choice(_ desk: ReadingDesk) throws(Failure) -> PeopleList.Choice {
        guard followers || following else { return .everybody }
        let command: SafeText = followers ? "scurry who --followers" : "scurry who --following"
        let entry: NameBook.Entry
        if let person {
            entry = try person.resolve(in: desk, for: command)
        } else {
            guard let own = desk.own else { throw Scribe.hubFailure }
            entry = desk.book[own]
        }
        return followers ? .followers(entry) : .followed(by: entry)
    }

    private func show(_ entry: NameBook.Entry, count: Int, _ desk: ReadingDesk, _ console: Console) throws {
        let now = console.now
        var query = FeedQuery(now: now, reader: desk.own)
        query.authors = .one(entry.identity)
        query.limit = max(1, count)
        let (known, counts, isFollowed, page) = try Problems.naming { () throws(StorageError) in
            (
                try desk.store.person(entry.identity),
                try desk.store.followCounts(entry.identity),
                try desk.own.map { own throws(StorageError) in try desk.store.following(own) }?.contains(entry.identity)
                    ?? false,
                try desk.store.feed(query)
            )
        }
        let posts = count == 0 ? [] : page.posts
        let older =
            count == 0
            ? nil
            : page.next.map { last in
                desk.command(
                    forOlderThan: desk.shorts(for: [last])[last] ?? "",
                    of: entry,
                    count: count == WhoCommand.usualCount ? nil : count
                )
            }
        switch reading.form {
        case .json:
            try console.out.write(
                JSONObject([
                    "id": .string(entry.identity.description),
                    "name": .optional(entry.name),
                    "tag": .string(entry.tag),
                    "own": .bool(entry.identity == desk.own),
                    "full_name": .optional(known?.fullName),
                    "bio": .optional(known?.bio),
                    "following": .bool(isFollowed),
                    "followers_seen": .integer(Int64(counts.followers)),
                    "follows_seen": .integer(Int64(counts.following)),
                    "posts": .array(posts.map { .object(PostJSON.object($0, desk: desk)) }),
                ])
            )
            try console.out.flush()
            desk.remember(posts.map(\.id))
            if let older { console.note("older posts follow: \(older) --json") }
        case .text:
            try draw(entry, known, counts, isFollowed, posts, older: older, desk, console, now: now)
            try console.out.flush()
            desk.remember(posts.map(\.id))
        }
    }

    private func draw(
        _ entry: NameBook.Entry,
        _ known: Person?,
        _ counts: FollowCounts,
        _ isFollowed: Bool,
        _ posts: [PostRow],
        older: SafeText?,
        _ desk: ReadingDesk,
        _ console: Console,
        now: UInt64
    ) throws {
        let look = console.out.look
        var heading = StyledLine(" ")
        heading.add(entry.shownName, .bold)
        heading.add(" ~\(entry.tag)", .dim)
        if entry.identity == desk.own { heading.add(" (you)") }
        if isFollowed { heading.add(" \(look.glyphs.separator) you follow them") }
        var facts: [Facts.Fact] = []
        if let name = known?.fullName, !name.isEmpty { facts.append(.init("full name", SafeText(line: name))) }
        if let bio = known?.bio, !bio.isEmpty { facts.append(.init("about", SafeText(body: bio))) }
        facts.append(.init("followers", "\(counts.followers), follows \(counts.following) (seen by this node)"))
        facts.append(.init("id", SafeText(line: entry.identity.description)))
        var lines = [heading] + Facts(facts).lines(look)
        lines.append(StyledLine(look.glyphs.rule.repeated(look.width), .dim))
        if posts.isEmpty {
            lines += count == 0 ? [] : EmptyState.nothingFrom(entry.shown).lines(look)
        } else {
            let views = PostViews(desk: desk, rows: posts, read: .all, now: now)
            lines += FeedRenderer(look: look, clock: console.clock).posts(posts.map { views.view($0, context: look) })
        }
        if let older {
            lines.append(StyledLine(look.glyphs.rule.repeated(look.width), .dim))
            lines += CommandText.lines("older:", command: older, width: look.width - 1).map { StyledLine(" " + $0) }
        }
        try console.out.page(lines)
    }
}

extension ReadingDesk {
    /// The command for a person's posts older than the one with this id; `--all`, since a channel in use says nothing
    /// about a person. With a `count`, as many of them.
    func command(forOlderThan id: SafeText, of entry: NameBook.Entry, count: Int? = nil) -> SafeText {
        let all: SafeText = state.channelInUse == nil ? "" : "--all "
        let number: SafeText = count.map { "-n \($0) " } ?? ""
        return "scurry feed \(all)--from \(PersonArgument.spelling(of: entry)) \(number)--before \(id)"
    }
}
