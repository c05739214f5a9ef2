/// Finds the command that was meant by one that does not exist.
enum NearestCommand {
    /// Letters that are compared, more than any command has.
    private static let lettersAtMost = 32

    /// Names from elsewhere, and the command for each here; nil if there is none: a command that is only spelled alike
    /// would do something else.
    private static let synonyms: [String: String?] = [
        "like": "vote up ID", "upvote": "vote up ID", "favorite": "vote up ID", "favourite": "vote up ID",
        "dislike": "vote down ID", "downvote": "vote down ID", "unlike": "vote none ID", "unvote": "vote none ID",
        "profile": "who PERSON, or scurry name NAME for your own", "whois": "who PERSON", "user": "who PERSON",
        "people": "who", "users": "who", "members": "who", "followers": "who --followers",
        "following": "who --following", "friends": "who --following",
        "me": "whoami", "login": "unlock", "logout": "lock", "signup": "init", "register": "init",
        "rename": "name NAME", "nick": "name NAME", "comment": "reply ID", "answer": "reply ID",
        "tweet": "post", "write": "post", "send": "post", "publish": "post", "rm": "delete ID", "remove": "delete ID",
        "read": "feed", "list": "feed", "ls": "feed", "timeline": "feed", "view": "show ID",
        "thread": "show ID", "channels": "channel list", "connect": "join HOST:7776", "start": "run", "serve": "run",
        "daemon": "run", "settings": "config", "set": "config", "recover": "id restore",
        "devices": "id devices", "search": search, "find": search, "drafts": "status",
        "block": hiding, "mute": hiding, "hide": hiding, "inbox": heard, "notifications": heard, "mentions": heard,
        // Every post is read by everybody: none of what is here takes the place of a message to one.
        "message": nil, "dm": nil, "pm": nil, "photo": nil, "image": nil, "upload": nil, "bookmark": nil,
        "report": nil, "update": nil, "upgrade": nil,
    ]

    // What this version does not have, and what comes nearest.
    private static let search = "channel find TEXT, or scurry feed --from PERSON; the text of posts is not searched"
    private static let hiding = "feed --following, which shows those whom you follow; nobody is hidden by name"
    private static let heard = "mine, which tells the votes and replies that your posts have"

    /// The command to type in place of an unknown one, without the program's name.
    static func instead(of typed: String, among names: [String]) -> String? {
        synonyms[typed.lowercased()] ?? find(typed, among: names)
    }

    /// The subcommand to type in place of an unknown one.
    static func within(_ typed: String, among names: [String]) -> String? {
        // `uninstall` is two letters from `install`, its opposite.
        let word = typed.lowercased()
        if word == "uninstall", names.contains("remove") { return "remove" }
        return find(word, among: names)
    }

    /// The nearest name, by a common beginning or at most one edit in three letters; nil if none is near.
    static func find(_ typed: String, among names: [String]) -> String? {
        let word = String(typed.prefix(lettersAtMost)).lowercased()
        if word.isEmpty { return nil }
        let begun = names.filter { word.count >= 2 && $0.hasPrefix(word) }
        if let shortest = begun.min(by: { ($0.count, $0) < ($1.count, $1) }) { return shortest }
        let near = names.map { (name: $0, slips: slips(from: word, to: $0)) }.min {
            ($0.slips, $0.name) < ($1.slips, $1.name)
        }
        guard let near, near.slips <= max(1, word.count / 3) else { return nil }
        return near.name
    }

    /// The edit distance with swaps of neighbours: optimal string alignment.
    static func slips(from left: String, to right: String) -> Int {
        let a = Array(left)
        let b = Array(right)
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
