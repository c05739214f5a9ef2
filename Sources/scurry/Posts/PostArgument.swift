import ArgumentParser
import Entries
import Storage

/// A post argument: a prefix of its id.
struct PostArgument: ExpressibleByArgument, Hashable, Sendable {
    let typed: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        typed = argument
    }

    /// Resolves the argument to one post: among those shown lately if one of them matches, else among all.
    ///
    /// - Parameters:
    ///   - desk: the home.
    ///   - command: the command for the hint where it can mean several, with the id of the first of them: the one that
    ///     was typed, or, where that changes something, one that shows the post.
    /// - Returns: the post.
    /// - Throws: `Failure` 3 for none, or for several, which are listed; errors of the store as failures.
    func resolve(in desk: ReadingDesk, hinting command: (SafeText) -> SafeText) throws(Failure) -> PostRow {
        let ids = try candidates(in: desk)
        let rows = try Problems.naming { () throws(StorageError) in
            var rows: [PostRow] = []
            for id in ids {
                if let row = try desk.store.post(id, reader: desk.own) { rows.append(row) }
            }
            return rows
        }
        if let only = rows.first, rows.count == 1 { return only }
        let shown = SafeText(line: typed)
        if rows.isEmpty {
            throw Failure(
                .notFoundOrAmbiguous,
                "no post here begins with \(shown)",
                hint: "scurry feed shows the ids; scurry sync fetches what is missing"
            )
        }
        let shorts = ShortID.prefixes(of: rows.map(\.id.description))
        let lines = zip(shorts, rows).prefix(10).map { short, row in
            desk.summary(of: row, short: SafeText(line: short)).truncated(to: 76)
        }
        throw Failure(
            .notFoundOrAmbiguous,
            "\(shown) can mean \(rows.count) posts\(rows.count < StorageLimits.candidates ? "" : " or more")",
            hint: command(SafeText(line: shorts.first ?? typed)),
            candidates: Array(lines)
        )
    }

    private func candidates(in desk: ReadingDesk) throws(Failure) -> [EntryID] {
        let prefix = typed.lowercased()
        let lately = desk.state.shown.filter { $0.description.hasPrefix(prefix) }
        if !lately.isEmpty { return lately.sorted() }
        guard let prefix = IDPrefix(prefix) else { return [] }
        return try Problems.naming { () throws(StorageError) in try desk.store.posts(prefix) }
    }
}
