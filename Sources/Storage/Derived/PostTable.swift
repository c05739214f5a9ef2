internal import Entries
internal import GRDB

/// A post's place in feed order, with its key and author.
struct PostPlace {
    let key: EntryKey
    let time: Int64
    let tie: Int64
    let identity: IdentityNumber

    init(_ header: EntryHeader, id: EntryID, key: EntryKey, by author: Folding.Author) {
        self.key = key
        time = Int64(header.foldedTime)
        tie = id.tie
        identity = author.identity
    }
}

/// Posts that can be shown, and the channels that they are in; their text stays with the entries alone.
///
/// New posts are buffered and written in the order of their times, as in two of the three indices: rows that come log
/// by log hit pages all over these, and cost twice as much.
final class PostTable {
    /// The last arrival number assigned.
    private(set) var arrival: Int64
    private let insert: RowInsert
    private let insertPostChannel: RowInsert
    private let removal: Late<Removal>
    private let naming: Late<Naming>
    private var channels: [Channel: Int64] = [:]
    private var counts: [Int64: Int64] = [:]
    private var rows: [Row] = []
    private var channelRows: [ChannelRow] = []

    struct Reply {
        let parent: TargetNumber
        let root: TargetNumber
    }

    private struct Row {
        let place: PostPlace
        let reply: Reply?
        /// Nil: the next number, assigned when the row is written.
        var arrival: Int64?

        static func < (left: Self, right: Self) -> Bool {
            (left.place.time, left.place.tie, left.place.key) < (right.place.time, right.place.tie, right.place.key)
        }
    }

    private struct ChannelRow {
        let channel: Int64
        /// Index into `rows`.
        let post: Int
    }

    private static let postsForm = RowInsert.Form(
        "INSERT INTO posts (arrival, entry, time, tie, identity, parent, root)",
        columns: 7
    )
    private static let channelsForm = RowInsert.Form(
        "INSERT INTO post_channels (channel, time, tie, post)",
        columns: 4
    )

    /// Statements that remove a post.
    private struct Removal {
        let find: Prepared
        let delete: Prepared
        let deleteChannel: Prepared

        init(_ db: Database) throws {
            find = try Prepared(db, "SELECT arrival, parent FROM posts WHERE time = ? AND tie = ? AND entry = ?")
            delete = try Prepared(db, "DELETE FROM posts WHERE arrival = ?")
            deleteChannel = try Prepared(
                db,
                "DELETE FROM post_channels WHERE channel = ? AND time = ? AND tie = ? AND post = ?"
            )
        }
    }

    /// Statements for the channels that posts name.
    private struct Naming {
        let find: Prepared
        let insert: Prepared
        let add: Prepared
        let drop: Prepared

        init(_ db: Database) throws {
            find = try Prepared(db, "SELECT number FROM channels WHERE name = ?")
            insert = try Prepared(db, "INSERT INTO channels (name) VALUES (?)")
            add = try Prepared(db, "UPDATE channels SET posts = posts + ? WHERE number = ?")
            drop = try Prepared(db, "DELETE FROM channels WHERE number = ? AND posts = 0")
        }
    }

    init(_ db: Database, arrival: Int64) {
        self.arrival = arrival
        insert = RowInsert(db, Self.postsForm)
        insertPostChannel = RowInsert(db, Self.channelsForm)
        removal = Late(db, Removal.init)
        naming = Late(db, Naming.init)
    }

    /// Number of buffered posts.
    var gathered: Int { rows.count }

    /// Buffers a post, which keeps `arrival`, the number that it had, or takes the next when it is written.
    func add(_ place: PostPlace, reply: Reply?, channels: [Channel], arrival: Int64?) throws {
        for channel in channels {
            let number = try number(of: channel)
            channelRows.append(ChannelRow(channel: number, post: rows.count))
            counts[number, default: 0] += 1
        }
        rows.append(Row(place: place, reply: reply, arrival: arrival))
    }

    /// Writes the buffered posts, numbering new ones in the order of their times.
    private func write() throws {
        guard !rows.isEmpty else { return }
        let order = rows.indices.sorted { rows[$0] < rows[$1] }
        for index in order where rows[index].arrival == nil {
            arrival &+= 1
            rows[index].arrival = arrival
        }
        try insert.run(order.map { rows[$0] }) { row, values in
            values.add(row.arrival)
            values.add(row.place.key.value)
            values.add(row.place.time)
            values.add(row.place.tie)
            values.add(row.place.identity)
            values.add(row.reply?.parent)
            values.add(row.reply?.root)
        }
        let inOrder = channelRows.sorted {
            $0.channel != $1.channel ? $0.channel < $1.channel : rows[$0.post] < rows[$1.post]
        }
        try insertPostChannel.run(inOrder) { row, values in
            let post = rows[row.post]
            values.add(row.channel)
            values.add(post.place.time)
            values.add(post.place.tie)
            values.add(post.arrival)
        }
        rows.removeAll(keepingCapacity: true)
        channelRows.removeAll(keepingCapacity: true)
    }

    struct Removed {
        let arrival: Int64
        let parent: TargetNumber?
    }

    /// Removes a post from the table and from the channels that its body names; nil if it was not listed.
    @discardableResult
    func remove(_ place: PostPlace, channels: [Channel] = []) throws -> Removed? {
        try write()
        let removal = try removal.get()
        let found = try removal.find.first(place.time, place.tie, place.key) { ($0.integer(0), $0.optionalInteger(1)) }
        guard let (arrival, parent) = found else { return nil }
        try removal.delete.run(arrival)
        for channel in channels {
            let number = try number(of: channel)
            try removal.deleteChannel.run(number, place.time, place.tie, arrival)
            counts[number, default: 0] -= 1
        }
        return Removed(arrival: arrival, parent: parent)
    }

    func finish() throws {
        try write()
        for (channel, count) in counts {
            if count != 0 { try naming.get().add.run(count, channel) }
            // Without a post, a channel's name is text of deleted posts only, maybe deleted in this very transaction.
            if count <= 0 { try naming.get().drop.run(channel) }
        }
        channels = [:]
        counts = [:]
    }

    private func number(of name: Channel) throws -> Int64 {
        if let number = channels[name] { return number }
        let text = name.description
        let number: Int64
        let naming = try naming.get()
        if let known = try naming.find.first(text, read: { $0.integer(0) }) {
            number = known
        } else {
            try naming.insert.run(text)
            number = naming.insert.insertedRow
        }
        channels[name] = number
        return number
    }
}
