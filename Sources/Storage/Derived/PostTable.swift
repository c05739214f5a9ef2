internal import Entries
internal import GRDB

/// What a post's header says of where it stands.
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

/// Posts that can be shown, and the channels that they are in; what they say stays in `entries` alone.
///
/// New ones are gathered and written in the order of their times, in which two of three indices have them: rows that come
/// log by log go everywhere in them, and cost twice as much.
final class PostTable {
    /// The arrival number given out last.
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
        /// Nil: the next one.
        var arrival: Int64?

        static func < (left: Self, right: Self) -> Bool {
            (left.place.time, left.place.tie, left.place.key) < (right.place.time, right.place.tie, right.place.key)
        }
    }

    private struct ChannelRow {
        let channel: Int64
        /// Which of `rows`.
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

    /// What takes a post out again.
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

    /// The channels that posts name.
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

    /// Posts that are not written yet.
    var gathered: Int { rows.count }

    /// Adds a post, which keeps the arrival number that it had, or draws the next when it is written.
    func add(_ place: PostPlace, reply: Reply?, channels: [Channel], arrival: Int64?) throws {
        for channel in channels {
            let number = try number(of: channel)
            channelRows.append(ChannelRow(channel: number, post: rows.count))
            counts[number, default: 0] += 1
        }
        rows.append(Row(place: place, reply: reply, arrival: arrival))
    }

    /// Writes what was gathered; posts of one transaction arrive in the order of their times.
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

    /// Takes a post out, and out of the channels that its body names; nil if it was not there.
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
            // A name that no post bears any more was said by whoever took it back: maybe in this very transaction.
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
