import Entries
import Storage
import Transport

/// The setting `carry`: everything, following, or ids with commas between.
enum CarrySetting {
    /// Identities at most besides the home's person, who is always carried.
    static let othersAtMost = Scope.maximumIdentities - 1

    /// Parses the value; nil if it is invalid.
    static func parse(_ value: String) -> Carrying? {
        switch value {
        case "everything": return .everything
        case "following": return .following
        default:
            var people: Set<IdentityID> = []
            for word in value.split(separator: ",", omittingEmptySubsequences: false) {
                let id = String(word.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
                guard let person = Base32.decode(id).flatMap({ IdentityID($0) }) else { return nil }
                people.insert(person)
            }
            return .people(people)
        }
    }

    /// A valid value without white space: ids from a script may stand on lines of their own, and a setting may not.
    static func normal(_ value: String) -> String { value.filter { !$0.isWhitespace } }

    /// Why a value is invalid; nil if it is valid.
    static func fault(in value: String) -> SafeText? {
        switch parse(value) {
        case nil:
            let shown: SafeText = value.isEmpty ? "nothing" : "\(value)"
            return "\(shown) is no value of carry: it takes everything, following, or whole ids with commas between"
        case .people(let people) where people.count > othersAtMost:
            return tooMany("\(people.count) people are too many")
        case .everything, .following, .people: return nil
        }
    }

    /// The scope for a node's start; the setting was validated before.
    static func options(_ settings: Settings, _ home: Home) throws(Failure) -> Carrying {
        let carry = parse(settings.value(.carry)) ?? .everything
        if carry == .following { try checkPerson(home) }
        return carry
    }

    /// Refuses a value that this home cannot apply.
    static func check(_ value: String, _ home: Home) throws(Failure) {
        switch parse(value) {
        case .people(let people): return try refusePosts(among: people, home)
        case .everything, nil: return
        case .following: break
        }
        try checkPerson(home)
        let count = try followed(home)
        guard count <= othersAtMost else {
            throw Failure(.refused, tooMany("you follow \(count) people"), hint: "scurry config carry everything")
        }
    }

    /// Refuses to follow one more person if only those who are followed are carried and the limit is reached.
    static func checkRoom(_ home: Home, followed count: Int) throws(Failure) {
        guard count >= othersAtMost, let settings = try? Settings(home.layout),
            parse(settings.value(.carry)) == .following
        else { return }
        throw Failure(
            .refused,
            tooMany("this home carries only whom you follow, and you follow \(count) people"),
            hint: "scurry config carry everything"
        )
    }

    /// Refuses the id of a post: nobody would be carried for it.
    private static func refusePosts(among people: Set<IdentityID>, _ home: Home) throws(Failure) {
        // Ids may be set in a home that cannot be read now.
        guard let store = try? StoreReader(path: home.layout.store, network: home.network) else { return }
        var authors: [IdentityID: IdentityID] = [:]
        for id in people { authors[id] = try? PersonArgument.author(of: id, in: store) }
        guard let (id, author) = authors.min(by: { $0.key < $1.key }) else { return }
        let meant = Set(people.map { authors[$0] ?? $0 }).sorted().map(\.description).joined(separator: ",")
        throw Failure(
            .notFoundOrAmbiguous,
            "\(id.description) is a post; its author is \(author.description)",
            hint: "scurry config carry \(meant)"
        )
    }

    private static func tooMany(_ what: SafeText) -> SafeText {
        "\(what): a node names \(othersAtMost) besides yourself at most"
    }

    private static func checkPerson(_ home: Home) throws(Failure) {
        let own = try Problems.naming { () throws(HomeError) in try home.keys() }.certificate
        guard own == nil else { return }
        throw Failure(
            .refused,
            "a hub follows nobody: there is nobody to carry",
            hint: "scurry config carry everything, or scurry config carry ID,ID"
        )
    }

    private static func followed(_ home: Home) throws(Failure) -> Int {
        let store = try Problems.naming { () throws(HomeError) in try home.storeReader() }
        return try Problems.naming { () throws(StorageError) in
            try store.ownIdentity().map { own throws(StorageError) in try store.following(own).count } ?? 0
        }
    }
}
