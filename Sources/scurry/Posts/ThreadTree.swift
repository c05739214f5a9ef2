import Entries
import Storage

/// Arranges the posts of a thread as a tree, by the parents that replies name.
///
/// A reply may name anything as its parent. Replies to a post that is deleted, absent or of another thread are below a
/// stub of it; replies in a cycle are left out.
struct ThreadTree {
    private let posts: [EntryID: ThreadPost]
    /// The posts in their given order: the root of the thread, then the others, oldest first.
    private let order: [EntryID]
    /// Replies by parent, oldest first.
    private let replies: [EntryID: [EntryID]]

    /// `asked` is a post of the thread that a long thread may leave out; it is added.
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
        /// Nil if the post is not here.
        let post: PostRow?
    }

    /// A post and all replies below it, each below its parent; iterative, so that deep chains need no deep stack.
    ///
    /// For the root of the thread these are all posts: a reply that was deleted or never arrived must not take other
    /// people's replies along.
    func rows(from top: EntryID) -> [Row] {
        var rows: [Row] = []
        var seen: Set<EntryID> = []
        walk(from: top, depth: 0, posts[top]?.row, &rows, &seen)
        guard top == order.first else { return rows }
        for id in order where !seen.contains(id) && isTorn(id) {
            // The text of a post of another thread does not belong here; a long thread may leave out a parent.
            let row = posts[id]?.row
            let belongs = row?.isDeleted == true || row?.reply?.root == top
            walk(from: id, depth: 1, belongs ? row : nil, &rows, &seen)
        }
        return rows
    }

    /// Whether the post is here, deleted or not.
    func hasPost(_ id: EntryID) -> Bool { posts[id]?.row != nil }

    /// Whether the post's parent is missing from this thread.
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
