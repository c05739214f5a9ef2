/// Draws one post: the heading with its score, then title and text, each behind a given prefix.
///
/// Narrow widths first move channel and time below the name, then the score too.
struct PostLines {
    /// Columns kept free at the right of a score.
    private static let marginColumns = 1
    /// Columns that posts take at most: longer lines are hard to read, and a score far from its post hard to match. A
    /// guess.
    private static let widthAtMost = 120

    let look: Look
    let clock: TimeText
    /// Columns of the longest id and of the longest counts on the page, for alignment; a narrow terminal aligns ids
    /// only.
    let columns: Columns
    /// Text lines shown at most; nil for all.
    let textLinesAtMost: Int?

    struct Columns: Equatable, Sendable {
        var id = ShortID.lettersAtLeast
        var down = 1
        var replies = 1

        init(_ posts: some Sequence<PostView>, look: Look) {
            for post in posts {
                id = max(id, post.id.columns)
                if look.isNarrow { continue }
                replies = max(replies, String(post.replies).count)
                down = max(down, String(post.tally.down).count)
            }
        }
    }

    /// The prefixes of the heading and of each further line.
    struct Prefix {
        var heading: StyledLine
        var text: StyledLine
    }

    /// Columns that posts take of a line.
    static func width(_ look: Look) -> Int { min(look.width, widthAtMost) }

    private var end: Int { PostLines.width(look) - PostLines.marginColumns }

    func lines(_ post: PostView, prefix: Prefix, channels: [SafeText]) -> [StyledLine] {
        let place = place(post, channels: channels)
        let score = score(post)
        var lines = [heading(post, prefix.heading, place: place, score: score)].compactMap(\.self)
        if lines.isEmpty { lines = stacked(post, prefix, place: place, score: score) }
        return lines + text(post, prefix.text)
    }

    /// The heading on one line; nil if it does not fit.
    private func heading(_ post: PostView, _ prefix: StyledLine, place: Place, score: StyledLine) -> StyledLine? {
        var line = prefix
        line.add(identity(post, room: .max))
        let placed = place.line(room: .max, look: look)
        if placed.columns > 0 {
            line.add(" \(look.glyphs.separator) ", .dim)
            line.add(placed)
        }
        return line.columns <= end && line.addAtRight(score, endingAt: end) ? line : nil
    }

    /// The heading in two lines, the name above channel and time; the score is at the right of the first if it fits.
    private func stacked(_ post: PostView, _ prefix: Prefix, place: Place, score: StyledLine) -> [StyledLine] {
        var first = prefix.heading
        first.add(identity(post, room: end - prefix.heading.columns))
        var second = prefix.text
        second.add(place.line(room: end - prefix.text.columns, look: look))
        if first.addAtRight(score, endingAt: end) { return [first, second] }
        if second.addAtRight(score, endingAt: end) { return [first, second] }
        var third = prefix.text
        third.add(.spaces(end - third.columns - score.columns))
        third.add(score)
        return [first, second, third]
    }

    /// `k7fa  hazel ~9fq2 (you)`; the name is cut first.
    private func identity(_ post: PostView, room: Int) -> StyledLine {
        var line = StyledLine(post.id, post.role == .askedFor ? .bold : .plain)
        if post.reading == .unread { line.add(look.glyphs.unread, .bold) } else { line.add(" ") }
        line.add(.spaces(columns.id - post.id.columns + 1))
        if post.state == .stub {
            line.add("not here", .dim)
            return line
        }
        let tag: SafeText = post.author.tag.isEmpty ? "" : " ~\(post.author.tag)"
        let you: SafeText = post.author.relation == .you ? " (you)" : ""
        let left = room == .max ? .max : max(4, room - line.columns - tag.columns - you.columns)
        line.add(post.author.name.truncated(to: left, marker: look.glyphs.ellipsis), .bold)
        line.add(tag, .dim)
        line.add(you)
        return line
    }

    private func place(_ post: PostView, channels: [SafeText]) -> Place {
        let time = clock.short(post.time)
        if post.version == .current {
            return Place(channels: channels, time: "\(time) \(look.glyphs.separator) current")
        }
        return switch post.state {
        case .stub: Place(channels: [], time: "")
        case .normal, .waitingForBody, .evicted: Place(channels: channels, time: time)
        case .edited: Place(channels: channels, time: "\(time) \(look.glyphs.separator) edited")
        case .deleted: Place(channels: channels, time: "\(time) \(look.glyphs.separator) deleted")
        case .future: Place(channels: channels, time: "appears \(time)")
        }
    }

    /// `*+3 −1 ↳1`; a star precedes the own vote.
    private func score(_ post: PostView) -> StyledLine {
        var line = StyledLine()
        if post.state == .stub || post.state == .deleted || post.version == .earlier { return line }
        line.add(post.ownVote == .up ? "*" : "", .bold)
        line.add("+\(post.tally.up)", post.ownVote == .up ? .bold : .plain)
        let down = SafeText(line: String(post.tally.down))
        line.add(.spaces(1 + max(0, columns.down - down.columns)))
        line.add(post.ownVote == .down ? "*" : "", .bold)
        line.add(look.glyphs.down + down, post.ownVote == .down ? .bold : .plain)
        line.add(" ")
        let replies = SafeText(line: String(post.replies))
        line.add(.spaces(columns.replies - replies.columns))
        line.add(look.glyphs.replies + replies, post.replies == 0 ? .dim : .plain)
        return line
    }

    private func text(_ post: PostView, _ prefix: StyledLine) -> [StyledLine] {
        let room = PostLines.width(look) - prefix.columns
        var lines: [StyledLine] = []
        switch post.state {
        case .deleted, .stub: return []
        case .waitingForBody: lines = [StyledLine("the text has not arrived yet", .dim)]
        case .evicted:
            lines = Wrap.lines("the text gave way to the disk budget", width: room).map { StyledLine($0, .dim) }
        case .normal, .edited, .future:
            if let title = post.title { lines += Wrap.lines(title, width: room).map { StyledLine($0, .bold) } }
            if let body = post.body?.trimmedBreaks, !body.isEmpty {
                lines += Wrap.lines(body, width: room).map { StyledLine($0) }
            }
        }
        // One more line takes no more room than the note that it was left out.
        if let most = textLinesAtMost, lines.count > most + 1 {
            let left = lines.count - most
            lines =
                lines.prefix(most) + [StyledLine("\(look.glyphs.ellipsis) \(left) more: scurry show \(post.id)", .dim)]
        }
        return lines.map { line in
            var whole = prefix
            whole.add(line)
            return whole.trimmedEnd
        }
    }
}

/// The channels and the time of a heading.
private struct Place {
    var channels: [SafeText]
    var time: SafeText

    /// As many channels as fit, then the number of the others; the time is never cut.
    func line(room: Int, look: Look) -> StyledLine {
        var line = StyledLine()
        let separator: SafeText = channels.isEmpty || time.isEmpty ? "" : " \(look.glyphs.separator) "
        let left = room == .max ? .max : room - time.columns - separator.columns
        for (index, channel) in channels.enumerated() {
            let word: SafeText = index == 0 ? "#\(channel)" : " #\(channel)"
            let others = channels.count - index - 1
            let more: SafeText = others == 0 ? "" : " +\(others)"
            if left < .max, line.columns + word.columns + more.columns > left {
                line.add(index == 0 ? word.truncated(to: left, marker: look.glyphs.ellipsis) : " +\(others + 1)", .dim)
                break
            }
            line.add(word, ChannelHue.style(of: channel))
        }
        line.add(separator, .dim)
        line.add(time, .dim)
        return line
    }
}

extension SafeText {
    /// The text without blank lines at either end.
    fileprivate var trimmedBreaks: SafeText {
        let lines = self.lines
        guard let first = lines.firstIndex(where: { !$0.trimmedEnd.isEmpty }),
            let last = lines.lastIndex(where: { !$0.trimmedEnd.isEmpty })
        else { return "" }
        return SafeText(body: lines[first...last].map(\.string).joined(separator: "\n"))
    }
}
