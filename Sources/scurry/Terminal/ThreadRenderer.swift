/// Draws a post and the replies below it as a tree, to a depth of six; the gutter points to the post asked for.
struct ThreadRenderer {
    static let depthAtMost = 6

    let look: Look
    let clock: TimeText

    init(look: Look, clock: TimeText) {
        self.look = look
        self.clock = clock
    }

    func lines(_ page: ThreadScreen) -> [StyledLine] {
        let rows = drawn(page.rows)
        let drawing = PostLines(
            look: look,
            clock: clock,
            columns: PostLines.Columns(rows.map(\.post), look: look),
            textLinesAtMost: nil
        )
        let open = laterSiblings(rows)
        let root = rows.first?.post
        let hue = ChannelHue.style(of: root?.channels.first)
        let gutter = StyledLine(look.glyphs.gutter, hue)
        let pointer = StyledLine(look.glyphs == .ascii ? ">" : "►", hue)
        var lines: [StyledLine] = []
        for (index, row) in rows.enumerated() {
            let hasReplies = index + 1 < rows.count && rows[index + 1].depth > row.depth
            let indent = textIndent(drawing, row)
            let prefix = prefix(row, gutter, open[index], textIndent: indent)
            var own = prefix
            if row.post.role == .askedFor {
                own.heading = self.prefix(row, pointer, open[index], textIndent: indent).heading
            }
            if hasReplies || row.undrawn > 0 { own.text = prefix.trunk }
            let isPlaceTold = index > 0 && row.post.channels == root?.channels
            lines += drawing.lines(
                row.post,
                prefix: .init(heading: own.heading, text: own.text),
                channels: isPlaceTold ? [] : row.post.channels
            )
            if row.undrawn > 0 {
                lines += more(row, prefix, branch: hasReplies ? look.glyphs.branch : look.glyphs.lastBranch)
            }
        }
        return lines
    }

    /// The prefixes of one post's lines in the tree.
    private struct TreePrefix {
        var heading: StyledLine
        var text: StyledLine
        /// As `text`, with the line down to the first reply.
        var trunk: StyledLine
        /// The prefix of a line below the last reply.
        var below: StyledLine
    }

    private var stepColumns: Int { look.isNarrow ? 2 : 3 }

    private func textIndent(_ drawing: PostLines, _ row: ThreadScreen.Row) -> Int {
        look.isNarrow && row.depth > 0 ? 2 : drawing.columns.id + 2
    }

    private func prefix(_ row: ThreadScreen.Row, _ gutter: StyledLine, _ open: [Bool], textIndent: Int) -> TreePrefix {
        let glyphs = look.glyphs
        var stem = gutter
        for level in 1..<max(1, row.depth) {
            stem.add((open[level] ? glyphs.trunk : " ").padded(to: stepColumns), .dim)
        }
        var heading = stem
        var below = stem
        if row.depth > 0 {
            let branch = open[row.depth] ? glyphs.branch : glyphs.lastBranch
            heading.add(branch + glyphs.twig.repeated(stepColumns - 2) + " ", .dim)
            below.add((open[row.depth] ? glyphs.trunk : " ").padded(to: stepColumns), .dim)
        }
        var text = below
        text.add(.spaces(textIndent))
        var trunk = below
        trunk.add(glyphs.trunk.padded(to: textIndent), .dim)
        return TreePrefix(heading: heading, text: text, trunk: trunk, below: below)
    }

    /// `└─ 4 more replies: scurry show q3xd`
    private func more(_ row: ThreadScreen.Row, _ prefix: TreePrefix, branch glyph: SafeText) -> [StyledLine] {
        var branch = prefix.below
        branch.add(glyph + look.glyphs.twig.repeated(stepColumns - 2) + " ", .dim)
        let count: SafeText = row.undrawn == 1 ? "1 more reply" : "\(row.undrawn) more replies"
        var indent = prefix.below
        indent.add((glyph == look.glyphs.branch ? look.glyphs.trunk : " ").padded(to: stepColumns), .dim)
        let texts = CommandText.lines(
            "\(count):",
            command: "scurry show \(row.post.id)",
            width: look.width - branch.columns
        )
        return texts.enumerated().map { index, text in
            var line = index == 0 ? branch : indent
            line.add(text, .dim)
            return line
        }
    }

    /// The rows that are drawn: their depths have no gaps, and deeper rows are counted in the row above them.
    private func drawn(_ rows: [ThreadScreen.Row]) -> [ThreadScreen.Row] {
        var drawn: [ThreadScreen.Row] = []
        for var row in rows {
            let deepest = drawn.last.map { $0.depth + 1 } ?? 0
            if row.depth > ThreadRenderer.depthAtMost, let last = drawn.indices.last {
                drawn[last].undrawn += 1 + row.undrawn
                continue
            }
            row.depth = min(max(row.depth, drawn.isEmpty ? 0 : 1), deepest)
            drawn.append(row)
        }
        return drawn
    }

    /// For each row and each level, whether a later row of that level has the same parent.
    private func laterSiblings(_ rows: [ThreadScreen.Row]) -> [[Bool]] {
        var open = [Bool](repeating: false, count: ThreadRenderer.depthAtMost + 2)
        var result: [[Bool]] = []
        for row in rows.reversed() {
            result.append(open)
            for level in open.indices where level >= row.depth { open[level] = level == row.depth }
        }
        return result.reversed()
    }
}
