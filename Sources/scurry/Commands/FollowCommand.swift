// scurry follow PERSON [--json]

import ArgumentParser
import Entries
import Storage

struct FollowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Follow a person: feed --following shows their posts.",
        usage: "scurry follow PERSON [--json]",
        discussion: """
            Whom you follow can be seen by everybody.

            Example:
              scurry follow rowan
            """
    )

    @Argument(help: ArgumentHelp("Whom: rowan, rowan~xe8b, or an id.", valueName: "person"))
    var person: PersonArgument

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        try Following.write(.following, person, reading.form, on: console)
    }
}

/// Writes whom one follows.
enum Following {
    static func write(
        _ value: Follow.Value,
        _ person: PersonArgument,
        _ form: ReadingOptions.Form,
        on console: Console
    ) throws {
        let desk = try ReadingDesk(console)
        // Where only those who are followed are carried, nothing is known of the others.
        let entry = try person.whole.map { desk.book[$0] } ?? person.resolve(in: desk)
        guard let own = desk.own else { throw Scribe.hubFailure }
        if entry.identity == own {
            throw Failure(.refused, "nobody follows themselves", hint: "scurry mine shows your own posts")
        }
        let followed = try Problems.naming { () throws(StorageError) in try desk.store.following(own) }
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
