// scurry channel use [CHANNEL]

import ArgumentParser
import Entries
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

    @Argument(
        help: ArgumentHelp("The channel; without one: all again.", valueName: "channel"),
        transform: ChannelArgument.parse
    )
    var channel: ChannelArgument?

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        if let channel { try refuseNoChannel(channel, desk, now: console.now) }
        let file = ReaderFile(path: desk.home.layout.reader)
        try Problems.naming(desk.home.layout) { () throws(StorageError) in try file.use(channel?.channel) }
        if let channel {
            let what = try channel.described(in: desk, now: console.now)
            console.tell("using \(what): feed and post go there; for all again: scurry channel use")
        } else {
            console.tell("no channel in use: feed shows what you joined, or everything")
        }
    }

    /// Words by which people mean no channel; each is a channel's name, too.
    private static let noChannel = ["none", "all", "off"]

    /// Refuses such a word, unless a channel of that name has posts here, or was joined.
    private func refuseNoChannel(_ channel: ChannelArgument, _ desk: ReadingDesk, now: UInt64) throws(Failure) {
        guard Self.noChannel.contains(channel.channel.description), !desk.state.joined.contains(channel.channel),
            try !channel.hasPosts(in: desk, now: now)
        else { return }
        throw Failure(
            .usage,
            "nobody has posted in a channel called \(channel.name); without a channel all are read again",
            hint: "scurry channel use"
        )
    }
}
