// scurry vote up|down|none ID... [--json]

import ArgumentParser
import Entries
import Storage

struct VoteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "vote",
        abstract: "Vote a post up or down, or take the vote back.",
        usage: "scurry vote up|down|none ID... [--json]",
        discussion: """
            One vote for each person and post; the last one counts.

            Example:
              scurry vote up k7fa 2mat
              scurry vote none k7fa
            """
    )

    @Argument(help: ArgumentHelp("up, down, or none to take it back.", valueName: "up|down|none"))
    var choice: Choice

    @Argument(help: ArgumentHelp("The posts: the first letters of their ids.", valueName: "id"))
    var posts: [PostArgument]

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

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        // All are known, or nothing is written.
        var rows: [PostRow] = []
        for post in posts {
            let row = try post.resolve(in: desk)
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
        // What stands already is not signed again: it would only make everybody's log longer.
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
