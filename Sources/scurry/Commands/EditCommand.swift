// scurry edit ID [TEXT|-] [--title T] [--json]

import ArgumentParser
import Entries
import Storage

struct EditCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a post of yours.",
        usage: "scurry edit ID [TEXT|-] [--title T] [--json]",
        discussion: """
            The new text stands in place of the old one on every node; what it said before can still be read with \
            scurry show ID --history. Without TEXT the text comes from standard input when that is piped, and from \
            $EDITOR on a terminal, which opens with the present text. With --title and no TEXT neither is looked \
            at, and the text stays; - takes it from standard input.

            Example:
              scurry edit k7fa "Caught this one stealing my second bagel."
            """
    )

    @Argument(help: ArgumentHelp("The post: the first letters of its id.", valueName: "id"))
    var post: PostArgument

    @Argument(help: ArgumentHelp("The new text; - reads standard input.", valueName: "text"))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("A new title; \"\" removes it.", valueName: "t"))
    var title: String?

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        var command: SafeText = "scurry edit \(ShellWord.quoted(post.typed))"
        if let title { command = "\(command) \(ShellWord.option("--title", title))" }
        let source = TextSource(words: words, command: command)
        // A new title alone keeps the text, and leaves a script's standard input unread.
        let keepsText = words.isEmpty && title != nil
        let desk =
            keepsText ? try ReadingDesk(console) : try Composer.desk(console, keeping: source, draft: "edit")
        let composer = Composer(desk: desk, console: console)
        let found: (row: PostRow, text: PostRow.Text)
        do throws(Failure) {
            found = try own(in: desk)
        } catch {
            throw keepsText ? error : composer.refusal(error, of: source, draft: "edit")
        }
        let (row, present) = found
        let draft = "edit-" + row.id.description.prefix(16)
        let given =
            keepsText ? composer.typed(present.text, draft: draft) : try composer.given(from: source, draft: draft)
        // A text that stays as it is has been posted, and is not kept.
        let typed = keepsText ? nil : given
        let writer = try Scribe(desk: desk, console: console, form: reading.form, keeping: typed)
        let written = try given ?? composer.edited(draft: draft, command: command, original: present.text)
        let title = title.map(TitleRule.stored) ?? present.title
        try Composer.refuseEmpty(written, title: title, command: command)
        if written.text == present.text, title == present.title {
            written.discard()
            return try Scribe.nothing("unchanged: \(post.typed) says that already", post: row.id, reading.form, console)
        }
        let payload = try composer.payload(keeping: written) { () throws(PayloadError) in
            .edit(try Edit(salt: .fresh(), post: row.id, text: written.text, title: title))
        }
        try composer.refuseTooLong(payload, keeping: written)
        let result = try writer.write(payload, keeping: written)
        try writer.report(result, naming: row.id, verb: "edited")
    }

    /// The post and its present text; refuses what can be known before the new text is read, or an editor is opened.
    private func own(in desk: ReadingDesk) throws(Failure) -> (row: PostRow, text: PostRow.Text) {
        if let title { try TitleRule.check(title, command: "scurry edit \(ShellWord.quoted(post.typed))") }
        let row = try post.resolve(in: desk) { "scurry show \($0)" }
        try desk.requireOwn(row, typed: post.typed, verb: "edit")
        switch row.content {
        case .shown(let text): return (row, text)
        case .deleted: throw Failure(.refused, "\(post.typed) was deleted", hint: "scurry show \(post.typed)")
        case .wanted where row.isEvicted:
            throw Failure(
                .refused,
                "the text of \(post.typed) gave way to the disk budget",
                hint: "scurry config disk-budget none, and the node fetches it after its next start"
            )
        case .wanted:
            throw Failure(
                .refused,
                "the text of \(post.typed) has not arrived yet",
                hint: "scurry show \(post.typed)"
            )
        }
    }
}

extension ReadingDesk {
    /// - Throws: `Failure` 7 if somebody else wrote the post.
    func requireOwn(_ row: PostRow, typed: String, verb: SafeText) throws(Failure) {
        if row.identity == own { return }
        throw Failure(
            .refused,
            "\(typed) is a post of \(book[row.identity].shown): only its author can \(verb) it",
            hint: "scurry mine shows your own posts"
        )
    }
}
