internal import Entries
internal import GRDB

/// Puts a thread together (`StoreReader.thread`).
struct ThreadReading {
    private let db: Database
    private let posts: PostReading

    init(_ db: Database, reader: IdentityID?) throws {
        self.db = db
        posts = try PostReading(db, reader: reader)
    }

    func thread(_ root: EntryID, now: UInt64) throws -> [ThreadPost] {
        var shown: [ThreadPost] = [try place(root)]
        var ids: Set<EntryID> = [root]
        guard let target = try posts.target(root) else { return shown }
        let replies = try self.replies(to: target, now: now)
        ids.formUnion(replies.map(\.id))
        for reply in replies {
            if let parent = reply.reply?.parent, ids.insert(parent).inserted { shown.append(try place(parent)) }
            shown.append(.post(reply))
        }
        return shown
    }

    func history(of id: EntryID) throws -> [PostVersion] {
        guard let found = try posts.entries.entry(with: id), found.header.foldedKind == .post,
            found.header.sequence < found.log.size
        else { return [] }
        let target = try posts.target(id)
        guard try !posts.isDeleted(target, by: found.log.identity) else { return [] }
        let edits = try posts.edits(of: target, by: found.log.identity, limit: StorageLimits.versions).map { edit in
            PostVersion(
                id: edit.id,
                time: edit.header.foldedTime,
                clock: edit.header.foldedClock,
                text: PostReading.text(of: edit)
            )
        }
        var text: PostRow.Text?
        if let payload = found.entry.payload {
            guard case .post(let post)? = try? Payload.decode(kind: found.header.kind, bytes: payload) else {
                return []
            }
            text = .init(text: post.text, title: post.title, source: id)
        }
        return edits + [
            PostVersion(id: id, time: found.header.foldedTime, clock: found.header.foldedClock, text: text)
        ]
    }

    private func place(_ id: EntryID) throws -> ThreadPost {
        try posts.post(id).map { .post($0) } ?? .missing(id)
    }

    private func replies(to target: PostReading.Target, now: UInt64) throws -> [PostRow] {
        let stream = try FeedStream(db, .thread(target.number), from: .first, to: .max, order: .oldestFirst)
        var rows: [PostRow] = []
        while rows.count < StorageLimits.threadPosts, let spot = try stream.next() {
            stream.advance()
            guard spot.time <= Int64(clamping: now) || spot.identity == posts.reader else { continue }
            if let row = try posts.post(at: spot.key, arrival: spot.arrival) { rows.append(row) }
        }
        // The stream tells ids apart by four bytes only.
        return rows.sorted { $0.time != $1.time ? $0.time < $1.time : $0.id > $1.id }
    }
}
