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
final class PostTable {
    private let insert: Prepared
    private let find: Prepared
    private let delete: Prepared
    private let channel: Prepared
    private let insertChannel: Prepared
    private let insertPostChannel: Prepared
    private let deletePostChannel: Prepared
    private let addToChannel: Prepared
    private let dropChannel: Prepared
    private var channels: [Channel: Int64] = [:]
    private var counts: [Int64: Int64] = [:]

    struct Reply {
        let parent: TargetNumber
        let root: TargetNumber
    }

    init(_ db: Database) throws {
        insert = try Prepared(
            db,
            "INSERT INTO posts (arrival, entry, time, tie, identity, parent, root) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        find = try Prepared(db, "SELECT arrival, parent FROM posts WHERE time = ? AND tie = ? AND entry = ?")
        delete = try Prepared(db, "DELETE FROM posts WHERE arrival = ?")
        channel = try Prepared(db, "SELECT number FROM channels WHERE name = ?")
        insertChannel = try Prepared(db, "INSERT INTO channels (name) VALUES (?)")
        insertPostChannel = try Prepared(
            db,
            "INSERT INTO post_channels (channel, time, tie, post) VALUES (?, ?, ?, ?)"
        )
        deletePostChannel = try Prepared(
            db,
            "DELETE FROM post_channels WHERE channel = ? AND time = ? AND tie = ? AND post = ?"
        )
        addToChannel = try Prepared(db, "UPDATE channels SET posts = posts + ? WHERE number = ?")
        dropChannel = try Prepared(db, "DELETE FROM channels WHERE number = ? AND posts = 0")
    }

    func add(_ place: PostPlace, reply: Reply?, channels: [Channel], arrival: Int64) throws {
        try insert.run(arrival, place.key, place.time, place.tie, place.identity, reply?.parent, reply?.root)
        for channel in channels {
            let number = try number(of: channel)
            try insertPostChannel.run(number, place.time, place.tie, arrival)
            counts[number, default: 0] += 1
        }
    }

    struct Removed {
        let arrival: Int64
        let parent: TargetNumber?
    }

    /// Takes a post out, and out of the channels that its body names; nil if it was not there.
    @discardableResult
    func remove(_ place: PostPlace, channels: [Channel] = []) throws -> Removed? {
        let found = try find.first(place.time, place.tie, place.key) { ($0.integer(0), $0.optionalInteger(1)) }
        guard let (arrival, parent) = found else { return nil }
        try delete.run(arrival)
        for channel in channels {
            let number = try number(of: channel)
            try deletePostChannel.run(number, place.time, place.tie, arrival)
            counts[number, default: 0] -= 1
        }
        return Removed(arrival: arrival, parent: parent)
    }

    func finish() throws {
        for (channel, count) in counts where count != 0 {
            try addToChannel.run(count, channel)
            // A name that no post bears any more was said by whoever took it back.
            if count < 0 { try dropChannel.run(channel) }
        }
        channels = [:]
        counts = [:]
    }

    private func number(of name: Channel) throws -> Int64 {
        if let number = channels[name] { return number }
        let text = name.description
        let number: Int64
        if let known = try channel.first(text, read: { $0.integer(0) }) {
            number = known
        } else {
            try insertChannel.run(text)
            number = insertChannel.insertedRow
        }
        channels[name] = number
        return number
    }
}
