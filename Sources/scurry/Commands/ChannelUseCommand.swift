// scurry channel use [CHANNEL]

import ArgumentParser
import Storage
import Transport

struct ChannelUseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Read and post in one channel from now on; without a name in all again.",
        usage: "scurry channel use [CHANNEL]",
        discussion: """
            It stays in use until you name another, also after a restart.

            Example:
              scurry channel use cs193
            """
    )

    @Argument(help: ArgumentHelp("The channel; none for all.", valueName: "channel"), transform: ChannelArgument.parse)
    var channel: ChannelArgument?

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let file = ReaderFile(path: desk.home.layout.reader)
        try Problems.naming(desk.home.layout) { () throws(StorageError) in try file.use(channel?.channel) }
        if let channel {
            let what = try channel.described(in: desk, now: console.now)
            console.tell("using \(what): feed and post go there; for all again: scurry channel use")
        } else {
            console.tell("no channel in use: feed shows what you joined, or everything")
        }
    }
}
