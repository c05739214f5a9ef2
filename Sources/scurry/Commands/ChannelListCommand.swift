// scurry channel list [--json]

import ArgumentParser

struct ChannelListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "All channels that hold posts, and those you joined.",
        usage: "scurry channel list [--json]",
        discussion: """
            Example:
              scurry channel list
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let table = try ChannelTable(ReadingDesk(console), now: console.now)
        WallCheck.tell(table.desk, on: console)
        if table.rows.isEmpty, reading.form == .text {
            let look = console.out.look
            let lines = CommandText.lines("next:", command: "scurry post -c squirrels \"Hello\"", width: look.width - 1)
            try console.out.write([StyledLine(" No channels yet.")] + lines.map { StyledLine(" " + $0) })
            return
        }
        try table.write(table.rows, form: reading.form, on: console)
    }
}
