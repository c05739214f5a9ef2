import Entries
import Storage

/// Turns the store's rows into views to be drawn.
struct PostViews {
    let desk: ReadingDesk
    /// The short id of every post on the page.
    let shorts: [EntryID: SafeText]
    let read: ReadSoFar
    let now: UInt64

    /// Views for the rows of a feed, with short ids for the posts that they answer.
    init(desk: ReadingDesk, rows: some Sequence<PostRow>, read: ReadSoFar, now: UInt64) {
        self.init(
            desk: desk,
            ids: rows.flatMap { [$0.id] + ($0.reply.map { [$0.parent] } ?? []) },
            read: read,
            now: now
        )
    }

    init(desk: ReadingDesk, ids: some Sequence<EntryID>, read: ReadSoFar, now: UInt64) {
        self.desk = desk
        shorts = desk.shorts(for: ids)
        self.read = read
        self.now = now
    }

    func short(_ id: EntryID) -> SafeText {
        shorts[id] ?? SafeText(line: String(id.description.prefix(ShortID.lettersAtLeast)))
    }

    func view(_ row: PostRow) -> PostView {
        var view = PostView(id: short(row.id), author: author(row.identity), time: row.time)
        view.channels = row.channels.map { SafeText(line: $0.description) }
        view.tally = .init(up: row.up, down: row.down)
        view.replies = row.replies
        view.ownVote =
            switch row.vote {
            case .withdrawn: nil
            case .up: .up
            case .down: .down
            }
        view.reading = desk.isUnread(row, after: read) ? .unread : .read
        switch row.content {
        case .shown(let text):
            view.title = text.title.isEmpty ? nil : SafeText(line: text.title)
            view.body = SafeText(body: text.text)
            view.state = row.isEdited ? .edited : .normal
        case .wanted: view.state = row.isEvicted ? .evicted : .waitingForBody
        case .deleted: view.state = .deleted
        }
        if row.time > now, row.content != .deleted { view.state = .future }
        return view
    }

    /// A view of a reply that stands alone, as in a feed: its first line summarises the post that it answers.
    func view(_ row: PostRow, context look: Look) -> PostView {
        var view = view(row)
        guard let reply = row.reply, let body = view.body else { return view }
        let parent = (try? desk.store.post(reply.parent, reader: desk.own)) ?? nil
        let said = parent.map { desk.summary(of: $0, short: short(reply.parent)) } ?? "a post that is not here"
        let room = PostLines.width(look) - (shorts.values.map(\.columns).max() ?? 0) - 6
        let line = ("\(look.glyphs.replies) " + said).truncated(to: room, marker: look.glyphs.ellipsis)
        view.body = SafeText(body: line.string + "\n" + body.string)
        return view
    }

    /// A placeholder for a post that has replies and has not arrived.
    func stub(_ id: EntryID) -> PostView {
        var view = PostView(id: short(id), author: .init(name: "", tag: ""), time: 0)
        view.state = .stub
        return view
    }

    private func author(_ identity: IdentityID) -> PostView.Author {
        let entry = desk.book[identity]
        return PostView.Author(
            name: entry.shownName,
            tag: SafeText(line: entry.tag),
            relation: identity == desk.own ? .you : .another
        )
    }
}
