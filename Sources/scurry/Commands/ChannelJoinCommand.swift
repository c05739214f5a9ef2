// scurry channel join CHANNEL

import ArgumentParser
import Entries
import Storage
import Transport

struct ChannelJoinCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a channel: feed shows those that you joined.",
        usage: "scurry channel join CHANNEL",
        discussion: """
            Nobody is joined to anything by others. Before you join any, feed shows all.

            Example:
              scurry channel join cs193
            """
    )

    @Argument(help: ArgumentHelp("The channel.", valueName: "channel"), transform: ChannelArgument.parse)
    var channel: ChannelArgument

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        if desk.state.joined.contains(channel.channel) {
            return console.tell("you joined #\(channel.name) before")
        }
        let file = ReaderFile(path: desk.home.layout.reader)
        try Problems.naming(desk.home.layout) { () throws(StorageError) in try file.join(channel.channel) }
        let what = try channel.described(in: desk, now: console.now)
        console.tell("joined \(what); to read it alone: scurry feed \(ChannelArgument.option(channel.channel))")
    }
}

extension ChannelArgument {
    var name: SafeText { SafeText(line: channel.description) }

    /// The option that names a channel; a name may begin with a dash.
    static func option(_ channel: Channel) -> SafeText {
        let name = channel.description
        return ShellWord.option(name.hasPrefix("-") ? "--channel" : "-c", name)
    }

    /// `#cs193`, with a note if it has no posts: the name may be mistyped, or new.
    func described(in desk: ReadingDesk, now: UInt64) throws(Failure) -> SafeText {
        try hasPosts(in: desk, now: now) ? "#\(name)" : "#\(name), where nobody has posted yet"
    }

    /// Whether the channel has posts that are due.
    func hasPosts(in desk: ReadingDesk, now: UInt64) throws(Failure) -> Bool {
        var query = FeedQuery(now: now, reader: desk.own)
        query.channels = [channel]
        query.limit = 1
        let page = try Problems.naming { () throws(StorageError) in try desk.store.feed(query) }
        return !page.posts.isEmpty
    }
}
