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

    /// The thread of a post, with the replies that are older than `bound`; nil: from the newest on.
    func thread(_ root: EntryID, now: UInt64, before bound: EntryID? = nil) throws -> PostThread {
        var shown: [ThreadPost] = [try place(root)]
        var ids: Set<EntryID> = [root]
        guard let target = try posts.target(root) else { return PostThread(posts: shown, extent: .whole) }
        let start = try bound.flatMap { try place(of: $0) }
        let (replies, extent) = try self.replies(to: target, now: now, before: start)
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
            try version(edit, text: PostReading.text(of: edit))
        }
        var text: PostRow.Text?
        if let payload = found.entry.payload {
            guard case .post(let post)? = try? Payload.decode(kind: found.header.kind, bytes: payload) else {
                return []
            }
            text = .init(text: post.text, title: post.title, source: id)
        }
        return edits + [try version(found, text: text)]
    }

    private func version(_ found: EntryTable.Found, text: PostRow.Text?) throws -> PostVersion {
        PostVersion(
            id: found.id,
            time: found.header.foldedTime,
            clock: found.header.foldedClock,
            text: text,
            isEvicted: text == nil ? try posts.isEvicted(found) : false
        )
    }

    private func place(_ id: EntryID) throws -> ThreadPost {
        try posts.post(id).map { .post($0) } ?? .missing(id)
    }

    /// A post's position in a thread. The last rank that it may have: among tied ranks the whole ids decide.
    private struct Place {
        let rank: FeedRank
        let time: UInt64
        let id: EntryID

        func isAfter(_ row: PostRow) -> Bool { row.time != time ? row.time < time : row.id > id }
    }

    private func place(of id: EntryID) throws -> Place? {
        guard let header = try posts.entries.entry(with: id)?.header else { return nil }
        let rank = FeedRank(time: Int64(clamping: header.foldedTime), tie: id.tie, arrival: .max)
        return Place(rank: rank, time: header.foldedTime, id: id)
    }

    /// The newest replies, as in a feed: replies with a false early time, as anybody can write, displace no new ones.
    private func replies(
        to target: PostReading.Target,
        now: UInt64,
        before start: Place?
    ) throws -> ([PostRow], PostThread.Extent) {
        let now = Int64(clamping: now)
        var rows: [PostRow] = []
        var isWhole = true
        var rank: FeedRank?
        func add(_ spot: FeedSpot) throws {
            // Tied ones stay together, so that what is left out is older than all that is not.
            if rows.count >= limit, !(rank?.isTied(with: spot.rank) ?? false) {
                isWhole = false
                return
            }
            rank = spot.rank
            guard let row = try posts.post(at: spot.key, arrival: spot.arrival) else { return }
            if start?.isAfter(row) ?? true { rows.append(row) }
        }
        // A post that is not due yet is shown to its author.
        if let reader = posts.reader, now < .max {
            let last = start?.rank ?? .last
            let own = try FeedStream(db, .identity(reader), from: last, to: now + 1, order: .newestFirst)
            while isWhole, let spot = try own.next() {
                if spot.root == target.number { try add(spot) }
                own.advance()
            }
        }
        let newest = FeedRank(time: now, tie: .max, arrival: .max)
        let top = min(newest, start?.rank ?? newest)
        let due = try FeedStream(db, .thread(target.number), from: top, to: .min, order: .newestFirst)
        while isWhole, let spot = try due.next() {
            try add(spot)
            due.advance()
        }
        // The stream orders ids by their first four bytes only.
        rows.sort { $0.time != $1.time ? $0.time < $1.time : $0.id > $1.id }
        guard !isWhole, let oldest = rows.first else { return (rows, .whole) }
        return (rows, .newest(oldest.id))
    }
}
