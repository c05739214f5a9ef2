// scurry status [--json]

import ArgumentParser

struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "How the node is: peers, what it holds, traffic, disk.",
        usage: "scurry status [--json]",
        discussion: """
            Its address is what a friend needs to join you.

            Example:
              scurry status
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        WallCheck.tell(desk, on: console)
        try StatusScreen(desk: desk, console: console).write(reading.form)
    }
}
