// scurry show ID [--before REPLY] [--history] [--json]

import ArgumentParser
import Entries
import Storage
import Transport

struct ShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Read one post and its thread.",
        usage: "scurry show ID [--before REPLY] [--history] [--json]",
        discussion: """
            The post with what it answers, all replies, who signed it, and where it is. Of more than 10,000 replies \
            the newest are shown, and how to read the others. --history shows what it said before it was edited.

            Example:
              scurry show k7fa
            """
    )

    @Argument(help: ArgumentHelp("The post: the first letters of its id.", valueName: "id"))
    var post: PostArgument

    @Option(name: .long, help: ArgumentHelp("Replies of the thread older than this one.", valueName: "reply"))
    var before: PostArgument?

    @Flag(name: .long, help: "Everything that the post ever said, newest first.")
    var history = false

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func validate() throws {
        if history, before != nil { throw ValidationError("--history and --before exclude each other") }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let rest: SafeText = history ? " --history" : ""
        let row = try post.resolve(in: desk) { "scurry show \($0)\(rest)" }
        if history { return try showHistory(of: row, desk, console) }
        let now = console.now
        let bound = try before?.resolve(in: desk) { "scurry show \(ShellWord.quoted(post.typed)) --before \($0)" }.id
        let thread = try Problems.naming { () throws(StorageError) in
            try desk.store.thread(row.reply?.root ?? row.id, now: now, before: bound, reader: desk.own)
        }
        let tree = ThreadTree(thread.posts, with: row)
        if case .newest(let oldest) = thread.extent {
            let amount = Amount.of(StorageLimits.threadPosts, "reply", "replies")
            // The whole id: of so many that are shown next, more are remembered than a short one is looked for among.
            console.tell("older replies than these \(amount): scurry show \(post.typed) --before \(oldest.description)")
        }
        switch reading.form {
        case .json:
            try write(tree.rows(from: row.id), desk, console)
            desk.remember([row.id])
        case .text:
            try draw(row, tree, desk, console, now: now)
        }
    }

    /// One object for each place, also for a post that is not here: replies below it need it.
    private func write(_ places: [ThreadTree.Row], _ desk: ReadingDesk, _ console: Console) throws {
        let inStep = desk.glance.holderCount
        var heads: [LogID: SignedHead] = [:]
        for place in places {
            var object =
                place.post.map { PostJSON.object($0, desk: desk) }
                ?? JSONObject(["id": .string(place.id.description), "state": "missing"])
            object["depth"] = .integer(Int64(place.depth))
            if let row = place.post {
                // As the text counts: this node, and the peers that are known to hold the same.
                object["held_by"] = .integer(Int64(1 + (inStep ?? 0)))
                object["in_step_peers"] = .optional(inStep)
                let head = try heads[row.log] ?? SignedHead(of: row.log, in: desk)
                heads[row.log] = head
                head.add(to: &object)
            }
            try console.out.write(object)
        }
        try console.out.flush()
    }

    private func draw(_ row: PostRow, _ tree: ThreadTree, _ desk: ReadingDesk, _ console: Console, now: UInt64) throws {
        // A reply is shown below its parent; the parent's other replies are shown only in the whole thread.
        var places = tree.rows(from: row.id)
        if let parent = row.reply?.parent {
            let above = tree.rows(from: parent).first ?? ThreadTree.Row(depth: 0, id: parent, post: nil)
            places = [above] + places.map { ThreadTree.Row(depth: $0.depth + 1, id: $0.id, post: $0.post) }
        }
        let top = places.first?.post?.reply?.parent
        let ids = places.map(\.id) + [row.reply?.root, top].compactMap(\.self)
        let views = PostViews(desk: desk, ids: ids, read: .all, now: now)
        let look = console.out.look
        let page = ThreadScreen(
            rows: places.enumerated().map { index, place -> ThreadScreen.Row in
                guard let post = place.post else { return .init(depth: place.depth, post: views.stub(place.id)) }
                // What the first one answers is not drawn.
                var view = index == 0 ? views.view(post, context: look) : views.view(post)
                if index > 0, place.id == row.id { view.role = .askedFor }
                return .init(depth: place.depth, post: view)
            }
        )
        var lines = ThreadRenderer(look: look, clock: console.clock).lines(page)
        lines.append(StyledLine(look.glyphs.rule.repeated(look.width), .dim))
        lines += remainder(of: tree, row, beyond: places, views, look)
        lines += Facts(facts(of: row, desk)).lines(look)
        try console.out.page(lines)
        try console.out.flush()
        desk.remember(ids)
    }

    /// The command for what the page leaves out of the thread; empty: nothing, or the thread's first post is not here.
    private func remainder(
        of tree: ThreadTree,
        _ row: PostRow,
        beyond places: [ThreadTree.Row],
        _ views: PostViews,
        _ look: Look
    ) -> [StyledLine] {
        guard let root = row.reply?.root, root != row.id, tree.hasPost(root) else { return [] }
        let drawn = Set(places.map(\.id))
        let whole = tree.rows(from: root)
        guard whole.contains(where: { !drawn.contains($0.id) }) else { return [] }
        let depth = whole.first { $0.id == row.id }?.depth
        // A post deeper than it is drawn would not be on that page. Above it, its parent is on this one.
        let label: SafeText =
            switch depth {
            case nil: "from its beginning:"
            case let depth? where depth > ThreadRenderer.depthAtMost: "\(depth - 1) more above, from its beginning:"
            case _?: "the whole thread:"
            }
        let command: SafeText = "scurry show \(views.short(root))"
        return CommandText.lines(label, command: command, width: look.width - 1).map { StyledLine(" " + $0) }
    }

    private func facts(of row: PostRow, _ desk: ReadingDesk) -> [Facts.Fact] {
        let check: SafeText = row.log == (try? desk.store.status())?.own?.log ? "signed here" : "checked when it came"
        let holders = desk.glance.holders
        return [
            .init("id", SafeText(line: row.id.description), .whole),
            .init("author", SafeText(line: row.identity.description), .whole),
            .init("signed", "entry \(DevicePosts.place(row)) of log \(row.log.description.prefix(8)), \(check)"),
            .init("held by", row.isEvicted ? "\(holders); its text is no longer here" : holders),
        ]
    }

    private func showHistory(of row: PostRow, _ desk: ReadingDesk, _ console: Console) throws {
        let versions = try Problems.naming { () throws(StorageError) in try desk.store.history(of: row.id) }
        switch reading.form {
        case .json:
            for version in versions {
                try console.out.write(
                    JSONObject([
                        "id": .string(version.id.description),
                        "post": .string(row.id.description),
                        "time": .string(TimeText.rfc3339(version.time)),
                        "title": .optional(version.text.flatMap { $0.title.isEmpty ? nil : $0.title }),
                        "text": .optional(version.text?.text),
                        "dropped": .bool(version.isEvicted),
                    ])
                )
            }
        case .text:
            let views = PostViews(desk: desk, ids: versions.map(\.id), read: .all, now: console.now)
            let posts = versions.enumerated().map { index, version -> PostView in
                var view = views.view(row)
                view.id = views.short(version.id)
                view.time = version.time
                view.state = version.id == row.id ? .normal : .edited
                view.title = version.text.flatMap { $0.title.isEmpty ? nil : SafeText(line: $0.title) }
                view.body = version.text.map { SafeText(body: $0.text) }
                if version.text == nil { view.state = version.isEvicted ? .evicted : .waitingForBody }
                if versions.count > 1 { view.version = index == 0 ? .current : .earlier }
                return view
            }
            if posts.isEmpty {
                console.tell("\(post.typed) was deleted: nothing is left of what it said")
                return
            }
            try console.out.page(FeedRenderer(look: console.out.look, clock: console.clock).posts(posts))
        }
        try console.out.flush()
        desk.remember([row.id])
    }
}
