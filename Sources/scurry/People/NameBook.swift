import Entries
import Storage

/// Everybody's name and tag, as this node knows them: two people never look alike.
///
/// A tag is the shortest beginning of the identity's id, four letters or more, that nobody else of the same folded name
/// shares; so a name and a tag together mean one person.
struct NameBook: Sendable {
    struct Entry: Hashable, Sendable {
        let identity: IdentityID
        /// As it was chosen; nil if none was, or none has come yet.
        let name: String?
        /// Without the `~`.
        let tag: String

        /// `hazel ~9fq2`
        var shown: SafeText { "\(shownName) ~\(tag)" }
        /// Never empty, and never passes for a tag.
        var shownName: SafeText { SafeText(name: name ?? "") }
    }

    private let entries: [IdentityID: Entry]
    private let byFold: [String: [IdentityID]]

    init(_ people: some Sequence<KnownName>) {
        var names: [IdentityID: String?] = [:]
        var byFold: [String: [IdentityID]] = [:]
        for known in people {
            names[known.identity] = known.name
            byFold[known.folded, default: []].append(known.identity)
        }
        var entries: [IdentityID: Entry] = [:]
        entries.reserveCapacity(names.count)
        for identities in byFold.values {
            let tags = ShortID.prefixes(of: identities.map(\.description))
            for (identity, tag) in zip(identities, tags) {
                entries[identity] = Entry(identity: identity, name: names[identity] ?? nil, tag: tag)
            }
        }
        self.entries = entries
        self.byFold = byFold
    }

    /// One who is in no book yet has a tag of four letters.
    subscript(identity: IdentityID) -> Entry {
        entries[identity]
            ?? Entry(identity: identity, name: nil, tag: String(identity.description.prefix(ShortID.lettersAtLeast)))
    }

    var all: some Collection<Entry> { entries.values }

    /// Everybody whose name looks like this one, ascending by id.
    func named(_ name: String) -> [Entry] {
        (byFold[NameBook.fold(name)] ?? []).sorted().map { self[$0] }
    }

    /// Those without a name are alike.
    static func fold(_ name: String?) -> String {
        name.map(LookAlike.fold) ?? ""
    }
}
