import Entries
import Storage

/// A list of people, as far as this node has seen them, with a page of it.
struct PeopleList {
    /// People on a page by default, as many as posts on a feed's; a guess.
    static let usualCount = 30

    enum Choice {
        /// Everybody of whom entries are here, the latest post first.
        case everybody
        /// Sorted by name; people without one, by id.
        case followers(NameBook.Entry)
        /// As `followers`.
        case followed(by: NameBook.Entry)
    }

    private struct Row {
        let entry: NameBook.Entry
        /// Time of the latest post, Unix milliseconds; nil if there is none, or it is not listed.
        let latest: UInt64?
    }

    private let desk: ReadingDesk
    private let choice: Choice
    private let rows: [Row]
    /// The people whom the reader follows.
    private let followed: Set<IdentityID>

    init(_ choice: Choice, in desk: ReadingDesk, now: UInt64) throws(Failure) {
        self.desk = desk
        self.choice = choice
        rows = try Problems.naming { () throws(StorageError) in try Self.rows(choice, in: desk, now: now) }
        followed = try Problems.naming { () throws(StorageError) -> Set<IdentityID> in
            guard let own = desk.own else { return [] }
            return Set(try desk.store.following(own))
        }
    }

    private static func rows(_ choice: Choice, in desk: ReadingDesk, now: UInt64) throws(StorageError) -> [Row] {
        let identities: [IdentityID]
        switch choice {
        case .everybody:
            let writers = try desk.store.writers(now: now)
            return writers.map { Row(entry: desk.book[$0.identity], latest: $0.latest) }
        case .followers(let entry): identities = try desk.store.followers(entry.identity)
        case .followed(let entry): identities = try desk.store.following(entry.identity)
        }
        return identities.map { (fold: NameBook.fold(desk.book[$0].name), entry: desk.book[$0]) }
            .sorted { ($0.fold, $0.entry.identity) < ($1.fold, $1.entry.identity) }
            .map { Row(entry: $0.entry, latest: nil) }
    }

    /// Writes a page of the list.
    ///
    /// - Parameters:
    ///   - form: for a person, or for a script.
    ///   - count: people on the page, at most.
    ///   - last: the last one on the page before; nil: the list begins.
    ///   - console: where to.
    /// - Throws: `Failure` 3 if `last` is nobody of the list, or several.
    func write(_ form: ReadingOptions.Form, count: Int, after last: PersonArgument?, on console: Console) throws {
        let start = try last.map { try place(behind: $0) } ?? 0
        let page = Array(rows.dropFirst(start).prefix(count))
        let more = start + page.count < rows.count ? page.last.map { next(after: $0, count) } : nil
        switch form {
        case .json: for row in page { try console.out.write(object(row)) }
        case .text where rows.isEmpty: try console.out.write(emptiness.lines(console.out.look))
        case .text where page.isEmpty:
            let end = EmptyState.nothingInPlace("Nobody behind that one.", all: command)
            try console.out.write(end.lines(console.out.look))
        case .text: try draw(page, more, on: console)
        }
        try console.out.flush()
        // No posts: what is kept are the names, read for this list.
        desk.remember([])
        if form == .json, let more { console.note("the list goes on: \(more) --json") }
    }

    // MARK: Pages

    /// The people of the list alone: some may be followed of whom nothing is here, and who have no name or tag.
    private var book: NameBook {
        NameBook(
            rows.map { row in
                let name = row.entry.name
                return KnownName(identity: row.entry.identity, name: name, folded: NameBook.fold(name))
            }
        )
    }

    private func place(behind last: PersonArgument) throws(Failure) -> Int {
        let entry = try last.resolve(in: book, for: "\(command) --after")
        return (rows.firstIndex { $0.entry.identity == entry.identity } ?? 0) + 1
    }

    private func next(after last: Row, _ count: Int) -> SafeText {
        let number: SafeText = count == Self.usualCount ? "" : " -n \(count)"
        return "\(command)\(number) --after \(PersonArgument.spelling(of: book[last.entry.identity]))"
    }

    /// The command for the list from its beginning.
    private var command: SafeText {
        switch choice {
        case .everybody: "scurry who"
        case .followers(let entry): "scurry who\(whose(entry)) --followers"
        case .followed(let entry): "scurry who\(whose(entry)) --following"
        }
    }

    private func whose(_ entry: NameBook.Entry) -> SafeText {
        entry.identity == desk.own ? "" : " \(PersonArgument.spelling(of: entry))"
    }

    // MARK: Output

    private func object(_ row: Row) -> JSONObject {
        var object = JSONObject([
            "id": .string(row.entry.identity.description),
            "name": .optional(row.entry.name),
            "tag": .string(row.entry.tag),
            "own": .bool(row.entry.identity == desk.own),
            "following": .bool(followed.contains(row.entry.identity)),
        ])
        if case .everybody = choice { object["latest"] = .optional(row.latest.map(TimeText.rfc3339)) }
        return object
    }

    private func draw(_ page: [Row], _ more: SafeText?, on console: Console) throws {
        let look = console.out.look
        var lines = Wrap.lines(heading, width: look.width, prefix: " ").map { StyledLine($0, .dim) }
        for row in page {
            var line = StyledLine(" ")
            line.add(row.entry.shownName, .bold)
            line.add(" ~\(row.entry.tag)", .dim)
            if row.entry.identity == desk.own { line.add(" (you)") }
            var facts: [SafeText] = []
            if followed.contains(row.entry.identity) { facts.append("you follow them") }
            if let latest = row.latest { facts.append("latest post \(console.clock.short(latest))") }
            for fact in facts {
                let text: SafeText = " \(look.glyphs.separator) \(fact)"
                if line.columns + text.columns > look.width {
                    lines.append(line)
                    line = StyledLine("  ")
                }
                line.add(text, .dim)
            }
            lines.append(line)
        }
        if let more {
            lines.append(StyledLine(look.glyphs.rule.repeated(look.width), .dim))
            lines += CommandText.lines("more:", command: more, width: look.width - 1).map { StyledLine(" " + $0) }
        }
        try console.out.page(lines)
    }

    /// `2 followers of hazel ~9fq2 (seen by this node)`
    private var heading: SafeText {
        let count = rows.count
        let what: SafeText =
            switch choice {
            case .everybody: "\(Amount.of(count, "person", "people")), the latest post first"
            case .followers(let entry): "\(Amount.of(count, "follower", "followers")) of \(entry.shown)"
            case .followed(let entry): "\(entry.shown) follows \(Amount.of(count, "person", "people"))"
            }
        return "\(what) (seen by this node)"
    }

    private var emptiness: EmptyState {
        switch choice {
        case .everybody:
            .nothingInPlace(
                "Nobody is known here yet.",
                all: desk.glance.hasPeers ? "scurry sync" : "scurry join HOST:7776"
            )
        case .followers(let entry) where entry.identity == desk.own:
            .nothingInPlace("No followers of yours seen by this node.", all: "scurry sync")
        case .followers(let entry):
            .nothingInPlace(
                "No followers of \(entry.shown) seen by this node.",
                all: desk.own == nil ? "scurry sync" : "scurry follow \(PersonArgument.spelling(of: entry))"
            )
        case .followed(let entry) where entry.identity == desk.own:
            .nothingInPlace("You follow nobody.", all: "scurry follow PERSON")
        case .followed(let entry):
            .nothingInPlace("\(entry.shown) follows nobody seen by this node.", all: "scurry sync")
        }
    }
}
