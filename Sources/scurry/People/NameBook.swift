import Entries
import Storage

/// The name and tag of each person known to this node; no two people are shown alike.
///
/// A tag is the shortest prefix of the identity's id, four letters or more, that nobody else with the same folded name
/// shares; so a name with a tag means one person.
struct NameBook: Sendable {
    struct Entry: Hashable, Sendable {
        let identity: IdentityID
        /// The name as the person chose it; nil if none was chosen, or none has arrived.
        let name: String?
        /// The tag without the `~`.
        let tag: String

        /// `hazel ~9fq2`
        var shown: SafeText { "\(shownName) ~\(tag)" }
        /// The name as it is shown: never empty, and never mistaken for a tag.
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

    /// The entry of a person; an unknown one has a tag of four letters.
    subscript(identity: IdentityID) -> Entry {
        entries[identity]
            ?? Entry(identity: identity, name: nil, tag: String(identity.description.prefix(ShortID.lettersAtLeast)))
    }

    var all: some Collection<Entry> { entries.values }

    /// All people whose names fold to the same text as this one, ascending by id.
    func named(_ name: String) -> [Entry] {
        (byFold[NameBook.fold(name)] ?? []).sorted().map { self[$0] }
    }

    /// The folded form of a name; people without a name share one.
    static func fold(_ name: String?) -> String {
        name.map(LookAlike.fold) ?? ""
    }
}
