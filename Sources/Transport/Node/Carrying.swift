package import Entries
package import Storage

/// What a home is set to carry: which scope that is depends on whom its person follows (`protocol/sync.md §3`).
package enum Carrying: Hashable, Sendable {
    case everything
    /// The person here, and whom they follow.
    case following
    /// These people, and the person here.
    case people(Set<IdentityID>)

    /// Whose logs that are, and how many people did not fit: of too many, the first by id stay.
    package struct Meaning: Hashable, Sendable {
        package let scope: Scope
        package let leftOut: Int
    }

    /// What it means for a person, or nobody, who follows these.
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

    /// The same, with whom the store says that they follow.
    package func meaning(in store: StoreReader) throws(StorageError) -> Meaning {
        let own = try store.ownIdentity()
        guard case .following = self, let own else { return meaning(for: own, following: []) }
        return meaning(for: own, following: try store.following(own))
    }
}
