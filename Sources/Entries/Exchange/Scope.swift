package import Sodium

/// Whose logs a node carries (`protocol/sync.md §3`).
package enum Scope: Hashable, Sendable {
    case everything
    /// The logs of these identities alone.
    case identities(Set<IdentityID>)

    /// The most identities that a scope names (`protocol/wire.proto`, Scope): 34 KB of a Hello.
    package static let maximumIdentities = 1_024

    package func contains(_ identity: IdentityID) -> Bool {
        switch self {
        case .everything: true
        case .identities(let identities): identities.contains(identity)
        }
    }

    /// What both carry: the common scope of two nodes.
    package func intersection(_ other: Scope) -> Scope {
        switch (self, other) {
        case (.everything, _): other
        case (_, .everything): self
        case (.identities(let own), .identities(let others)): .identities(own.intersection(others))
        }
    }

    /// What a cursor is taken under: `H("scurry/scope", identities in ascending order)`; nil for everything.
    package var digest: Bytes32? {
        switch self {
        case .everything: nil
        case .identities(let identities): Blake2b.hash(.scope, identities.sorted().flatMap(\.bytes))
        }
    }

    /// How many identities it names; nil for everything.
    package var count: Int? {
        switch self {
        case .everything: nil
        case .identities(let identities): identities.count
        }
    }
}
