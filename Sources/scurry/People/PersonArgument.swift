import ArgumentParser
import Entries
import Storage

/// A person as somebody types them: `hazel`, `@hazel`, `hazel~9fq2`, `~9fq2`, or the beginning of their id.
struct PersonArgument: ExpressibleByArgument, Hashable, Sendable {
    let typed: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        typed = argument
    }

    /// The person of this whole id, known here or not; nil for anything else that is typed. It is never a name that happens to be
    /// spelled so.
    var whole: IdentityID? {
        let text = typed.hasPrefix("@") ? typed.dropFirst() : typed[...]
        return text.utf8.count == 52 ? Base32.decode(text.lowercased()).flatMap { IdentityID($0) } : nil
    }

    /// The one person that this can mean; of a former name it is said who had it.
    ///
    /// - Throws: `Failure` 3, as below.
    func resolve(in desk: ReadingDesk) throws(Failure) -> NameBook.Entry {
        do throws(Failure) {
            return try resolve(in: desk.book)
        } catch {
            guard candidates(in: desk.book).isEmpty, let renamed = try formerly(desk) else { throw error }
            throw renamed
        }
    }

    /// Whoever was called so before, and is called otherwise now; a name that somebody else took is theirs.
    private func formerly(_ desk: ReadingDesk) throws(Failure) -> Failure? {
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
                hint: "give the name of today: \(PersonArgument.spelling(of: first))",
                candidates: found.prefix(10).map(\.shown)
            )
        }
        return Failure(
            .notFoundOrAmbiguous,
            "nobody here is called \(shown) any more; \(first.shown) was",
            hint: "give the name of today: \(PersonArgument.spelling(of: first))"
        )
    }

    /// What stands before the last `~` and behind it.
    private var parts: (name: String, tag: String?) {
        let text = typed.hasPrefix("@") ? typed.dropFirst() : typed[...]
        guard let mark = text.lastIndex(of: "~") else { return (String(text), nil) }
        return (String(text[..<mark]), text[text.index(after: mark)...].lowercased())
    }

    /// The one person that this can mean.
    ///
    /// - Throws: `Failure` 3 for nobody, or for several, who are listed with their tags.
    func resolve(in book: NameBook) throws(Failure) -> NameBook.Entry {
        let found = candidates(in: book)
        if let only = found.first, found.count == 1 { return only }
        let shown = SafeText(line: typed)
        if found.isEmpty {
            throw Failure(
                .notFoundOrAmbiguous,
                "nobody here is called \(shown)",
                hint: "scurry feed shows who writes, each with a tag"
            )
        }
        let example = found.first.map { PersonArgument.spelling(of: $0) } ?? "NAME~TAG"
        throw Failure(
            .notFoundOrAmbiguous,
            "\(shown) can mean \(found.count) people",
            hint: "add the tag: \(example)",
            candidates: found.prefix(10).map(\.shown)
        )
    }

    /// `hazel~9fq2`, in quotes where the shell needs them.
    static func spelling(of entry: NameBook.Entry) -> SafeText {
        let name = entry.name ?? ""
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { isWordByte($0) }
        return isPlain ? "\(name)~\(entry.tag)" : "'~\(entry.tag)'"
    }

    private func candidates(in book: NameBook) -> [NameBook.Entry] {
        var text = typed[...]
        if text.hasPrefix("@") { text = text.dropFirst() }
        if let mark = text.lastIndex(of: "~") {
            let name = text[..<mark]
            let tag = text[text.index(after: mark)...].lowercased()
            guard !tag.isEmpty else { return book.named(String(name)) }
            var among = name.isEmpty ? book.all.sorted { $0.identity < $1.identity } : book.named(String(name))
            // As whoever has no name is shown.
            if name == SafeText(name: "").string { among += book.named("").filter { $0.name == nil } }
            return among.filter { $0.identity.description.hasPrefix(tag) }
        }
        if let whole { return book.all.filter { $0.identity == whole } }
        let prefix = text.lowercased()
        let named = book.named(String(text))
        guard prefix.utf8.count >= ShortID.lettersAtLeast else { return named }
        // Whoever takes another one's tag for a name does not take their place.
        let known = Set(named)
        let tagged = book.all.filter { $0.identity.description.hasPrefix(prefix) && !known.contains($0) }
        return tagged.sorted { $0.identity < $1.identity } + named
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
