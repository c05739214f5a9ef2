// scurry unfollow PERSON

import ArgumentParser
import Entries

struct UnfollowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unfollow",
        abstract: "Follow a person no longer.",
        usage: "scurry unfollow PERSON",
        discussion: """
            Example:
              scurry unfollow rowan
            """
    )

    @Argument(help: ArgumentHelp("Whom: rowan, rowan~xe8b, or an id.", valueName: "person"))
    var person: PersonArgument

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        try Following.write(.withdrawn, person, on: console)
    }
}
