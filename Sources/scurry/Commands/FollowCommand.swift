// scurry follow [PERSON] [--json]

import ArgumentParser
import Entries
import Storage

struct FollowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Follow a person: feed --following shows their posts.",
        usage: "scurry follow [PERSON] [--json]",
        discussion: """
            Whom you follow can be seen by everybody. Without PERSON the people whom you follow are listed.

            Example:
              scurry follow rowan
              scurry follow
            """
    )

    @Argument(help: ArgumentHelp("Whom: rowan, rowan~xe8b, or an id.", valueName: "person"))
    var person: PersonArgument?

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        guard let person else { return try Following.list(reading.form, on: console) }
        try Following.write(.following, person, reading.form, on: console)
    }
}

/// Lists, and writes, the people whom the person follows.
enum Following {
    /// Sorted by name; people without one, by id.
    static func list(_ form: ReadingOptions.Form, on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let followed = try Problems.naming { () throws(StorageError) in try desk.store.following(own) }
        let people = followed.map { (fold: NameBook.fold(desk.book[$0].name), entry: desk.book[$0]) }
            .sorted { ($0.fold, $0.entry.identity) < ($1.fold, $1.entry.identity) }
            .map(\.entry)
        switch form {
        case .json:
            for entry in people {
                try console.out.write(
                    JSONObject([
                        "id": .string(entry.identity.description), "name": .optional(entry.name),
                        "tag": .string(entry.tag),
                    ])
                )
            }
        case .text where people.isEmpty:
            let nobody = EmptyState.nothingInPlace("You follow nobody.", all: "scurry follow PERSON")
            try console.out.write(nobody.lines(console.out.look))
        case .text:
            try console.out.page(
                people.map { entry in
                    var line = StyledLine(" ")
                    line.add(entry.shownName, .bold)
                    line.add(" ~\(entry.tag)", .dim)
                    return line
                }
            )
        }
    }

    static func write(
        _ value: Follow.Value,
        _ person: PersonArgument,
        _ form: ReadingOptions.Form,
        on console: Console
    ) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let followed = try Problems.naming { () throws(StorageError) in try desk.store.following(own) }
        // An earlier version followed a post's id, too: that can be taken back.
        let taken = person.whole.flatMap { value == .withdrawn && followed.contains($0) ? desk.book[$0] : nil }
        let command: SafeText = value == .following ? "scurry follow" : "scurry unfollow"
        let entry = try taken ?? person.resolveAnybody(in: desk, for: command)
        if entry.identity == own {
            throw Failure(.refused, "nobody follows themselves", hint: "scurry mine shows your own posts")
        }
        let subject = Scribe.Subject.person(entry.identity)
        switch (value, followed.contains(entry.identity)) {
        case (.following, true):
            return try Scribe.nothing("you follow \(entry.shown) already", about: subject, form, console)
        case (.withdrawn, false):
            return try Scribe.nothing("you do not follow \(entry.shown)", about: subject, form, console)
        case (.following, false), (.withdrawn, true): break
        }
        if value == .following { try CarrySetting.checkRoom(desk.home, followed: followed.count) }
        let writer = try Scribe(desk: desk, console: console, form: form)
        let payload = try Composer.payload { () throws(PayloadError) in
            .follow(try Follow(choices: [.init(identity: entry.identity, value: value)]))
        }
        let result = try writer.write(payload)
        let verb: SafeText = value == .following ? "following" : "no longer following"
        try writer.say("\(verb) \(entry.shown)", result, about: subject)
    }
}
