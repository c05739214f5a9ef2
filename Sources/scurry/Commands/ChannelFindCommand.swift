// scurry channel find TEXT [--json]

import ArgumentParser
import Entries

struct ChannelFindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Channels whose name holds a text.",
        usage: "scurry channel find TEXT [--json]",
        discussion: """
            Example:
              scurry channel find cs
            """
    )

    @Argument(help: ArgumentHelp("A part of the name.", valueName: "text"))
    var text: String

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let table = try ChannelTable(ReadingDesk(console), now: console.now)
        WallCheck.tell(table.desk, on: console)
        let part = (text.hasPrefix("#") ? String(text.dropFirst()) : text).lowercased()
        let found = table.rows.filter { $0.channel.description.contains(part) }
        if found.isEmpty {
            throw Failure(.notFoundOrAmbiguous, "no channel here holds \(text)", hint: "scurry channel list")
        }
        try table.write(found, form: reading.form, on: console)
    }
}
