// scurry post [TEXT|-] [-c CHANNEL]... [--title T] [--json]

import ArgumentParser
import Entries
import Storage

struct PostCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "post",
        abstract: "Write a post.",
        usage: "scurry post [TEXT|-] [-c CHANNEL]... [--title T] [--json]",
        discussion: """
            Without TEXT the text comes from standard input when that is piped, and from $EDITOR on a terminal. Without \
            -c the post goes to the channel in use, if there is one. A channel's name has 1 to 32 of a-z, 0-9 and -; who \
            posts in it first makes it. A text has some 65,500 bytes at most.

            Example:
              scurry post "Caught this one stealing my bagel." -c squirrels
            """
    )

    @Argument(help: ArgumentHelp("What to say; - reads standard input.", valueName: "text"))
    var words: [String] = []

    @Option(
        name: [.customShort("c", allowingJoined: true), .customLong("channel")],
        help: ArgumentHelp("Where; may be given up to \(PayloadLimits.channelsPerPost) times.", valueName: "channel"),
        transform: ChannelArgument.parse
    )
    var channels: [ChannelArgument] = []

    @Option(name: .long, help: ArgumentHelp("A line above the text.", valueName: "t"))
    var title = ""

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let command = command
        let source = TextSource(words: words, command: command)
        let desk = try Composer.desk(console, keeping: source, draft: "post")
        let composer = Composer(desk: desk, console: console)
        do throws(Failure) {
            try check()
        } catch {
            throw composer.refusal(error, of: source, draft: "post")
        }
        let given = try composer.given(from: source, draft: "post")
        let writer = try Scribe(desk: desk, console: console, form: reading.form, keeping: given)
        let written = try given ?? composer.edited(draft: "post", command: command)
        let alone: SafeText = "\(command) \"\" posts the title alone"
        try Composer.refuseEmpty(written, title: title, command: command, alone: alone)
        let places = channels.isEmpty ? desk.state.channelInUse.map { [$0] } ?? [] : named
        let payload = try composer.payload(keeping: written) { () throws(PayloadError) in
            .post(try Post(salt: .fresh(), text: written.text, title: TitleRule.stored(title), channels: places))
        }
        try composer.refuseTooLong(payload, keeping: written)
        let result = try writer.write(payload, keeping: written)
        let names = places.map { "#\($0)" }.joined(separator: " ")
        // With joined channels the feed shows only those: the hint says where the own post is.
        let nowhere: SafeText = desk.state.joined.isEmpty ? "" : "in no channel, so scurry feed --all shows it"
        try writer.report(result, verb: "posted", rest: names.isEmpty ? nowhere : "in \(names)")
    }

    /// Refuses what can be known before the text is read, or an editor is opened.
    private func check() throws(Failure) {
        try TitleRule.check(title, command: "scurry post")
        guard named.count <= PayloadLimits.channelsPerPost else { throw Composer.failure(.rule(.channelCount)) }
    }

    /// The command without its text, for hints, with the same title and channels.
    private var command: SafeText {
        let places = named.map { ChannelArgument.option($0) }
        let line = title.isEmpty ? [] : [ShellWord.option("--title", title)]
        return (["scurry post"] + places + line).reduce(into: "") { $0 = $0.isEmpty ? $1 : "\($0) \($1)" }
    }

    /// Each channel once, in the order in which they were typed.
    private var named: [Channel] {
        var named: [Channel] = []
        for place in channels where !named.contains(place.channel) { named.append(place.channel) }
        return named
    }
}

extension Salt {
    static func fresh() -> Salt {
        var generator = SystemRandomNumberGenerator()
        return Salt(using: &generator)
    }
}
