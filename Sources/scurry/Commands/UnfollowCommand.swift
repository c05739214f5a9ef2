// scurry unfollow PERSON [--json]

import ArgumentParser
import Entries

struct UnfollowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unfollow",
        abstract: "Follow a person no longer.",
        usage: "scurry unfollow PERSON [--json]",
        discussion: """
            Example:
              scurry unfollow rowan
            """
    )

    @Argument(help: ArgumentHelp("Whom: rowan, rowan~xe8b, or an id.", valueName: "person"))
    var person: PersonArgument

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        try Following.write(.withdrawn, person, reading.form, on: console)
    }
}
