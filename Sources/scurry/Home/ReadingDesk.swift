import Entries
import Storage
import Synchronization
import Transport

/// An open home, for reading: the store, where the reader was, and the names of people.
///
/// Reads the database itself: a node that runs, hangs, or is dead makes no difference.
final class ReadingDesk: Sendable {
    let home: Home
    let store: StoreReader
    let state: ReaderState
    /// Who reads; nil on a hub.
    let own: IdentityID?
    private let names = Mutex<NameBook?>(nil)
    private let glances = Mutex<NodeGlance?>(nil)
    /// Names that the reader's file does not have yet, and of which version they are.
    private let unkept = Mutex<(version: String, names: [KnownName])?>(nil)

    init(_ console: Console) throws(Failure) {
        let home = try HomeDoor.open(console.environment)
        let store = try Problems.naming { () throws(HomeError) in try home.storeReader() }
        own = try Problems.naming { () throws(StorageError) in try store.ownIdentity() }
        self.home = home
        self.store = store
        do {
            state = try ReaderFile(path: home.layout.reader).state()
        } catch {
            console.note(
                "scurry: note: read marks and joined channels are out of reach: \(SafeText(line: error.description))"
            )
            state = ReaderState()
        }
    }

    /// Why this home signs nothing; nil if it signs.
    func signingStop() throws(Failure) -> SigningStop? {
        try Problems.naming { () throws(StorageError) in try home.signingStop(in: store) }
    }

    /// What is said where there are no posts: what to type, and not that something be posted where nothing can be.
    func emptyFeed() throws(Failure) -> EmptyState {
        guard own != nil else { return .noPostsOfOurs("nobody writes on a hub", next: "scurry peers") }
        guard let stop = try signingStop() else { return .noPosts }
        return .noPostsOfOurs(SafeText(line: stop.description), next: stop.wayOut)
    }

    /// The names of everybody; read at the first question, since not every command asks.
    var book: NameBook {
        names.withLock { book in
            if let book { return book }
            let made = readNames()
            book = made
            return made
        }
    }

    /// What the running node says; asked at the first question.
    var glance: NodeGlance {
        glances.withLock { glance in
            if let glance { return glance }
            let made = NodeGlance(of: home)
            glance = made
            return made
        }
    }

    /// The shortest beginnings that tell these posts apart from each other and from those shown lately.
    func shorts(for ids: some Sequence<EntryID>) -> [EntryID: SafeText] {
        let ids = Array(ids)
        let prefixes = ShortID.prefixes(of: (ids + state.shown).map(\.description))
        var shorts: [EntryID: SafeText] = [:]
        for (id, prefix) in zip(ids, prefixes) { shorts[id] = SafeText(line: prefix) }
        return shorts
    }

    /// Whether a reader who has read so much has this post before them; their own they have not.
    func isUnread(_ row: PostRow, after read: ReadSoFar) -> Bool {
        !read.contains(row) && row.identity != own
    }

    /// Whether a line about a post names who wrote it.
    enum Naming {
        case named
        /// All of them are one person's.
        case left
    }

    /// One line that reminds somebody of a post.
    func summary(of row: PostRow, short: SafeText, author: Naming = .named) -> SafeText {
        let said: SafeText =
            switch row.content {
            case .shown(let text): SafeText(line: text.title.isEmpty ? text.text : text.title)
            case .wanted: "(the text has not arrived yet)"
            case .deleted: "(deleted)"
            }
        return switch author {
        case .named: "\(short) \(book[row.identity].shown): \(said)"
        case .left: "\(short)  \(said)"
        }
    }

    /// Remembers what was shown. Called when everything is out; what cannot be written is not worth a word.
    func remember(
        _ posts: [EntryID],
        view: String? = nil,
        upTo arrival: UInt64 = 0,
        reaching reach: ReaderFile.Reach = .all
    ) {
        let file = ReaderFile(path: home.layout.reader)
        if let names = unkept.withLock({ $0 }) {
            try? file.keep(names.names, version: names.version)
            unkept.withLock { $0 = nil }
        }
        if !posts.isEmpty || view != nil {
            try? file.saw(posts, view: view, upTo: arrival, reaching: reach)
        }
    }

    /// From the reader's own file if nobody took a name since it was written, else from the store.
    private func readNames() -> NameBook {
        let file = ReaderFile(path: home.layout.reader)
        let version = try? store.namesVersion()
        if let version, let kept = try? file.names(version: version) { return NameBook(kept) }
        let found = people()
        if let version { unkept.withLock { $0 = (version, found) } }
        return NameBook(found)
    }

    private func people() -> [KnownName] {
        var people: [KnownName] = []
        var last: IdentityID?
        let page = 10_000
        while let found = try? store.people(after: last, limit: page), !found.isEmpty {
            people += found.map { KnownName(identity: $0.identity, name: $0.name, folded: NameBook.fold($0.name)) }
            last = found.last?.identity
            if found.count < page { break }
        }
        return people
    }
}
