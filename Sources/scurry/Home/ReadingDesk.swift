import Entries
import Storage
import Synchronization
import Transport

/// A home opened for reading: the store, the reader's marks, and people's names.
///
/// It reads the database directly, whether a node runs, hangs, or is dead.
final class ReadingDesk: Sendable {
    let home: Home
    let store: StoreReader
    let state: ReaderState
    /// The identity of the home's person; nil on a hub.
    let own: IdentityID?
    private let names = Mutex<NameBook?>(nil)
    private let glances = Mutex<NodeGlance?>(nil)
    /// Names to be cached in the reader's file, and the version of the store that they are of.
    private let unkept = Mutex<(version: String, names: [KnownName])?>(nil)
    private let console: Console
    /// People read from the store in one transaction. A guess.
    private static let peoplePerPage = 10_000

    init(_ console: Console) throws(Failure) {
        let home = try HomeDoor.open(console.environment)
        let store: StoreReader
        do throws(HomeError) {
            store = try home.storeReader()
        } catch .busy(let process) {
            throw Occupied.failure(process)
        } catch {
            throw Problems.failure(error)
        }
        own = try Problems.naming { () throws(StorageError) in try store.ownIdentity() }
        self.home = home
        self.store = store
        self.console = console
        do throws(StorageError) {
            state = try ReaderFile(path: home.layout.reader).state()
        } catch {
            let reason = Problems.reason(error, of: home.layout)
            console.note("scurry: note: read marks and joined channels are out of reach: \(reason)")
            state = ReaderState()
        }
    }

    /// The reason why this home signs nothing; nil if it signs.
    func signingStop() throws(Failure) -> SigningStop? {
        try Problems.naming { () throws(StorageError) in try home.signingStop(in: store) }
    }

    /// The message for an empty feed; it suggests a post only where one can be written.
    func emptyFeed() throws(Failure) -> EmptyState {
        guard own != nil else { return .noPostsOfOurs("nobody writes on a hub", next: "scurry peers") }
        guard let stop = try signingStop(), !stop.isDelayed(by: stopReport(stop)) else { return .noPosts }
        return .noPostsOfOurs(SafeText(line: stop.description), next: wayOut(of: stop))
    }

    /// The names of all people; read at the first use, since not every command needs them.
    var book: NameBook {
        names.withLock { book in
            if let book { return book }
            let made = readNames()
            book = made
            return made
        }
    }

    /// The running node's status; requested at the first use.
    var glance: NodeGlance {
        glances.withLock { glance in
            if let glance { return glance }
            let made = NodeGlance(of: home)
            glance = made
            return made
        }
    }

    /// The shortest prefixes that tell these posts from each other and from posts shown lately.
    func shorts(for ids: some Sequence<EntryID>) -> [EntryID: SafeText] {
        let ids = Array(ids)
        let prefixes = ShortID.prefixes(of: (ids + state.shown).map(\.description))
        var shorts: [EntryID: SafeText] = [:]
        for (id, prefix) in zip(ids, prefixes) { shorts[id] = SafeText(line: prefix) }
        return shorts
    }

    /// Whether a post is unread after what was read so far; an own post never is.
    func isUnread(_ row: PostRow, after read: ReadSoFar) -> Bool {
        !read.contains(row) && row.identity != own
    }

    /// Whether a line about a post names its author.
    enum Naming {
        case named
        /// No name: all lines are about posts of one person.
        case left
    }

    /// A one-line summary of a post.
    func summary(of row: PostRow, short: SafeText, author: Naming = .named) -> SafeText {
        let said: SafeText =
            switch row.content {
            case .shown(let text): SafeText(line: text.title.isEmpty ? text.text : text.title)
            case .wanted where row.isEvicted: "(the text gave way to the disk budget)"
            case .wanted: "(the text has not arrived yet)"
            case .deleted: "(deleted)"
            }
        return switch author {
        case .named: "\(short) \(book[row.identity].shown): \(said)"
        case .left: "\(short)  \(said)"
        }
    }

    /// Saves which posts were shown, once the output is complete.
    ///
    /// A failure to save is ignored: what was asked for has been printed, and the posts show as unread once more.
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

    /// Reads names from the reader's file if no name has changed since it was written, else from the store.
    ///
    /// If the store cannot be read, there are no names, and a note says so: tags made from a part would be too short.
    private func readNames() -> NameBook {
        do throws(StorageError) {
            let version = try store.namesVersion()
            // A cache that cannot be read is none: the store has the names, and `init` notes the file's fault.
            if let kept = try? ReaderFile(path: home.layout.reader).names(version: version) { return NameBook(kept) }
            let found = try people()
            unkept.withLock { $0 = (version, found) }
            return NameBook(found)
        } catch {
            console.note("scurry: note: names are out of reach: \(SafeText(line: error.description))")
            return NameBook([KnownName]())
        }
    }

    private func people() throws(StorageError) -> [KnownName] {
        var people: [KnownName] = []
        var last: IdentityID?
        while true {
            let found = try store.people(after: last, limit: Self.peoplePerPage)
            people += found.map { KnownName(identity: $0.identity, name: $0.name, folded: NameBook.fold($0.name)) }
            guard found.count == Self.peoplePerPage else { return people }
            last = found.last?.identity
        }
    }
}
