import ArgumentParser
import Entries
import Storage

/// A person argument: `hazel`, `@hazel`, `hazel~9fq2`, `~9fq2`, or a prefix of the id.
struct PersonArgument: ExpressibleByArgument, Hashable, Sendable {
    let typed: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        typed = argument
    }

    /// The identity if a whole id was typed, known here or not; nil otherwise. A name that is spelled as an id is not
    /// considered.
    var whole: IdentityID? {
        let text = typed.hasPrefix("@") ? typed.dropFirst() : typed[...]
        return text.utf8.count == 52 ? Base32.decode(text.lowercased()).flatMap { IdentityID($0) } : nil
    }

    /// Resolves the argument to one person; for a former name the failure says who had it, for a post whose it is.
    /// `command` is the one to give the right person to, for hints.
    ///
    /// - Throws: `Failure` 3, as below.
    func resolve(in desk: ReadingDesk, for command: SafeText) throws(Failure) -> NameBook.Entry {
        do throws(Failure) {
            return try resolve(in: desk.book, for: command)
        } catch {
            guard candidates(in: desk.book).isEmpty else { throw error }
            try refusePost(in: desk, for: command)
            throw try formerly(desk, for: command) ?? error
        }
    }

    /// The failure for a former name that nobody has taken since; it names the people who had it. Nil: nobody had.
    private func formerly(_ desk: ReadingDesk, for command: SafeText) throws(Failure) -> Failure? {
        let (name, tag) = parts
        let folded = NameBook.fold(name)
        guard !folded.isEmpty, whole == nil else { return nil }
        let names = try Problems.naming { () throws(StorageError) in try desk.store.renamed() }
        let those = Set(names.filter { NameBook.fold($0.name) == folded }.map(\.identity)).sorted()
        let found = those.filter { $0.description.hasPrefix(tag ?? "") }.map { desk.book[$0] }
        guard let first = found.first else { return nil }
        let shown = SafeText(line: typed)
        guard found.count == 1 else {
            return Failure(
                .notFoundOrAmbiguous,
                "nobody here is called \(shown) any more; \(found.count) people were",
                hint: "\(command) \(PersonArgument.spelling(of: first))",
                candidates: found.prefix(10).map(\.shown)
            )
        }
        return Failure(
            .notFoundOrAmbiguous,
            "nobody here is called \(shown) any more; \(first.shown) was",
            hint: "\(command) \(PersonArgument.spelling(of: first))"
        )
    }

    /// The texts before and after the last `~`.
    private var parts: (name: String, tag: String?) {
        let text = typed.hasPrefix("@") ? typed.dropFirst() : typed[...]
        guard let mark = text.lastIndex(of: "~") else { return (String(text), nil) }
        return (String(text[..<mark]), text[text.index(after: mark)...].lowercased())
    }

    /// Resolves the argument to one person. `command` is the one to give the right person to, for hints.
    ///
    /// - Throws: `Failure` 3 for nobody, or for several, who are listed with their tags.
    func resolve(in book: NameBook, for command: SafeText) throws(Failure) -> NameBook.Entry {
        let found = candidates(in: book)
        if let only = found.first, found.count == 1 { return only }
        let shown = SafeText(line: typed)
        if found.isEmpty {
            let meant: SafeText? = nearest(in: book).map { "\(command) \($0)" }
            throw Failure(
                .notFoundOrAmbiguous,
                "nobody here is called \(shown)",
                hint: beginsAnID(in: book)
                    ? "the beginning of an id takes \(ShortID.lettersAtLeast) letters or more"
                    : meant ?? "scurry feed shows who writes, each with a tag"
            )
        }
        let example = found.first.map { PersonArgument.spelling(of: $0) } ?? "NAME~TAG"
        throw Failure(
            .notFoundOrAmbiguous,
            "\(shown) can mean \(found.count) people",
            hint: "\(command) \(example)",
            candidates: found.prefix(10).map(\.shown)
        )
    }

    /// `hazel~9fq2`, or the quoted tag alone if the name needs quoting in a shell, or would be taken for an option.
    static func spelling(of entry: NameBook.Entry) -> SafeText {
        let name = entry.name ?? ""
        return isPlain(name) ? "\(name)~\(entry.tag)" : "'~\(entry.tag)'"
    }

    /// Whether a name can be typed as it is.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-") && name.utf8.allSatisfy { isWordByte($0) }
    }

    /// The person whose name is nearest to the one that was typed, as it is typed; nil if none is near.
    private func nearest(in book: NameBook) -> SafeText? {
        let names = Set(book.all.compactMap(\.name).map(NameBook.fold)).filter { !$0.isEmpty }
        guard let meant = NearestCommand.find(NameBook.fold(parts.name), among: Array(names)),
            let entry = book.named(meant).first
        else { return nil }
        let name = entry.name ?? ""
        // The name alone may mean several people, or be the beginning of another one's id.
        let isEnough = PersonArgument(argument: name)?.candidates(in: book).count == 1
        return isEnough && Self.isPlain(name) ? "\(name)" : Self.spelling(of: entry)
    }

    private func candidates(in book: NameBook) -> [NameBook.Entry] {
        var text = typed[...]
        if text.hasPrefix("@") { text = text.dropFirst() }
        if let mark = text.lastIndex(of: "~") {
            let name = text[..<mark]
            let tag = text[text.index(after: mark)...].lowercased()
            guard !tag.isEmpty else { return book.named(String(name)) }
            var among = name.isEmpty ? book.all.sorted { $0.identity < $1.identity } : book.named(String(name))
            // The name under which people without one are shown.
            if name == SafeText(name: "").string { among += book.named("").filter { $0.name == nil } }
            return among.filter { $0.identity.description.hasPrefix(tag) }
        }
        if let whole { return book.all.filter { $0.identity == whole } }
        let prefix = text.lowercased()
        let named = book.named(String(text))
        guard prefix.utf8.count >= ShortID.lettersAtLeast else { return named }
        // A person whose name is another one's tag does not take their place.
        let known = Set(named)
        let tagged = book.all.filter { $0.identity.description.hasPrefix(prefix) && !known.contains($0) }
        return tagged.sorted { $0.identity < $1.identity } + named
    }

    /// Whether it is the beginning of somebody's id, though shorter than one that counts.
    private func beginsAnID(in book: NameBook) -> Bool {
        let prefix = typed.lowercased()
        return prefix.utf8.count < ShortID.lettersAtLeast
            && book.all.contains { $0.identity.description.hasPrefix(prefix) }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
