package import Entries
package import Storage

/// The home's setting of what to carry; with `following` the scope depends on the identity's follows
/// (`protocol/sync.md` §3).
package enum Carrying: Hashable, Sendable {
    case everything
    /// The own identity, and those that it follows.
    case following
    /// These identities, and the own one.
    case people(Set<IdentityID>)

    /// The scope that a setting amounts to, and how many identities did not fit; the lowest ids are kept.
    package struct Meaning: Hashable, Sendable {
        package let scope: Scope
        package let leftOut: Int
    }

    /// The scope for an own identity (nil on a hub) that follows these.
    package func meaning(for own: IdentityID?, following: [IdentityID]) -> Meaning {
        let wished: Set<IdentityID>
        switch self {
        case .everything: return Meaning(scope: .everything, leftOut: 0)
        case .following: wished = Set(following)
        case .people(let people): wished = people
        }
        let others = wished.subtracting(own.map { [$0] } ?? []).sorted()
        let room = Scope.maximumIdentities - (own == nil ? 0 : 1)
        let carried = Set(others.prefix(room) + (own.map { [$0] } ?? []))
        return Meaning(scope: .identities(carried), leftOut: max(0, others.count - room))
    }

    /// The scope, with the own identity and its follows read from the store.
    package func meaning(in store: StoreReader) throws(StorageError) -> Meaning {
        let own = try store.ownIdentity()
        guard case .following = self, let own else { return meaning(for: own, following: []) }
        return meaning(for: own, following: try store.following(own))
    }
}
