internal import Entries
internal import GRDB

/// Assembles a thread (`StoreReader.thread`).
struct ThreadReading {
    private let db: Database
    private let limit: Int
    private let posts: PostReading

    init(_ db: Database, reader: IdentityID?, limit: Int = StorageLimits.threadPosts) throws {
        self.db = db
        self.limit = limit
        posts = try PostReading(db, reader: reader)
    }

    func thread(_ root: EntryID, now: UInt64) throws -> PostThread {
        var shown: [ThreadPost] = [try place(root)]
        var ids: Set<EntryID> = [root]
        guard let target = try posts.target(root) else { return PostThread(posts: shown, extent: .whole) }
        let (replies, extent) = try self.replies(to: target, now: now)
        ids.formUnion(replies.map(\.id))
        for reply in replies {
            if let parent = reply.reply?.parent, ids.insert(parent).inserted { shown.append(try place(parent)) }
            shown.append(.post(reply))
        }
        return PostThread(posts: shown, extent: extent)
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

    /// The newest replies, as in a feed: replies with a false early time, as anybody can write, displace no new ones.
    private func replies(to target: PostReading.Target, now: UInt64) throws -> ([PostRow], PostThread.Extent) {
        let now = Int64(clamping: now)
        var rows: [PostRow] = []
        func add(_ spot: FeedSpot) throws {
            if let row = try posts.post(at: spot.key, arrival: spot.arrival) { rows.append(row) }
        }
        // A post that is not due yet is shown to its author.
        if let reader = posts.reader, now < .max {
            let own = try FeedStream(db, .identity(reader), from: .last, to: now + 1, order: .newestFirst)
            while rows.count < limit, let spot = try own.next() {
                own.advance()
                if spot.root == target.number { try add(spot) }
            }
        }
        let top = FeedRank(time: now, tie: .max, arrival: .max)
        let due = try FeedStream(db, .thread(target.number), from: top, to: .min, order: .newestFirst)
        var extent = PostThread.Extent.whole
        while let spot = try due.next() {
            guard rows.count < limit else {
                extent = .newest
                break
            }
            due.advance()
            try add(spot)
        }
        // The stream orders ids by their first four bytes only.
        return (rows.sorted { $0.time != $1.time ? $0.time < $1.time : $0.id > $1.id }, extent)
    }
}
