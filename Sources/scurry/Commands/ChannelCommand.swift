// scurry channel list|find|join|leave|use

import ArgumentParser
import Entries
import Storage

struct ChannelCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Find, join and use channels.",
        usage: "scurry channel list|find|join|leave|use",
        discussion: """
            A channel is only a name: it is there as soon as somebody posts in it. Which ones you joined stays on this \
            machine.

            Example:
              scurry channel join cs193
            """,
        subcommands: [
            ChannelListCommand.self, ChannelFindCommand.self, ChannelJoinCommand.self, ChannelLeaveCommand.self,
            ChannelUseCommand.self,
        ],
        defaultSubcommand: ChannelListCommand.self
    )

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {}
}

/// The channel table that `list` and `find` print.
struct ChannelTable {
    let desk: ReadingDesk
    let rows: [Row]

    struct Row {
        let channel: Channel
        let posts: Int
        /// Time of the latest post, Unix milliseconds; nil if no post is due.
        let latest: UInt64?
    }

    /// All channels with posts, and joined channels without any; the latest first.
    init(_ desk: ReadingDesk, now: UInt64) throws(Failure) {
        self.desk = desk
        let known = try Problems.naming { () throws(StorageError) in
            try desk.store.channels(now: now, reader: desk.own)
        }
        let wished = desk.state.joined + (desk.state.channelInUse.map { [$0] } ?? [])
        let empty = Set(wished).subtracting(known.map(\.channel))
        let all =
            known.map { Row(channel: $0.channel, posts: $0.posts, latest: $0.latest) }
            + empty.map { Row(channel: $0, posts: 0, latest: nil) }
        rows = all.sorted { ($1.latest ?? 0, $0.channel) < ($0.latest ?? 0, $1.channel) }
    }

    /// `2 posts, latest 14:02`
    private func amount(of row: Row, _ clock: TimeText) -> StyledLine {
        var line = StyledLine(Amount.of(row.posts, "post", "posts"))
        if let latest = row.latest { line.add(", latest \(clock.short(latest))", .dim) }
        return line
    }

    /// `  joined  in use`; empty for a channel that is neither.
    private func standing(of row: Row) -> StyledLine {
        var line = StyledLine()
        if desk.state.joined.contains(row.channel) { line.add("  joined") }
        if desk.state.channelInUse == row.channel { line.add("  in use", .bold) }
        return line
    }

    /// `2 posts, latest 14:02  joined  in use`, the words of all rows one below the other.
    private func facts(of rows: [Row], _ clock: TimeText) -> [StyledLine] {
        let amounts = rows.map { amount(of: $0, clock) }
        let width = amounts.map(\.columns).max() ?? 0
        return zip(rows, amounts).map { row, amount in
            var line = amount
            let words = standing(of: row)
            if words.columns > 0 { line.add(.spaces(width - amount.columns)) }
            line.add(words)
            return line
        }
    }

    func write(_ rows: [Row], form: ReadingOptions.Form, on console: Console) throws {
        switch form {
        case .json:
            for row in rows {
                try console.out.write(
                    JSONObject([
                        "channel": .string(row.channel.description),
                        "id": .string(row.channel.description),
                        "posts": .integer(Int64(row.posts)),
                        "latest": .optional(row.latest.map(TimeText.rfc3339)),
                        "joined": .bool(desk.state.joined.contains(row.channel)),
                        "in_use": .bool(desk.state.channelInUse == row.channel),
                    ])
                )
            }
        case .text:
            let names = rows.map { SafeText(line: "#\($0.channel)") }
            let width = (names.map(\.columns).max() ?? 0) + 2
            let facts = facts(of: rows, console.clock)
            let room = console.out.look.width - width - 1
            let isNarrow = facts.contains { $0.columns > room }
            let lines = zip(zip(names, rows), facts).flatMap { row, facts in
                let (name, row) = row
                var line = StyledLine(" ")
                line.add(name.padded(to: width), ChannelHue.style(of: SafeText(line: row.channel.description)))
                if isNarrow {
                    var text = amount(of: row, console.clock)
                    text.add(standing(of: row))
                    let below = Wrap.lines(text.plain, width: console.out.look.width, prefix: "   ")
                    return [line.trimmedEnd] + below.map { StyledLine($0) }
                }
                line.add(facts)
                return [line]
            }
            try console.out.page(lines)
        }
    }
}
