// scurry

import ArgumentParser
import Storage

/// The program without a command: first steps, or the present state.
struct Scurry: Command {
    static let configuration = CommandConfiguration(
        commandName: "scurry",
        abstract: "A feed for a campus that nobody owns.",
        usage: "scurry [COMMAND]",
        discussion: """
            Without a command: how to begin, or how things stand and what is unread.

            Example:
              scurry init --name hazel
              scurry run
              scurry post "Hello, campus"
              scurry feed

            Exit codes: 0 ok, 1 failed, 3 not found or ambiguous, 4 locked, 5 needs a node or a peer, 6 partly done, \
            7 refused by a rule, 64 usage, 75 try again later.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Begin",
                subcommands: [
                    InitCommand.self, WhoamiCommand.self, NameCommand.self, RunCommand.self, JoinCommand.self,
                    LeaveCommand.self, PeersCommand.self, InviteCommand.self, IdCommand.self, LockCommand.self,
                    UnlockCommand.self,
                ]
            ),
            CommandGroup(
                name: "Write",
                subcommands: [
                    PostCommand.self, ReplyCommand.self, EditCommand.self, DeleteCommand.self, VoteCommand.self,
                ]
            ),
            CommandGroup(
                name: "Read",
                subcommands: [FeedCommand.self, ShowCommand.self, MineCommand.self]
            ),
            CommandGroup(
                name: "People and channels",
                subcommands: [
                    WhoCommand.self, FollowCommand.self, UnfollowCommand.self, ChannelCommand.self,
                ]
            ),
            CommandGroup(
                name: "Node",
                subcommands: [
                    StatusCommand.self, SyncCommand.self, DoctorCommand.self, ConfigCommand.self, ServiceCommand.self,
                    ExportCommand.self, ImportCommand.self, BackupCommand.self, RestoreCommand.self,
                    FingerprintCommand.self, RebuildCommand.self, CompletionsCommand.self,
                ]
            ),
        ]
    )

    @Flag(name: .long, help: "Print the version.")
    var version = false

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        if version { return try console.out.write(StyledLine(SafeText(line: "scurry " + Version.text))) }
        guard try HomeDoor.openIfMade(console.environment) != nil else {
            return try welcome(on: console)
        }
        let desk = try ReadingDesk(console)
        WallCheck.tell(desk, on: console)
        let screen = StatusScreen(desk: desk, console: console)
        switch reading.form {
        case .json:
            var object = try screen.object()
            object["unread"] = .optional(try unread(desk, now: console.now))
            try console.out.write(object)
        case .text:
            try screen.write(.text)
            if desk.own != nil { try showUnread(desk, on: console) }
        }
    }

    /// The number of unread posts, as the feed counts; nil on a hub, where nobody reads.
    private func unread(_ desk: ReadingDesk, now: UInt64) throws -> Int? {
        guard desk.own != nil else { return nil }
        let feed = FeedDesk(desk: desk, view: .usual(desk.state, count: 1), now: now)
        return try feed.unread(after: feed.read(isLaterPage: false))
    }

    private func welcome(on console: Console) throws {
        let look = console.out.look
        if reading.form == .json {
            try console.out.write(JSONObject(["home": .null, "next": "scurry init"]))
            return
        }
        var lines = Wrap.lines("Scurry: a feed for a campus that nobody owns.", width: look.width, prefix: " ")
            .map { StyledLine($0, .bold) }
        lines.append(StyledLine())
        for (command, purpose) in Scurry.firstSteps {
            var line = StyledLine("   ")
            line.add(command.padded(to: 26))
            if line.columns + purpose.columns <= look.width {
                line.add(purpose, .dim)
                lines.append(line)
            } else {
                lines.append(line.trimmedEnd)
                lines.append(StyledLine("     " + purpose, .dim))
            }
        }
        lines.append(StyledLine())
        lines += Wrap.lines("All commands: scurry -h", width: look.width, prefix: " ").map { StyledLine($0) }
        try console.out.write(lines)
    }

    private static let firstSteps: [(SafeText, SafeText)] = [
        ("scurry init --name NAME", "make an identity, offline"),
        ("scurry run", "start the node, leave it running"),
        ("scurry join HOST:7776", "meet somebody who has one"),
    ]

    /// Prints the newest unread posts, and marks nothing as read.
    private func showUnread(_ desk: ReadingDesk, on console: Console) throws {
        let look = console.out.look
        let now = console.now
        // Unread posts are looked for among this many; a guess.
        let view = FeedView.usual(desk.state, count: 30)
        let feed = FeedDesk(desk: desk, view: view, now: now)
        let read = feed.read(isLaterPage: false)
        let page = try feed.page(beyond: nil)
        let unread = try feed.unread(after: read)
        try console.out.write(StyledLine(look.glyphs.rule.repeated(look.width), .dim))
        if unread == 0 {
            try console.out.write((page.posts.isEmpty ? emptiness(of: view, desk) : .nothingNew).lines(look))
            return
        }
        let shown = page.posts.filter { desk.isUnread($0, after: read) }.prefix(Scurry.unreadShown)
        let views = PostViews(desk: desk, rows: shown, read: read, now: now)
        let renderer = FeedRenderer(look: look, clock: console.clock)
        try console.out.write(renderer.posts(shown.map { views.view($0, context: look) }))
        if unread > shown.count {
            let more: SafeText = "\(unread - shown.count) more unread:"
            let lines = CommandText.lines(more, command: "scurry feed", width: look.width - 1)
            try console.out.write(lines.map { StyledLine(" " + $0) })
        }
        try console.out.flush()
        desk.remember(shown.map(\.id))
    }

    private func emptiness(of view: FeedView, _ desk: ReadingDesk) throws -> EmptyState {
        guard !view.channels.isEmpty else { return try desk.emptyFeed() }
        // Whether this home writes stands above.
        return .nothingInPlace("No posts in \(view.scope) yet.", all: "scurry feed --all")
    }

    /// Posts shown at most: a glance, no feed. A guess.
    private static let unreadShown = 5
}

/// The version that `scurry --version` prints.
enum Version {
    static let text = "0.1.0"
}
