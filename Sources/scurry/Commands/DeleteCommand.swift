// scurry delete ID [--json]

import ArgumentParser
import Entries
import Storage

struct DeleteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Take back a post of yours.",
        usage: "scurry delete ID [--json]",
        discussion: """
            Every node that hears of it erases the text, and what it said before it was edited. Copies that somebody \
            made cannot be recalled.

            Example:
              scurry delete k7fa
            """
    )

    @Argument(help: ArgumentHelp("The post: the first letters of its id.", valueName: "id"))
    var post: PostArgument

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let row = try post.resolve(in: desk) { "scurry show \($0)" }
        try desk.requireOwn(row, typed: post.typed, verb: "delete")
        try requireShown(row, desk)
        if row.isDeleted {
            return try Scribe.nothing("\(post.typed) was deleted before", post: row.id, reading.form, console)
        }
        let writer = try Scribe(desk: desk, console: console, form: reading.form)
        let result = try writer.delete(row.id)
        try writer.report(result, naming: row.id, verb: "deleted")
        guard reading.form == .text else { return }
        console.tell("every node that hears of it erases the text; copies cannot be recalled")
    }

    /// Nothing brings a post back: a slip of the finger finds one, too, and no id is ever shown so short.
    ///
    /// - Throws: `Failure` 3 for fewer letters than any id is shown with, as for several posts.
    private func requireShown(_ row: PostRow, _ desk: ReadingDesk) throws(Failure) {
        guard post.typed.utf8.count < ShortID.lettersAtLeast else { return }
        let short = desk.shorts(for: [row.id])[row.id] ?? ""
        let typed = SafeText(line: post.typed)
        throw Failure(
            .notFoundOrAmbiguous,
            "\(typed) is too short to delete a post by: it takes \(ShortID.lettersAtLeast) letters or more",
            hint: "scurry delete \(short)",
            candidates: [desk.summary(of: row, short: short).truncated(to: 76)]
        )
    }
}
