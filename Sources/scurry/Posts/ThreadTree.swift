import Entries
import Storage

/// Puts the posts of a thread below each other, as their replies name them.
///
/// Whoever writes replies may name anything as a parent. What hangs on a post that is gone, or not here, or of another thread
/// stands below a stub of that; what hangs on itself is left out.
struct ThreadTree {
    private let posts: [EntryID: ThreadPost]
    /// As they were given: what opened the thread, then the others, oldest first.
    private let order: [EntryID]
    /// In the order of the thread: oldest first.
    private let replies: [EntryID: [EntryID]]

    /// `asked` is a post of the thread, which a long one may leave out.
    init(_ thread: [ThreadPost], with asked: PostRow? = nil) {
        let isThere = asked.map { asked in thread.contains { $0.id == asked.id } } ?? true
        let thread = thread + (isThere ? [] : asked.map { [.post($0)] } ?? [])
        var posts: [EntryID: ThreadPost] = [:]
        var replies: [EntryID: [EntryID]] = [:]
        for post in thread {
            posts[post.id] = post
            if case .post(let row) = post, let reply = row.reply { replies[reply.parent, default: []].append(row.id) }
        }
        self.posts = posts
        self.replies = replies
        order = thread.map(\.id)
    }

    struct Row {
        let depth: Int
        let id: EntryID
        /// Nil: not here.
        let post: PostRow?
    }

    /// A post and everything below it, each below its parent; deep chains need no deep stack.
    ///
    /// Of the post that opened the thread: all of it. A reply whose author took it back, or that never came, must not take
    /// other people's answers along.
    func rows(from top: EntryID) -> [Row] {
        var rows: [Row] = []
        var seen: Set<EntryID> = []
        walk(from: top, depth: 0, posts[top]?.row, &rows, &seen)
        guard top == order.first else { return rows }
        for id in order where !seen.contains(id) && isTorn(id) {
            // What a post of another thread says does not belong here; what it answers may be left out of a long one.
            let row = posts[id]?.row
            let belongs = row?.isDeleted == true || row?.reply?.root == top
            walk(from: id, depth: 1, belongs ? row : nil, &rows, &seen)
        }
        return rows
    }

    /// It is here, whatever became of it.
    func hasPost(_ id: EntryID) -> Bool { posts[id]?.row != nil }

    /// Nothing in this thread holds it.
    private func isTorn(_ id: EntryID) -> Bool {
        guard let reply = posts[id]?.row?.reply else { return true }
        return posts[reply.parent] == nil
    }

    private func walk(
        from top: EntryID,
        depth: Int,
        _ shown: PostRow?,
        _ rows: inout [Row],
        _ seen: inout Set<EntryID>
    ) {
        guard seen.insert(top).inserted else { return }
        rows.append(Row(depth: depth, id: top, post: shown))
        var waiting = (replies[top] ?? []).reversed().map { (id: $0, depth: depth + 1) }
        while let next = waiting.popLast() {
            guard seen.insert(next.id).inserted else { continue }
            rows.append(Row(depth: next.depth, id: next.id, post: posts[next.id]?.row))
            for reply in (replies[next.id] ?? []).reversed() { waiting.append((reply, next.depth + 1)) }
        }
    }
}

extension ThreadPost {
    var id: EntryID {
        switch self {
        case .post(let row): row.id
        case .missing(let id): id
        }
    }

    var row: PostRow? {
        switch self {
        case .post(let row): row
        case .missing: nil
        }
    }
}
