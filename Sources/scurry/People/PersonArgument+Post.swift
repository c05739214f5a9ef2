import Entries
import Storage

/// Ids of posts where a person is meant: both are 52 letters, and the rows of a feed begin with the post's.
extension PersonArgument {
    /// Resolves the argument to one person, who may be unknown here if the whole id was typed: with `carry following`
    /// people who are not followed are. `command` is the one to give the right person to, for hints.
    ///
    /// - Throws: `Failure` 3 for nobody, for several, and for a post.
    func resolveAnybody(in desk: ReadingDesk, for command: SafeText) throws(Failure) -> NameBook.Entry {
        guard let whole else { return try resolve(in: desk, for: command) }
        try refusePost(in: desk, for: command)
        return desk.book[whole]
    }

    /// - Throws: `Failure` 3 if the whole id of a post that is here was typed.
    func refusePost(in desk: ReadingDesk, for command: SafeText) throws(Failure) {
        guard let whole, let author = try Self.author(of: whole, in: desk.store) else { return }
        throw Failure(
            .notFoundOrAmbiguous,
            "that is a post; its author is \(desk.book[author].shown)",
            hint: "\(command) \(author.description)"
        )
    }

    /// The author of the post that has this id; nil if none here has it.
    static func author(of id: IdentityID, in store: StoreReader) throws(Failure) -> IdentityID? {
        try Problems.naming { () throws(StorageError) in try store.post(EntryID(raw: id.raw), reader: nil)?.identity }
    }
}
