// scurry channel leave CHANNEL

import ArgumentParser
import Storage
import Transport

struct ChannelLeaveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave a channel.",
        usage: "scurry channel leave CHANNEL",
        discussion: """
            Example:
              scurry channel leave cs193
            """
    )

    @Argument(help: ArgumentHelp("The channel.", valueName: "channel"), transform: ChannelArgument.parse)
    var channel: ChannelArgument

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard desk.state.joined.contains(channel.channel) else {
            throw Failure(.notFoundOrAmbiguous, "you have not joined #\(channel.name)", hint: "scurry channel list")
        }
        let file = ReaderFile(path: desk.home.layout.reader)
        try Problems.naming(desk.home.layout) { () throws(StorageError) in try file.leave(channel.channel) }
        console.tell("left #\(channel.name)")
    }
}
