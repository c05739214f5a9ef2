import Entries
import Storage

/// A post as one line of JSON, with whole ids, times in UTC, and nothing cut.
enum PostJSON {
    static func object(_ row: PostRow, desk: ReadingDesk) -> JSONObject {
        let author = desk.book[row.identity]
        var object = JSONObject([
            "id": .string(row.id.description),
            "author": .string(row.identity.description),
            "name": .optional(author.name),
            "tag": .string(author.tag),
            "own": .bool(row.identity == desk.own),
            "time": .string(TimeText.rfc3339(row.time)),
            "channels": .array(row.channels.map { .string($0.description) }),
        ])
        switch row.content {
        case .shown(let text):
            object["state"] = row.isEdited ? "edited" : "posted"
            object["title"] = text.title.isEmpty ? .null : .string(text.title)
            object["text"] = .string(text.text)
        case .wanted:
            object["state"] = "wanted"
            object["title"] = .null
            object["text"] = .null
        case .deleted:
            object["state"] = "deleted"
            object["title"] = .null
            object["text"] = .null
        }
        // The text of a post that is `wanted` was here, and is not asked for any more.
        object["dropped"] = .bool(row.isEvicted)
        object["parent"] = .optional(row.reply?.parent.description)
        object["root"] = .optional(row.reply?.root.description)
        object["up"] = .integer(Int64(row.up))
        object["down"] = .integer(Int64(row.down))
        object["vote"] =
            switch row.vote {
            case .withdrawn: .null
            case .up: "up"
            case .down: "down"
            }
        object["replies"] = .integer(Int64(row.replies))
        object["log"] = .string(row.log.description)
        object["sequence"] = .unsigned(row.sequence)
        // Counted from 1, as people and `id revoke --keep` count.
        object["place"] = .unsigned(row.sequence + 1)
        return object
    }
}
