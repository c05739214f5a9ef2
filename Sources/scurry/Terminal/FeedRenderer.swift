/// Draws a page of a feed.
struct FeedRenderer {
    /// Text lines of a post in the feed; longer texts are cut there, not in `show`. A guess.
    static let textLinesAtMost = 12

    let look: Look
    let clock: TimeText

    init(look: Look, clock: TimeText) {
        self.look = look
        self.clock = clock
    }

    /// The whole page: heading, posts, and the next commands.
    func lines(_ page: FeedScreen) -> [StyledLine] {
        return heading(page) + posts(page.posts) + [rule] + footer(page)
    }

    /// Posts alone, as a live tail adds them.
    func posts(_ posts: [PostView]) -> [StyledLine] {
        let drawing = PostLines(
            look: look,
            clock: clock,
            columns: PostLines.Columns(posts, look: look),
            textLinesAtMost: FeedRenderer.textLinesAtMost
        )
        return posts.flatMap { post in
            let gutter = StyledLine(look.glyphs.gutter, ChannelHue.style(of: post.channels.first))
            var text = gutter
            text.add(.spaces(drawing.columns.id + 2))
            return drawing.lines(post, prefix: .init(heading: gutter, text: text), channels: post.channels)
        }
    }

    /// Scope, order and peers, with the unread count at the right; parts that do not fit go below.
    func heading(_ page: FeedScreen) -> [StyledLine] {
        let separator: SafeText = " \(look.glyphs.separator) "
        let unread: SafeText = page.unread == 0 ? "" : "\(page.unread) unread"
        let count = StyledLine(unread, .bold)
        let first = page.scope + separator + page.order
        var line = StyledLine(" ")
        line.add(page.peers.map { first + separator + $0 } ?? first)
        if line.columns <= look.width, line.addAtRight(count, endingAt: look.width) { return [line, rule] }
        var short = StyledLine(" ")
        short.add(first)
        var lines: [StyledLine]
        if short.columns <= look.width, short.addAtRight(count, endingAt: look.width) {
            lines = [short]
        } else {
            lines = wrapped(first) + (unread.isEmpty ? [] : wrapped(unread))
        }
        return lines + (page.peers.map(wrapped) ?? []) + [rule]
    }

    private func footer(_ page: FeedScreen) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let older = page.older {
            let label: SafeText = page.unreadBehind == 0 ? "older:" : "\(page.unreadBehind) more unread:"
            lines += pointer(label, to: "\(page.command) --before \(older)")
        } else if let before = page.beforeThat {
            lines.append(StyledLine(" nothing older in that time", .dim))
            lines += pointer("before that:", to: before)
        } else {
            lines.append(StyledLine(" nothing older", .dim))
        }
        if let elsewhere = page.elsewhere { lines += pointer("every channel:", to: elsewhere) }
        return lines
    }

    private func pointer(_ label: SafeText, to command: SafeText) -> [StyledLine] {
        CommandText.lines(label, command: command, width: look.width - 1).map { StyledLine(" " + $0) }
    }

    private var rule: StyledLine {
        StyledLine(look.glyphs.rule.repeated(look.width), .dim)
    }

    private func wrapped(_ text: SafeText) -> [StyledLine] {
        Wrap.lines(text, width: look.width, prefix: " ").map { StyledLine($0) }
    }
}
