// scurry reply ID [TEXT|-] [--json]

import ArgumentParser
import Entries
import Storage

struct ReplyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reply",
        abstract: "Answer a post.",
        usage: "scurry reply ID [TEXT|-] [--json]",
        discussion: """
            Without TEXT the text comes from standard input when that is piped, and from $EDITOR on a terminal, where the \
            post that you answer stands below it. A reply is in the channels of what it answers. A text has some 65,500 \
            bytes at most.

            Example:
              scurry reply k7fa "That is the one from the library."
            """
    )

    @Argument(help: ArgumentHelp("The post: the first letters of its id.", valueName: "id"))
    var post: PostArgument

    @Argument(help: ArgumentHelp("What to say; - reads standard input.", valueName: "text"))
    var words: [String] = []

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let command: SafeText = "scurry reply \(ShellWord.quoted(post.typed))"
        let source = TextSource(words: words, command: command)
        let desk = try Composer.desk(console, keeping: source, draft: "reply")
        let composer = Composer(desk: desk, console: console)
        let row: PostRow
        do throws(Failure) {
            row = try answered(in: desk)
        } catch {
            throw composer.refusal(error, of: source, draft: "reply")
        }
        let draft = "reply-" + row.id.description.prefix(16)
        let given = try composer.given(from: source, draft: draft)
        let writer = try Scribe(desk: desk, console: console, form: reading.form, keeping: given)
        let written =
            try given ?? composer.edited(draft: draft, command: command, question: desk.quotation(of: row))
        try Composer.refuseEmpty(written, title: "", command: command)
        let payload = try composer.payload(keeping: written) { () throws(PayloadError) in
            .post(
                try Post(
                    salt: .fresh(),
                    text: written.text,
                    channels: row.channels,
                    reply: Post.Reply(parent: row.id, root: row.reply?.root ?? row.id)
                )
            )
        }
        try composer.refuseTooLong(payload, keeping: written)
        let result = try writer.write(payload, keeping: written)
        try writer.report(result, verb: "replied", rest: "to \(desk.book[row.identity].shown)")
    }

    private func answered(in desk: ReadingDesk) throws(Failure) -> PostRow {
        let row = try post.resolve(in: desk) { "scurry reply \($0) \"TEXT\"" }
        guard row.isDeleted else { return row }
        throw Failure(.refused, "\(post.typed) was deleted by its author", hint: "scurry show \(post.typed)")
    }
}

extension ReadingDesk {
    /// The post that is answered, as the editor shows it below the reply.
    func quotation(of row: PostRow) -> SafeText {
        guard case .shown(let text) = row.content else { return book[row.identity].shown }
        let head = book[row.identity].shown.string
        let title = text.title.isEmpty ? "" : text.title + "\n"
        return SafeText(body: head + "\n" + title + text.text)
    }
}
