// scurry vote [up|down|none ID...] [-n N] [--json]

import ArgumentParser
import Entries
import Storage

struct VoteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "vote",
        abstract: "Vote a post up or down, or take the vote back.",
        usage: "scurry vote [up|down|none ID...] [-n N] [--json]",
        discussion: """
            One vote for each person and post; the last one counts. Without up, down or none the posts that you voted on \
            are listed, the latest vote first.

            Example:
              scurry vote up k7fa 2mat
              scurry vote none k7fa
              scurry vote
            """
    )

    @Argument(help: ArgumentHelp("up, down, or none to take it back.", valueName: "up|down|none"))
    var choice: Choice?

    @Argument(help: ArgumentHelp("The posts: the first letters of their ids.", valueName: "id"))
    var posts: [PostArgument] = []

    @Option(
        name: .customShort("n", allowingJoined: true),
        help: ArgumentHelp("How many posts are listed. (default: \(VoteList.usualCount))", valueName: "n")
    )
    var count: Int?

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case up, down, none

        var value: Vote.Value {
            switch self {
            case .up: .up
            case .down: .down
            case .none: .withdrawn
            }
        }
    }

    func validate() throws {
        if choice != nil, posts.isEmpty { throw ValidationError("Missing expected argument '<id> ...'") }
        guard let count else { return }
        if choice != nil { throw ValidationError("-n is for the list of your votes: scurry vote -n \(count)") }
        guard (1...StorageLimits.feedPagePosts).contains(count) else {
            throw ValidationError(UsageProblem.count())
        }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let choice else {
            let list = try VoteList(desk, count: count ?? VoteList.usualCount)
            return try list.write(reading.form, on: console)
        }
        try cast(choice, desk, console)
    }

    private func cast(_ choice: Choice, _ desk: ReadingDesk, _ console: Console) throws {
        // All posts are resolved before anything is written.
        var rows: [PostRow] = []
        for post in posts {
            let row = try post.resolve(in: desk) { "scurry show \($0)" }
            if row.isDeleted {
                throw Failure(.refused, "\(post.typed) was deleted by its author", hint: "scurry show \(post.typed)")
            }
            if !rows.contains(where: { $0.id == row.id }) { rows.append(row) }
        }
        guard desk.own != nil else { throw Scribe.hubFailure }
        let shorts = desk.shorts(for: rows.map(\.id))
        let names = { (rows: [PostRow]) in
            SafeText(line: rows.compactMap { shorts[$0.id]?.string }.joined(separator: " "))
        }
        let subject = Scribe.Subject.posts(rows.map(\.id))
        // A vote that is already in force is not signed again: it would only lengthen everybody's copy of the log.
        let fresh = rows.filter { $0.vote != choice.value }
        let kept = rows.filter { $0.vote == choice.value }
        let already: SafeText =
            choice == .none ? "no vote of yours on \(names(kept))" : "voted \(choice.rawValue) already: \(names(kept))"
        if fresh.isEmpty { return try Scribe.nothing(already, about: subject, reading.form, console) }
        let writer = try Scribe(desk: desk, console: console, form: reading.form)
        let choices = fresh.map { Vote.Choice(post: $0.id, value: choice.value) }
        let payload = try Composer.payload { () throws(PayloadError) in .vote(try Vote(choices: choices)) }
        let result = try writer.write(payload)
        let verb: SafeText = choice == .none ? "vote taken back:" : "voted \(choice.rawValue):"
        let rest: SafeText = kept.isEmpty ? "" : " (\(already))"
        try writer.say("\(verb) \(names(fresh))\(rest)", result, about: subject)
    }
}
